"""The two cases of the source text, and what must not be mistaken for them, on simulated hosts end to end."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from importlib.resources import files

import pytest

from compared import at_once
from serinus.core.comparison.conclusion import Kind
from serinus.core.explain.comparisons import of_comparison, of_comparison_notes
from serinus.service.comparing.request import ComparisonRequest, Hands
from serinus.service.comparing.result import Comparison
from serinus.service.comparing.run import compare
from serinus.simulator.in_process import in_process
from serinus.simulator.scenario import FaultUse, Scenario
from serinus.simulator.scenario_file import load
from serinus.store import open_store
from simulated import BEGAN, MODEL, host
from world import Unpaced

STRAY = "opening_stray_punctuation"


def shipped(name: str) -> Scenario:
    return load(files("serinus.simulator") / "scenarios" / name)


def held(scenario: Scenario, contract: str, **more) -> Comparison:
    gateway, prober = in_process(scenario, BEGAN)
    hands = Hands(gateway, Unpaced(), at_once, open_store("sqlite://"), lambda: prober.now)
    request = ComparisonRequest(**{"model": scenario.models[0].id, "contract": contract, "by": "ana", **more})
    return asyncio.run(compare(request, hands))


def test_nineteen_of_twenty_openings_against_none_of_forty_nine():
    found = held(shipped("openings.toml"), "opening", routes=("iris/fp8",), peer_answers=4, seed="iris")
    assert of_comparison(found.conclusion) == (
        "The fault follows the endpoint iris/fp8: 19/20 here, 0/49 on 14 others, p = 4e-16."
    )
    notes = of_comparison_notes(found.conclusion)
    assert "The 6 peers of its precision class (fp8) do not share it: iris/fp8 19/20, they 0/24." in notes
    assert "On the author's own host: acme/bf16 0/4." in notes


def test_three_of_three_answers_mixed_portuguese_and_spanish():
    mixing = shipped("mixing.toml")
    found = held(mixing, "language", routes=("harbor/fp8",), languages=("pt",), answers=3)
    assert of_comparison(found.conclusion) == (
        "The fault follows the endpoint harbor/fp8: 3/3 here, 0/15 on 5 others, p = 0.0012."
    )
    notes = of_comparison_notes(found.conclusion)
    assert "The 4 peers of its precision class (fp8) do not share it: harbor/fp8 3/3, they 0/12." in notes


def test_the_same_host_is_clean_in_a_language_that_it_does_not_mix():
    mixing = shipped("mixing.toml")
    found = held(mixing, "language", routes=("harbor/fp8",), languages=("de",), answers=8)
    assert found.conclusion.kind is Kind.NOT_REPRODUCED


@pytest.mark.parametrize("seed", range(4))
def test_healthy_hosts_are_blamed_for_nothing(seed):
    healthy = Scenario((MODEL,), tuple(host(f"h{n}/fp8") for n in range(8)), seed=seed)
    found = held(healthy, "opening", answers=6, languages=("en", "pt", "ja"))
    assert found.conclusion.kind is Kind.NOT_REPRODUCED


def test_a_fault_of_the_model_is_blamed_on_no_host():
    hosts = tuple(host(f"h{n}/fp8", FaultUse(STRAY, rate=0.6)) for n in range(6))
    found = held(
        Scenario((MODEL,), hosts, seed=2), "opening", answers=10, routes=("h1/fp8",), languages=("en",)
    )
    assert (found.conclusion.kind, found.conclusion.blamed) == (Kind.MODEL, ())


def test_a_fault_of_a_precision_class_is_the_classs():
    small = [host(f"s{n}/fp4", FaultUse(STRAY, rate=0.7), precision="fp4") for n in range(3)]
    large = [host(f"l{n}/bf16", precision="bf16") for n in range(5)]
    found = held(Scenario((MODEL,), (*small, *large), seed=2), "opening", answers=10, languages=("en", "de"))
    assert (found.conclusion.kind, found.conclusion.classes) == (Kind.CLASS, ("fp4",))


def test_the_same_seed_asks_the_same_and_finds_the_same():
    scenario = replace(shipped("mixing.toml"), seed=9)
    first = held(scenario, "language", languages=("pt",), answers=3, seed="again")
    second = held(scenario, "language", languages=("pt",), answers=3, seed="again", name="other")
    assert first.routes == second.routes
    assert first.conclusion == second.conclusion
