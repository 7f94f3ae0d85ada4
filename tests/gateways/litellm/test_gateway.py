"""What goes out to a LiteLLM proxy, and what is said of its key."""

from __future__ import annotations

import asyncio

import pytest

from serinus.core.model import Limits, Message, Probe
from serinus.gateways.litellm import PROOF, LiteLLM
from serinus.prober.prober import Prober
from serinus.prober.secret import Secret
from small_gateway import json_reply, small_gateway, text_reply
from small_litellm import KEY, SmallLiteLLM, small_litellm

PROBE = Probe("roleplay.en.0", "roleplay", (Message("user", "Tell on."),), max_tokens=64, stop=("\n\n",))


def with_proxy(use, *, key=KEY, suffix="", **scripted):
    async def run():
        proxy = SmallLiteLLM("story", {"rack-1": None, "rack-2": None}, **scripted)
        async with small_litellm(proxy), Prober() as prober:
            return await use(LiteLLM(prober, Secret(key), base_url=proxy.url + suffix, user="canary"), proxy)

    return asyncio.run(run())


async def asked_once(gateway, proxy):
    offer = (await gateway.discover("story")).offers[1]
    found = await gateway.ask(offer, PROBE, session="r/1", limits=Limits())
    return found, proxy.asked


@pytest.mark.parametrize("suffix", ["", "/v1", "/v1/"])
def test_a_deployment_is_asked_by_its_id_once_and_not_from_a_cache(suffix):
    found, asked = with_proxy(asked_once, suffix=suffix)
    assert asked == [
        {
            "model": "rack-2",
            "messages": [{"role": "user", "content": "Tell on."}],
            "stream": True,
            "stream_options": {"include_usage": True},
            "max_tokens": 64,
            "stop": ["\n\n"],
            "num_retries": 0,
            "disable_fallbacks": True,
            "cache": {"no-cache": True, "no-store": True},
            "user": "canary",
        }
    ]
    assert (found.pin, found.proof, found.headers[PROOF]) == ("rack-2", PROOF, "rack-2")


def test_the_key_is_sent_and_never_kept():
    found, _ = with_proxy(asked_once)
    assert KEY not in str(found)


def test_a_key_that_the_proxy_takes_has_no_limit_of_its_own():
    async def use(gateway, _proxy):
        return await gateway.key_state(), await gateway.balance()

    state, balance = with_proxy(use)
    assert (state.known, state.trouble, state.limit_remaining, balance) == (True, None, None, None)
    assert state.date is not None


def test_a_key_that_the_proxy_does_not_know_is_our_own_trouble_and_no_empty_listing():
    async def use(gateway, _proxy):
        return await gateway.key_state(), await gateway.discover("story")

    state, listing = with_proxy(use, key="sk-nobody")
    assert "does not accept this key" in state.trouble
    assert "No connected db" in listing.trouble


@pytest.mark.parametrize(
    ("reply", "known"),
    [
        (json_reply({"error": {"message": "Authentication Error", "code": "401"}}, 401), True),
        (json_reply({"error": {"message": "not allowed", "code": "403"}}, 403), True),
        (text_reply("Internal Server Error", 500, "text/plain"), False),
    ],
)
def test_only_a_refusal_speaks_of_the_key(reply, known):
    async def run():
        async with small_gateway({"/model/info": reply}) as server, Prober() as prober:
            return await LiteLLM(prober, None, base_url=server.url).key_state()

    state = asyncio.run(run())
    assert (state.known, state.trouble is not None) == (known, known)
