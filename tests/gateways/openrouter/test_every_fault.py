"""Each fault of the simulator through the real gateway: whatever comes, a transcript that holds together."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest

from serinus.core.model import Limits, Message, Offer, Probe
from serinus.core.transcript import End, Phase, Transcript
from serinus.gateways.openrouter import OpenRouter
from serinus.prober.prober import Prober
from serinus.prober.secret import Secret
from serinus.simulator.faults import catalogue
from serinus.simulator.faults.registry import Stage
from serinus.simulator.scenario import FaultUse, Host, Latency, Model, Scenario
from serinus.simulator.simulator import Simulator

MODEL = "acme/story-70b"
SCENE = (
    Message("system", "Stay in character. Your sign is K7-QX."),
    Message("user", "Tell me of the harbour."),
)
PROBE = Probe("roleplay.en.0", "roleplay", SCENE, language="en", max_tokens=120)
LIMITS = Limits(hard=4.0)
NO_ANSWERS = {Stage.LISTING, Stage.HOST}  # those change what is listed, not what is answered


async def briefly(seconds: float) -> None:
    """Waits of the simulated hosts, shortened; only those that never end reach the hard limit."""
    await asyncio.sleep(min(seconds, 0.01))


@pytest.fixture(scope="module")
def found() -> dict[str, Transcript]:
    names = [name for name, fault in sorted(catalogue().items()) if fault.stage not in NO_ANSWERS]
    hosts = [
        Host(
            name.replace("_", "-"),
            name,
            name.replace("_", "-"),
            latency=Latency(0.01, 0.0, 0.0),
            faults=(use,),
        )
        for name, use in ((name, FaultUse(name)) for name in names)
    ]
    scenario = Scenario((Model(MODEL, "Story 70B"),), tuple(hosts))

    async def run() -> dict[str, Transcript]:
        async with Simulator(scenario, sleep=briefly) as simulator, Prober() as prober:
            gateway = OpenRouter(prober, Secret("sk-simulated"), base_url=simulator.base_url)
            few = asyncio.Semaphore(12)  # all at once, a busy machine would take its own time for the hosts'

            async def ask(offer: Offer) -> Transcript:
                async with few:
                    return await gateway.ask(offer, PROBE, session=f"s/{offer.display}", limits=LIMITS)

            listing = await gateway.discover(MODEL)
            async with asyncio.TaskGroup() as group:
                tasks = {offer.display: group.create_task(ask(offer)) for offer in listing.offers}
            return {name: task.result() for name, task in tasks.items()}

    return asyncio.run(run())


def test_every_fault_leaves_a_transcript_that_holds_together(found):
    assert len(found) > 100
    for name, transcript in found.items():
        assert (transcript.status is None) == (transcript.phase is not None), name
        assert transcript.phase in {None, Phase.WAIT}, name
        times = [event.at for event in transcript.events]
        assert all(a is not None and b is not None and a <= b for a, b in pairwise(times)), name
        assert transcript.ended is not None, name
        assert transcript.body is None or transcript.answer.failure or transcript.answer.done, name
        if transcript.end is End.RESET:
            assert transcript.error, name


def test_faults_of_the_wire_end_as_they_should(found):
    ends = {
        name: found[name].end
        for name in ("reset_mid_answer", "dropped_socket", "silent_close", "comments_only", "open_silence")
    }
    assert ends == {
        "reset_mid_answer": End.RESET,
        "dropped_socket": End.RESET,
        "silent_close": End.CLOSED,
        "comments_only": End.HELD,
        "open_silence": End.HELD,
    }
    assert found["reset_before_headers"].status is None
    assert (found["silence"].status, found["silence"].end) == (None, End.HELD)
    assert any(event.undecodable for event in found["invalid_utf8"].events)
    assert not any(event.undecodable for event in found["one_byte_chunks"].events)
    assert found["cache_hit"].headers["x-openrouter-cache-status"] == "HIT"
    assert found["fallback_attempt"].answer.metadata is not None
    assert found["fallback_attempt"].answer.metadata["attempt"] > 1
    assert found["healed_json"].answer.metadata is not None
    assert found["healed_json"].answer.metadata["pipeline"]
    assert found["html_page"].status == 502
    assert "<html" in (found["html_page"].body or "").lower()
