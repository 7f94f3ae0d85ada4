"""A round at a glance says what its findings say, and lives as long as they do."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from serinus.core.model import Word
from store.rows import CONTRACTS, HALF_HOUR, MODEL, OTHER, START, TAGS, closing, finding, name_of


def held(store, model=MODEL, at=START, **words):
    row = store.open_round(name_of(model, at), model, at)
    found = [finding(row, t, c, words.get(c, "pass")) for t in TAGS for c in CONTRACTS]
    store.close_round(closing(row, sum(1 for _ in store.log()), findings=found))


def test_a_glance_has_each_word_of_its_round(store):
    held(store, language="fail")
    (seen,) = store.glances.since(START)
    assert (seen.model, seen.at) == (MODEL, START)
    assert dict(seen.of("beta")) == {"first_token": Word.PASS, "language": Word.FAIL}


def test_a_route_that_was_not_asked_has_no_word(store):
    held(store)
    (seen,) = store.glances.since(START)
    assert list(seen.of("nobody")) == []


def test_glances_come_oldest_first_of_all_models_or_one(store):
    for n, model in enumerate((MODEL, OTHER, MODEL)):
        held(store, model, START + n * HALF_HOUR)
    assert [g.at for g in store.glances.since(START)] == [START + n * HALF_HOUR for n in range(3)]
    assert [g.at for g in store.glances.since(START + HALF_HOUR, MODEL)] == [START + 2 * HALF_HOUR]


def test_hostile_names_are_kept_as_escapes(store):
    row = store.open_round(name_of(MODEL, START), MODEL, START)
    store.close_round(closing(row, 0, findings=[finding(row, "a\0b\ud800", "language")]))
    (seen,) = store.glances.since(START)
    assert list(seen.routes) == ["a\\x00b\\ud800"]


def test_a_round_without_findings_has_no_glance(store):
    row = store.open_round(name_of(MODEL, START), MODEL, START)
    store.close_round(replace(closing(row, 0), findings=()))
    assert list(store.glances.since(START)) == []


def test_glances_go_when_findings_go(store):
    held(store)
    store.prune(START + timedelta(days=89))
    assert store.glances.since(START)
    store.prune(START + timedelta(days=91))
    assert not store.glances.since(START)
