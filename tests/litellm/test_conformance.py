"""The real LiteLLM proxy held to what any gateway must do, and our small one held to the real one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any

import aiohttp
import pytest

import litellm_proxy
from conformance.claims import CLAIMS, PROBE, ask, verdict
from litellm_proxy import KEY, deployment
from receiver import beside
from serinus.core.model import Limits, Listing, Offer, Word
from serinus.gateways.litellm import LiteLLM
from serinus.prober.prober import Prober
from serinus.prober.secret import Secret
from small_hosts import Host, small_host
from small_litellm import KEY as SMALL_KEY
from small_litellm import SmallLiteLLM, small_litellm

pytestmark = [
    pytest.mark.litellm,
    pytest.mark.skipif(not litellm_proxy.installed(), reason="there is no .venv-litellm"),
]

GROUP = "acme/story-70b"
HEALTHY = ("alder/fp8", "birch", "cedar-2")
FAULTY = {"busy-host": "busy", "dying-host": "error_in_stream", "resetting-host": "reset", "mute": "silence"}
ABLE = {"supports_response_schema": True, "supports_function_calling": True}
QUICK = Limits(first_text=0.5, hard=1.0)


@dataclass
class Stand:
    """The proxy's address, and the servers behind it."""

    url: str
    hosts: dict[str, Host]

    def use(self, act: Callable[[LiteLLM, Listing], Awaitable[Any]]) -> Any:
        async def run() -> Any:
            async with Prober() as prober:
                gateway = LiteLLM(prober, Secret(KEY), base_url=self.url)
                return await act(gateway, await gateway.discover(GROUP))

        return asyncio.run(run())

    def asked(self, tag: str, limits: Limits = Limits()) -> Any:
        async def act(gateway: LiteLLM, listing: Listing) -> Any:
            return await ask(gateway, next(o for o in listing.offers if o.route.tag == tag), limits=limits)

        return self.use(act)


@pytest.fixture(scope="module")
def stand(tmp_path_factory) -> Iterator[Stand]:
    hosts = {tag: Host() for tag in HEALTHY} | {tag: Host(fault) for tag, fault in FAULTY.items()}
    with beside(*(small_host(host) for host in hosts.values())):
        group = [deployment(GROUP, tag, host.url, **ABLE) for tag, host in hosts.items()]
        group.append(deployment(GROUP, "nowhere", "http://127.0.0.1:9/v1", **ABLE))
        group.append(deployment(GROUP, "paused", hosts["birch"].url, blocked=True, **ABLE))
        with litellm_proxy.proxy(tmp_path_factory.mktemp("proxy"), group, None) as url:
            yield Stand(url, hosts)


def healthy(listing: Listing) -> list[Offer]:
    return [offer for offer in listing.offers if offer.route.tag in HEALTHY]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.__name__)
def test_what_holds_at_any_gateway(stand, claim):
    stand.use(lambda gateway, listing: claim(gateway, healthy(listing)))


def test_its_deployments_are_routes_and_a_paused_one_is_none(stand):
    async def act(_gateway: LiteLLM, listing: Listing) -> Listing:
        return listing

    listing = stand.use(act)
    assert {o.route.tag for o in listing.offers} == {*HEALTHY, *FAULTY, "nowhere"}
    assert any("paused is paused" in note for note in listing.notes)


@pytest.mark.parametrize("tag", ["busy-host", "dying-host", "resetting-host", "mute", "nowhere"])
def test_a_hosts_error_freezes_the_score_and_nobody_else_answers_for_it(stand, tag):
    found = stand.asked(tag, QUICK)
    assert verdict("filtering", found).word is Word.TRANSPORT, found.answer
    assert len(stand.hosts[tag].asked if tag in stand.hosts else [1]) == 1


def test_the_proxys_own_cache_never_answers_a_probe(stand):
    before = len(stand.hosts["birch"].asked)
    found = [stand.asked("birch") for _ in range(3)]
    assert len(stand.hosts["birch"].asked) == before + 3
    assert {verdict("filtering", t).word for t in found} == {Word.PASS}


def test_a_request_reaches_the_host_with_nothing_of_our_own_switches(stand):
    stand.asked("birch")
    sent = stand.hosts["birch"].asked[-1]
    assert sent["messages"] == [{"role": m.role, "content": m.content} for m in PROBE.messages]
    assert not {"num_retries", "disable_fallbacks", "cache"} & set(sent)


async def _answers(url: str, key: str) -> dict[str, Any]:
    """What tells the real proxy from ours: a body, a stream, errors, the model info."""
    messages = [{"role": m.role, "content": m.content} for m in PROBE.messages]
    body = {"model": "birch", "messages": messages, "max_tokens": 64}
    usage = {"stream": True, "stream_options": {"include_usage": True}}
    wanted = {
        "body": (key, body),
        "stream": (key, body | usage),
        "dying": (key, body | usage | {"model": "dying-host"}),
        "busy": (key, body | {"model": "busy-host", "num_retries": 0, "disable_fallbacks": True}),
        "unknown": (key, body | {"model": "nobody/knows-this"}),
        "refused": ("sk-nobody", body),
    }
    found = {}
    async with aiohttp.ClientSession() as session:
        for name, (bearer, asked) in wanted.items():
            headers = {"Authorization": f"Bearer {bearer}"}
            async with session.post(f"{url}/v1/chat/completions", json=asked, headers=headers) as answer:
                ours = {h.lower() for h in answer.headers if h.lower().startswith("x-litellm-")}
                found[name] = (answer.status, ours, await answer.text())
        headers = {"Authorization": f"Bearer {key}"}
        async with session.get(f"{url}/v1/model/info", headers=headers) as answer:
            found["info"] = await answer.json()
    return found


@pytest.fixture(scope="module")
def both(stand) -> tuple[dict[str, Any], dict[str, Any]]:
    """The answers of the real proxy and of ours."""
    small = SmallLiteLLM(GROUP, {"birch": None, "busy-host": "busy", "dying-host": "error_in_stream"})

    async def run() -> tuple[dict[str, Any], dict[str, Any]]:
        async with small_litellm(small):
            return await _answers(stand.url, KEY), await _answers(small.url, SMALL_KEY)

    return asyncio.run(run())


def test_our_small_proxy_answers_with_the_status_and_headers_of_the_real_one(both):
    real, small = both
    for name in ("body", "stream", "dying", "busy", "unknown", "refused"):
        assert small[name][0] == real[name][0], name
    for name in ("body", "stream", "dying"):
        assert small[name][1] <= real[name][1], name
        assert "x-litellm-model-id" in small[name][1]


def test_our_small_proxys_errors_have_the_shape_of_the_real_ones(both):
    real, small = both
    for name in ("busy", "unknown", "refused"):
        theirs, ours = json.loads(real[name][2])["error"], json.loads(small[name][2])["error"]
        assert (ours["type"], ours["code"]) == (theirs["type"], theirs["code"]), name
        assert set(ours) <= set(theirs)
    assert '"error"' in real["dying"][2]
    assert "[DONE]" not in real["dying"][2]
    assert '"error"' in small["dying"][2]
    assert "[DONE]" not in small["dying"][2]


def test_our_small_proxys_events_have_the_shape_of_the_real_ones(both):
    real, small = (
        [json.loads(line[6:]) for line in found["stream"][2].splitlines() if line.startswith("data: {")]
        for found in both
    )
    assert set(small[0]) <= set(real[0]) | {"usage"}
    assert small[0]["model"] == real[0]["model"] == "birch"
    assert small[-1]["choices"] == real[-1]["choices"] == [{"index": 0, "delta": {}}]
    assert set(small[-1]["usage"]) <= set(real[-1]["usage"])


def test_our_small_proxys_model_info_has_nothing_that_the_real_one_lacks(both):
    real, small = both
    theirs, ours = real["info"]["data"][0], small["info"]["data"][0]
    assert set(ours) <= set(theirs)
    assert set(ours["model_info"]) <= set(theirs["model_info"])
