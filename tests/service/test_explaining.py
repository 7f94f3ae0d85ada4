import json
from datetime import timedelta

import pytest

from serinus.core.exclusions import Layer
from serinus.core.policy import Exclude, Lift, Mode
from serinus.service.explaining import anomalies, excerpt, explained
from serinus.service.memory import Memory
from serinus.service.operators import act
from serinus.service.standing import Sight, troubles
from serinus.service.storage import FindingRow
from service.test_canary import HALF_HOUR, MODEL, START, TAGS, Life


def sight(life, **controls):
    memory = Memory(life.store)
    memory.catch_up()
    known = {MODEL: frozenset(controls)}
    return Sight(life.store, memory.state, life.canary.policy, life.at, HALF_HOUR, known)


def explanation(life, tag, **controls):
    here = sight(life, **controls)
    model = here.model(MODEL)
    (route,) = [r for r in model.routes if r.tag == tag]
    return explained(here, model, route)


def said(found):
    return " ".join([*found.why, *found.outlook])


def rounds(life, *bad, times=1):
    life.bad = set(bad)
    for _ in range(times):
        life.round()


@pytest.fixture
def life():
    life = Life()
    rounds(life)
    return life


def test_a_route_of_which_nothing_is_held_says_what_would_suspend_it(life):
    found = explanation(life, "alpha")
    assert found.why == (
        "In production: it is live, no layer excludes it, and it answered at 2026-11-30 00:00 UTC.",
    )
    assert "2 failing rounds in a row of one contract would suspend it" in said(found)


def test_a_streak_says_by_when_one_more_failure_suspends(life):
    rounds(life, "beta")
    assert "The next failing round of spoken by 2026-11-30 06:30 UTC suspends it." in said(
        explanation(life, "beta")
    )


def test_in_observe_mode_it_only_would():
    life = Life(Mode.OBSERVE)
    rounds(life, "beta", times=2)
    found = explanation(life, "beta")
    assert found.why[0].startswith("Would be suspended (observe mode: nothing reaches routing)")
    assert any(sentence.startswith("In production") for sentence in found.why)


def test_a_route_held_at_the_floor_says_so_and_what_would_let_it_go(life):
    rounds(life, "beta", "gamma", times=2)
    rounds(life, "delta/fp8", "beta", "gamma", times=2)
    assert "Held at the floor" in said(explanation(life, "delta/fp8"))


def test_every_exclusion_that_covers_a_route_is_named_with_what_ends_it(life):
    policy = life.canary.policy
    act(
        Memory(life.store),
        policy,
        Exclude(life.at, Layer.BUILTIN, "delta", None, "anna", "Never honoured the pin."),
    )
    act(Memory(life.store), policy, Exclude(life.at, Layer.OPERATIONAL, "delta/fp8", MODEL, "bo", "Slow."))
    why = " ".join(explanation(life, "delta/fp8").why)
    assert "until a reviewed change of exclusions.toml: Never honoured the pin." in why
    assert "until it is taken back (`serinus exclusions remove`): Slow." in why
    assert "In production" not in why


def test_grace_and_the_lift_that_gave_it_are_told(life):
    rounds(life, "beta", times=2)
    lift = Lift(life.at, MODEL, "beta", "bo", "the provider fixed it", timedelta(hours=6))
    act(Memory(life.store), life.canary.policy, lift)
    found = explanation(life, "beta")
    assert "It has grace until 2026-11-30 07:30 UTC" in said(found)
    assert [type(p.entry).__name__ for p in found.past] == ["Decision", "Lift", "Decision"]


def test_a_suspension_that_ran_out_while_no_round_was_held_is_no_longer_called_one(life):
    rounds(life, "beta", times=2)
    life.at += timedelta(days=2)
    found = explanation(life, "beta")
    assert "ran out at" in found.why[0]
    assert any(
        "the last round was planned for" in sentence
        for sentence in troubles(sight(life).standing([MODEL], 1.0))
    )


def test_a_control_is_told_to_be_one(life):
    assert "A control:" in said(explanation(life, "alpha", alpha=True))


def test_all_out_is_told_to_fail_open(life):
    rounds(life, "beta", times=2)
    for tag in set(TAGS) - {"beta"}:
        act(
            Memory(life.store),
            life.canary.policy,
            Exclude(life.at, Layer.OPERATIONAL, tag, None, "bo", "slow"),
        )
    assert "it gets traffic nevertheless" in said(explanation(life, "beta"))


def event(**delta):
    return {"at": 0.5, "data": json.dumps({"choices": [{"delta": delta}]})}


@pytest.mark.parametrize(
    ("document", "shown"),
    [
        ({"status": 200, "events": [event(content="Olá, "), event(content="tudo bem?")]}, "Olá, tudo bem?"),
        (
            {"status": 502, "body": '{"error": {"code": 502, "message": "upstream gone"}}'},
            "(http error: upstream gone)",
        ),
        ({"status": None, "error": "connection refused", "end": "closed"}, "(no text; connection refused)"),
        ({"status": 200, "events": [], "end": "held"}, "(no text; held)"),
    ],
)
def test_a_kept_transcript_is_shown_by_its_text_or_by_what_came_in_its_place(document, shown):
    assert excerpt(document) == shown


def finding(contract, word, at=START, reason="moderated", detail="It refused."):
    return FindingRow(str(at), at, MODEL, "beta", contract, word, reason, detail, {}, "en")


def test_a_broken_promise_is_not_hidden_behind_what_it_leaves_undecided():
    later = START + HALF_HOUR
    undecided = [finding(name, "inconclusive", later) for name in ("leak", "opening", "usage")]
    rows = [
        *undecided,
        finding("filtering", "fail", later),
        finding("stall", "warn", later),
        finding("leak", "pass"),
    ]
    assert [f.contract for f in anomalies(rows)] == ["filtering", "stall"]


def test_what_several_contracts_say_alike_is_said_once_a_round():
    rows = [
        finding(name, "transport", at) for at in (START, START + HALF_HOUR) for name in ("leak", "language")
    ]
    assert [(f.contract, f.at) for f in anomalies(rows)] == [
        ("language", START + HALF_HOUR),
        ("language", START),
    ]
