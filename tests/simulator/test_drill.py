"""A drill compares what was decided with what the scenario did."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from serinus.contracts import by_name
from serinus.core.policy import Mode, Policy
from serinus.service.planning import ModelPlan
from serinus.simulator.drill import BEGAN, Drill, DrillReport, healthy, onsets
from serinus.simulator.scenario import FaultUse, Host, Scenario, Window
from serinus.store import open_store
from simulated import MODEL, host
from world import Unpaced

HOUR = timedelta(hours=1)
REFUSES = FaultUse("canned_refusal", window=Window(HOUR))


def held(*hosts: Host, hours: float = 3.0) -> DrillReport:
    plan = ModelPlan(MODEL.id, ("en",), (by_name("filtering"), by_name("structured_output")))
    store = open_store("sqlite://")
    drill = Drill(
        scenario=Scenario((MODEL,), hosts, seed=3),
        plan=plan,
        policy=Policy(mode=Mode.ENFORCE),
        store=store,
        pace=Unpaced(),
        length=hours * HOUR,
    )
    report = asyncio.run(drill.run(lambda _done, _rounds: None))
    store.close()
    return report


def test_a_fault_for_good_is_caught_at_its_second_failing_round():
    report = held(host("amber/fp8"), host("birch"), host("cobalt", REFUSES))
    (caught,) = report.caught
    assert (caught.onset.tag, caught.rounds, caught.failing) == ("cobalt", 2, 2)
    assert caught.at == BEGAN + 1.5 * HOUR
    assert caught.contracts == ("filtering",)
    assert (report.missed, report.wrong, report.held) == ((), [], [])
    assert report.least_capacity == 2


def test_rounds_that_a_fault_lets_pass_are_no_failing_rounds():
    fenced = FaultUse("json_fenced", window=Window(HOUR))
    report = held(host("amber/fp8"), host("birch"), host("cobalt", fenced), hours=5)
    (caught,) = report.caught
    assert caught.contracts == ("structured_output",)
    assert caught.failing == 2


def test_a_suspension_of_a_host_without_faults_is_wrong():
    filtering = host("cobalt", control=True)  # by policy, which this plan does not know
    report = held(host("amber/fp8"), host("birch"), filtering, host("dune"))
    assert [tag for _, tag, _ in report.wrong] == ["cobalt"]


def test_a_suspension_of_a_host_that_errs_often_is_neither_wrong_nor_demanded():
    often = FaultUse("canned_refusal", rate=0.9)
    report = held(host("amber/fp8"), host("birch"), host("cobalt", often), host("dune"))
    assert report.told["suspended"] == 1
    assert (report.wrong, report.caught, report.missed) == ([], [], ())


def test_a_fault_that_began_too_late_for_two_rounds_is_not_missed():
    late = FaultUse("canned_refusal", window=Window(2.5 * HOUR))
    assert held(host("amber/fp8"), host("birch"), host("cobalt", late)).onsets == ()


def test_troubles_that_are_not_the_answers_are_no_faults_for_good():
    hosts = (host("a", FaultUse("http_502")), host("b", FaultUse("canned_refusal", rate=0.5)))
    assert list(onsets(hosts)) == []


def test_a_host_counts_as_healthy_until_its_fault_begins():
    hosts = (host("a"), host("b", REFUSES), host("c", control=True))
    assert healthy(hosts, 10 * HOUR) == 11 * HOUR
    assert healthy(hosts, HOUR / 2) == HOUR


def test_healthy_hosts_charge_what_was_forecast():
    report = held(host("amber/fp8"), host("birch"), hours=4)
    assert report.told.total() == 0
    assert report.usd == pytest.approx(report.charged)
    assert report.forecast == pytest.approx(report.charged, rel=0.2)  # of one language
