"""What is read without a network is what a network brings."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from serinus.core.model import Limits
from serinus.core.transcript import End, Phase
from serinus.gateways.openrouter import OpenRouter
from serinus.prober.prober import Prober
from serinus.prober.secret import Secret
from serinus.simulator.in_process import BASE_URL, InProcessProber
from serinus.simulator.scenario import FaultUse, Latency
from serinus.simulator.simulator import Simulator
from simulated import BEGAN, KEY, MODEL, desk, host, probe, scenario, transcript

QUICK = Latency(first_text=0.0, per_token=0.0)
ALIKE = (
    "body_truncated", "broken_event", "canned_refusal", "changed_ids", "dropped_socket",
    "error_first_event", "error_frame", "error_in_body", "error_in_stream", "gzip_answer", "html_page",
    "http_403_moderation", "http_429", "http_502", "huge_answer", "invalid_utf8", "json_fenced",
    "odd_lines", "one_byte_chunks", "reset_before_headers", "silent_close", "slow_first_token",
    "tool_call_as_text", "wrong_provider",
)  # fmt: skip


def seen(found):
    """A transcript without its times and the ids that count them."""
    answer = replace(found.answer, deltas=tuple(replace(d, at=None) for d in found.answer.deltas))
    events = [(e.data, e.comment, e.name, e.undecodable) for e in found.events]
    return answer, events, found.status, found.end, found.body, found.phase, bool(found.error)


async def over_http(asked, *faults):
    async def skip(_seconds):
        await asyncio.sleep(0)

    hosts = (host("amber/fp8", *faults, latency=QUICK), host("birch"))
    async with Simulator(scenario(*hosts), now=lambda: BEGAN, sleep=skip) as simulator, Prober() as prober:
        adapter = OpenRouter(prober, Secret(KEY), base_url=simulator.base_url)
        listing = await adapter.discover(MODEL.id)
        return await adapter.ask(listing.offers[0], asked, session=asked.key, limits=Limits())


async def in_process(asked, *faults):
    hosts = (host("amber/fp8", *faults, latency=QUICK), host("birch"))
    adapter = OpenRouter(InProcessProber(desk(*hosts), BEGAN), Secret(KEY), base_url=BASE_URL)
    listing = await adapter.discover(MODEL.id)
    return await adapter.ask(listing.offers[0], asked, session=asked.key, limits=Limits())


@pytest.mark.parametrize("name", ["", *ALIKE])
@pytest.mark.parametrize("kind", ["roleplay", "tool_call"])
def test_a_fault_is_read_alike_with_and_without_a_network(name, kind):
    faults = (FaultUse(name),) if name else ()
    asked = replace(probe(kind, "pt"), stream=name != "body_truncated")
    assert seen(asyncio.run(over_http(asked, *faults))) == seen(asyncio.run(in_process(asked, *faults)))


def test_a_reset_may_swallow_what_was_on_its_way():
    use = FaultUse("reset_mid_answer")
    real, read = (asyncio.run(way(probe("roleplay", "pt"), use)) for way in (over_http, in_process))
    assert read.text.startswith(real.text)
    assert real.end is read.end is End.RESET


def test_times_are_those_of_the_steps():
    late = FaultUse("slow_first_token", parameters={"seconds": 9.0})
    found = asyncio.run(transcript(probe("roleplay"), late))
    first = next(d for d in found.answer.deltas if d.text)
    assert 9.0 <= first.at < 9.1
    assert found.timing.headers == 0.0


def test_silence_ends_at_the_hard_limit():
    nothing = asyncio.run(transcript(probe("roleplay"), FaultUse("silence")))
    comments = asyncio.run(transcript(probe("roleplay"), FaultUse("comments_only")))
    assert (nothing.status, nothing.end, nothing.phase, nothing.ended) == (None, End.HELD, Phase.WAIT, 60.0)
    assert (comments.status, comments.end, comments.ended) == (200, End.HELD, 60.0)


def test_an_answer_with_text_is_waited_for_longer():
    stalled = asyncio.run(transcript(probe("roleplay"), FaultUse("stall_mid_answer")))
    assert stalled.end is End.HELD
    assert stalled.ended > 60.0
    dripping = FaultUse("slow_stream", parameters={"per_event": 5.0})
    assert asyncio.run(transcript(probe("roleplay"), dripping)).end is End.CAPPED


def test_a_stream_that_never_closes_after_its_end_mark_is_whole():
    found = asyncio.run(transcript(probe("roleplay"), FaultUse("unterminated")))
    assert found.answer.finish_reason == "stop"


def test_time_can_be_moved():
    prober = InProcessProber(desk(), BEGAN)
    before = prober.clock()
    prober.advance(timedelta(hours=2))
    assert prober.clock() - before == 7200


def test_a_host_that_forwards_cannot_be_asked_without_a_network():
    prober = InProcessProber(desk(host("real", forward="http://127.0.0.1:9")), BEGAN)
    adapter = OpenRouter(prober, Secret(KEY), base_url=BASE_URL)

    async def asked():
        listing = await adapter.discover(MODEL.id)
        await adapter.ask(listing.offers[0], probe("roleplay"), session="s", limits=Limits())

    with pytest.raises(ValueError, match="real forwards to a real engine"):
        asyncio.run(asked())
