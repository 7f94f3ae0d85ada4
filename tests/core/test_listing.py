from datetime import UTC, datetime, timedelta

from serinus.core.exclusions import Exclusion, Layer
from serinus.core.listing import ignore_list, named_models
from serinus.core.policy import Decision, Exclude, State, evolve
from stories.timeline import told

HALF_HOUR = timedelta(minutes=30)
START = datetime(2026, 11, 30, tzinfo=UTC)


def test_a_suspension_stands_with_when_why_and_by_whom():
    found = ignore_list(told("a: xx | a filtering: xx").state, "m", START + HALF_HOUR)
    assert (found.model, found.at, found.ignore) == ("m", START + HALF_HOUR, ("a",))
    assert found.entries == (
        Exclusion(
            "a",
            Layer.SUSPENSION,
            START + HALF_HOUR,
            START + HALF_HOUR + timedelta(days=1),
            model="m",
            by="canary",
            why="It failed filtering and language in round after round: suspension of level 1.",
            level=1,
            contracts=("filtering", "language"),
        ),
    )


def test_a_shadow_never_stands_in_it():
    telling = told("{mode observe} xx")
    assert [d.kind for d, _ in telling.decided if isinstance(d, Decision)] == ["suspended"]
    assert ignore_list(telling.state, "m", telling.state.now).ignore == ()


def test_a_suspension_that_is_over_does_not_stand_in_it():
    state = told("xx").state
    end = START + HALF_HOUR + timedelta(days=1)
    assert ignore_list(state, "m", end - timedelta(seconds=1)).ignore == ("a",)
    assert ignore_list(state, "m", end).ignore == ()


def test_a_route_that_answered_before_is_known():
    telling = told("a: .o[exclude a][exclude z]")
    assert ignore_list(telling.state, "m", telling.state.now).unmatched == ("z",)


def test_models_are_named_by_rounds_and_by_exclusions():
    exclude = Exclude(START, Layer.OPERATIONAL, "a", "other")
    assert named_models(evolve(told("x").state, exclude)) == ["m", "other"]
    assert named_models(evolve(State(), Exclude(START, Layer.OPERATIONAL, "a"))) == []
