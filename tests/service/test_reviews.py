"""Reviewed exclusions that need another look, and who is told."""

from datetime import UTC, datetime, timedelta

import pytest

from serinus.core.exclusions import Layer
from serinus.core.policy import Exclude
from serinus.service.doctor.reviewed import check_reviews
from serinus.service.memory import Memory
from serinus.service.names import Names
from serinus.service.reviews import HOLDS, Reviewer, gone, old
from serinus.store import open_store

AT = datetime(2026, 11, 30, 9, tzinfo=UTC)
DAY = timedelta(days=1)
NAMES = Names(
    "m", {"amber/fp8": "amber", "birch": "birch", "gone/fp4": "gone"}, frozenset({"amber/fp8", "birch"})
)


def reviewed(route, age=DAY, model=None):
    return Exclude(AT - age, Layer.BUILTIN, route, model, "anna", "4-bit weights")


def test_a_review_of_the_last_half_year_is_not_doubted():
    assert old([reviewed("birch", HOLDS)], AT) == []
    (doubt,) = old([reviewed("birch", HOLDS + DAY, "m")], AT)
    assert doubt.found == (
        "The built-in exclusion of birch for m was last reviewed on 2026-06-02, 181 days ago, by anna: the "
        "host may be well again."
    )


@pytest.mark.parametrize(
    ("route", "model", "found"),
    [
        ("birch", None, None),
        ("amber", None, None),
        ("gone", None, "covers only gone/fp4, which the gateway lists no longer."),
        ("gone/fp4", "m", "covers only gone/fp4, which the gateway lists no longer."),
        ("brich", None, "covers no known route."),
        ("brich", "another", None),
    ],
)
def test_an_entry_that_covers_nothing_that_is_listed_is_doubted(route, model, found):
    doubts = gone([reviewed(route, model=model)], [NAMES])
    assert [d.found.endswith(found or "") for d in doubts] == ([True] if found else [])


def test_where_nothing_was_ever_listed_nothing_is_said():
    assert gone([reviewed("birch")], [Names("m", {}, frozenset())]) == []


@pytest.fixture
def store():
    store = open_store("sqlite://")
    yield store
    store.close()


def test_operators_are_told_once_of_each_review_that_is_old(store):
    now = [AT]
    entries = [reviewed("birch", HOLDS + DAY), reviewed("cedar")]

    def reviewer(entries):
        return Reviewer(Memory(store), lambda: now[0], entries, ())

    first = reviewer(entries)
    first.look(), first.look()
    reviewer(entries).look()  # after a restart
    now[0] += DAY
    first.look()
    assert kinds(store) == [("review_stale", "birch")]
    now[0] += HOLDS
    first.look()
    assert kinds(store) == [("review_stale", "birch"), ("review_stale", "cedar")]
    reviewer([reviewed("birch", 3 * DAY)]).look()  # looked at again, and half a year ago by then
    assert len(kinds(store)) == 3


def kinds(store):
    return [(n.kind, n.tag) for _, n in store.outbox("ops")]


def test_doctor_notes_old_reviews_and_says_what_to_do():
    (found,) = check_reviews([reviewed("birch", 2 * HOLDS), reviewed("cedar")], AT)
    assert (found.topic, found.severity) == ("reviews", "note")
    assert "exclusions.toml" in found.remedy
    (found,) = check_reviews([reviewed("cedar")], AT)
    assert (found.severity, found.found) == ("ok", "1 built-in exclusion, reviewed within 180 days.")
    assert list(check_reviews([], AT)) == []
