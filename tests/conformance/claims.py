"""What holds at any gateway with healthy routes, whoever is behind it; each claim asks what it needs.

`tests/conformance/test_gateways.py` tries them on every gateway of ours, `test_live.py` on the real one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from uuid import uuid4

from serinus.contracts import contracts
from serinus.core.model import Limits, Message, Offer, Probe, Route, Tool, Verdict, Word
from serinus.core.transcript import End, Transcript
from serinus.judging.judge import judge
from serinus.service.ports import Gateway

SCENE = (
    Message("system", "Stay in character as the keeper of an inn. Answer in three sentences."),
    Message("user", "Tell me of the harbour."),
)
PROBE = Probe("roleplay.en.0", "roleplay", SCENE, language="en", max_tokens=120)
SCHEMA = {
    "name": "card",
    "strict": True,
    "schema": {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
        "additionalProperties": False,
    },
}
STRUCTURED = Probe("structured.en.0", "structured", SCENE, language="en", max_tokens=120, schema=SCHEMA)
TOOL = Tool("look_up", {"type": "object", "properties": {"q": {"type": "string"}}})
CALLED = Probe(
    "tool_call.en.0",
    "tool_call",
    SCENE,
    language="en",
    max_tokens=120,
    tools=(TOOL,),
    tool_choice="required",
)
AT_ONCE = 4  # questions to each route that are in flight together
Claim = Callable[[Gateway, Sequence[Offer]], Awaitable[None]]


def verdict(name: str, transcript: Transcript) -> Verdict:
    """What a contract says of an answer."""
    return judge(next(c for c in contracts() if c.name == name), transcript)


async def ask(gateway: Gateway, offer: Offer, probe: Probe = PROBE, limits: Limits = Limits()) -> Transcript:
    """One answer of a route."""
    return await gateway.ask(offer, probe, session=f"conformance/{uuid4()}", limits=limits)


async def each_route_is_listed_once_under_a_provider(gateway: Gateway, offers: Sequence[Offer]) -> None:
    listing = await gateway.discover(offers[0].route.model)
    assert listing.trouble is None
    assert len({o.route for o in listing.offers}) == len(listing.offers)
    assert all(o.route.model == listing.model and o.route.tag and o.provider for o in listing.offers)


async def a_model_that_nobody_knows_is_trouble(gateway: Gateway, _offers: Sequence[Offer]) -> None:
    listing = await gateway.discover("nobody/knows-this")
    assert listing.trouble
    assert listing.offers == ()


async def an_answer_proves_who_it_was(gateway: Gateway, offers: Sequence[Offer]) -> None:
    found = await ask(gateway, offers[0])
    assert (found.status, found.end, found.error) == (200, End.CLOSED, None), found.body
    assert (found.pin, found.route) == (offers[0].route.tag, offers[0].route)
    assert found.text
    assert found.answer.done
    assert found.answer.finish_reason in {"stop", "length"}
    assert found.answer.models
    assert verdict("identity", found).word is Word.PASS, verdict("identity", found)


async def tokens_are_counted(gateway: Gateway, offers: Sequence[Offer]) -> None:
    usage = (await ask(gateway, offers[0])).answer.usage
    assert usage is not None
    assert min(usage.prompt_tokens or 0, usage.completion_tokens or 0) > 0


async def times_run_forward_from_the_request(gateway: Gateway, offers: Sequence[Offer]) -> None:
    found = await ask(gateway, offers[0])
    times = [found.timing.headers, *(event.at for event in found.events), found.ended]
    assert all(a is not None and b is not None and 0 <= a <= b for a, b in pairwise(times))
    assert found.timing.connect is not None
    assert found.timing.lag is not None


async def a_transcript_says_what_was_really_asked(gateway: Gateway, offers: Sequence[Offer]) -> None:
    found = await ask(gateway, offers[0], Probe("k", "roleplay", SCENE, language="en"))
    assert found.probe.max_tokens is not None
    assert found.limits == Limits()
    assert found.claims == (offers[0].claims or None)


async def a_whole_body_is_an_answer_too(gateway: Gateway, offers: Sequence[Offer]) -> None:
    found = await ask(gateway, offers[0], Probe("k", "roleplay", SCENE, max_tokens=120, stream=False))
    assert (found.text != "", found.events, found.answer.done) == (True, (), True)
    assert verdict("identity", found).word is Word.PASS


async def a_response_format_reaches_the_host(gateway: Gateway, offers: Sequence[Offer]) -> None:
    able = [o for o in offers if "structured_outputs" in o.claims]
    found = [await ask(gateway, offer, STRUCTURED) for offer in able]
    words = [verdict("structured_output", t).word for t in found]
    assert not able or Word.PASS in words, [t.text for t in found]  # a host may ignore what it claims


async def tools_reach_the_host(gateway: Gateway, offers: Sequence[Offer]) -> None:
    able = [o for o in offers if "tools" in o.claims]
    found = [await ask(gateway, offer, CALLED) for offer in able]
    called = [[call.name for call in t.answer.tool_calls] for t in found]
    assert not able or ["look_up"] in called, [t.text for t in found]  # as above


async def many_questions_at_once_do_not_mix(gateway: Gateway, offers: Sequence[Offer]) -> None:
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(ask(gateway, offer)) for _ in range(AT_ONCE) for offer in offers]
    found = [task.result() for task in tasks]
    assert all(verdict("identity", t).word is Word.PASS for t in found)
    assert len({identity for t in found for identity in t.answer.ids}) == len(found)


async def a_route_that_is_gone_is_an_error_and_no_exception(
    gateway: Gateway, offers: Sequence[Offer]
) -> None:
    gone = Offer(Route(offers[0].route.model, "yew/int4"), "yew", "Yew")
    found = await ask(gateway, gone, limits=Limits(hard=10.0))
    assert found.status != 200
    assert found.text == ""
    assert verdict("filtering", found).word in {Word.INCONCLUSIVE, Word.TRANSPORT}


async def a_request_made_again_by_hand_is_the_one_that_was_sent(
    gateway: Gateway, offers: Sequence[Offer]
) -> None:
    for offer in (offers[0], replace(offers[0], reasoning_mandatory=True)):
        found = await ask(gateway, offer)
        again = gateway.by_hand(offer, found.probe)
        assert again.url.endswith("/chat/completions")
        assert again.body["max_tokens"] == found.probe.max_tokens
        assert again.body["messages"] == [{"role": m.role, "content": m.content} for m in SCENE]
        assert "authorization" not in {name.lower() for name in again.headers}


CLAIMS: tuple[Claim, ...] = (
    each_route_is_listed_once_under_a_provider,
    a_model_that_nobody_knows_is_trouble,
    an_answer_proves_who_it_was,
    tokens_are_counted,
    times_run_forward_from_the_request,
    a_transcript_says_what_was_really_asked,
    a_request_made_again_by_hand_is_the_one_that_was_sent,
    a_whole_body_is_an_answer_too,
    a_response_format_reaches_the_host,
    tools_reach_the_host,
    many_questions_at_once_do_not_mix,
    a_route_that_is_gone_is_an_error_and_no_exception,
)
