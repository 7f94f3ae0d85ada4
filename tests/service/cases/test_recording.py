"""A live answer written as a case and read again is judged alike, whatever the host did."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from serinus.contracts import contracts
from serinus.core.model import Limits
from serinus.core.transcript import End, Timing
from serinus.judging.judge import judge
from serinus.service.cases.case import CaseReader
from serinus.service.cases.hints import Fixtures
from serinus.service.cases.recording import case_document
from serinus.simulator.faults import catalogue
from serinus.simulator.faults.registry import Stage
from serinus.simulator.scenario import FaultUse
from simulated import ASKS, probe, transcript

NO_ANSWERS = {Stage.LISTING, Stage.HOST}  # those change what is listed, not what is answered
FAULTS = [fault for _, fault in sorted(catalogue().items()) if fault.stage not in NO_ANSWERS]


def seen(kind, *faults):
    """An answer, without what the format has no place for: how busy we were ourselves."""
    found = asyncio.run(transcript(probe(kind), *(FaultUse(name) for name in faults)))
    return replace(found, timing=Timing())


def read_again(found):
    line = json.dumps(case_document("x", found))
    return CaseReader(Fixtures(), lambda _: Limits()).read(json.loads(line)).answers[0]


def verdicts(found):
    return {c.name: (v.word.value, v.reason) for c in contracts() for v in [judge(c, found)]}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_what_is_recorded_is_judged_as_it_was(fault):
    found = seen(min(fault.kinds), fault.name)
    assert verdicts(read_again(found)) == verdicts(found)


def test_the_request_and_its_promises_come_back_as_they_were():
    for kind in ASKS:
        found = seen(kind)
        again = read_again(found)
        assert replace(again.probe, key=found.probe.key) == found.probe
        assert (again.pin, again.route, again.claims) == (found.pin, found.route, found.claims)


def test_how_who_served_was_proved_comes_back():
    found = seen("roleplay")
    assert read_again(replace(found, direct=True)).direct
    assert read_again(replace(found, proof="x-litellm-model-id")).proof == "x-litellm-model-id"


def test_an_answer_that_we_cut_comes_back_as_one_that_was_held():
    assert read_again(replace(seen("roleplay"), end=End.CAPPED)).end is End.HELD
