"""A fault on trial: caught by the right contract, or told for what it is, and its peers left alone."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from serinus.bootstrap.simulation import faults_named
from serinus.config.problems import ConfigError
from serinus.contracts import by_name
from serinus.core.policy import Mode, Policy
from serinus.service.planning import ModelPlan
from serinus.service.rounds import judged_here
from serinus.simulator.faults import catalogue
from serinus.simulator.faults.registry import Fault
from serinus.simulator.trial import MODEL, Fate, Found, Memory, Trial, kind_of
from serinus.store import open_store
from world import Unpaced

STORED = Path(__file__).parents[2] / "docs" / "reference" / "coverage.json"
ASKED = ("filtering", "protocol", "isolation", "first_token", "usage")


def trial(memory: Memory) -> Trial:
    plan = ModelPlan(MODEL.id, ("en", "de"), tuple(by_name(name) for name in ASKED))
    policy = Policy(mode=Mode.ENFORCE)
    return Trial(plan, policy, open_store("sqlite://"), Unpaced(), judged_here, memory, rounds=3)


@pytest.fixture(scope="module")
def memory() -> Memory:
    found = Memory()
    held = trial(found)
    asyncio.run(held.healthy())
    held.store.close()
    return found


def put_on_trial(memory: Memory, fault: Fault) -> Found:
    held = trial(memory)
    found = asyncio.run(held.run(fault))
    held.store.close()
    assert found.wronged == ()
    return found


@pytest.mark.parametrize(
    ("name", "fate", "by", "rounds"),
    [
        ("canned_refusal", Fate.CAUGHT, "filtering", 2),
        ("earlier_conversation", Fate.CAUGHT, "isolation", None),
        ("http_502", Fate.FROZEN, "filtering", 1),
        ("missing_usage", Fate.SHOWN, "usage", 1),
        ("listing_500", Fate.SHOWN, "notice", 1),
        ("hidden_preamble", Fate.SHOWN, "prompt tokens", 1),
        ("control_answers", Fate.SHOWN, "filtering", 1),
        ("http_402", Fate.INCONCLUSIVE, None, 1),
        ("stop_ignored", Fate.UNSEEN, None, None),
        ("gzip_answer", Fate.HARMLESS, None, None),
        ("end_mark_missing", Fate.HARMLESS, "protocol", 1),
    ],
)
def test_what_becomes_of_a_fault(memory, name, fate, by, rounds):
    found = put_on_trial(memory, catalogue()[name])
    assert found.fate is fate
    assert by is None or found.by == by
    assert rounds is None or found.rounds == rounds


def test_a_harmless_oddity_that_suspends_its_host_is_caught_and_still_known_as_harmless(memory):
    found = put_on_trial(memory, replace(catalogue()["canned_refusal"], harmless=True))
    assert (found.fate, found.harmless) == (Fate.CAUGHT, True)  # by which `serinus drill` ends with 1


def test_faults_are_named_alone_by_kind_or_all():
    assert faults_named("all") == tuple(catalogue())
    assert set(faults_named("isolation, http_502")) == {
        *(n for n, f in catalogue().items() if kind_of(f) == "isolation"),
        "http_502",
    }


@pytest.mark.parametrize(("wanted", "advice"), [("opning", "opening"), ("", "simulator.md"), ("?", "lists")])
def test_a_name_that_is_none_is_told_with_the_nearest(wanted, advice):
    with pytest.raises(ConfigError) as caught:
        faults_named(wanted)
    assert advice in caught.value.problems[0].line()


def test_the_stored_results_hold_every_fault_and_no_healthy_host_was_wronged():
    stored = json.loads(STORED.read_text(encoding="utf-8"))["faults"]
    assert {f["fault"]: f["kind"] for f in stored} == {n: kind_of(f) for n, f in catalogue().items()}, (
        "run: make coverage"
    )
    assert [f["fault"] for f in stored if f["wronged"]] == []
    assert [f["fault"] for f in stored if catalogue()[f["fault"]].harmless and f["fate"] == "caught"] == []
