"""One's own servers: which of them live, what goes out to them, and what a wrong setting looks like."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serinus.core.model import Limits, Message, Offer, Probe, Route
from serinus.core.transcript import Phase
from serinus.gateways.openai_compatible import OpenAICompatible, Replica
from serinus.gateways.openai_compatible.replica import pulse_of
from serinus.prober.document import Document
from serinus.prober.prober import Prober
from serinus.prober.secret import Secret
from small_hosts import Host, small_hosts

MODEL = "story"
PROBE = Probe("roleplay.en.0", "roleplay", (Message("user", "Tell on."),), max_tokens=64)
GONE = "http://127.0.0.1:9/v1"


def replica(tag, url, serves="story-70b", **more):
    return Replica(Route(MODEL, tag), provider=tag, base_url=url, serves=serves, **more)


def with_hosts(hosts, use, *, extra=(), **more):
    """What `use(gateway, hosts)` finds; each host is a replica under its name."""

    async def run():
        async with small_hosts(hosts), Prober() as prober:
            found = [replica(tag, host.url, **more) for tag, host in hosts.items()]
            return await use(OpenAICompatible(prober, [*found, *extra]), hosts)

    return asyncio.run(run())


def discovered(hosts, *, extra=(), model=MODEL, **more):
    return with_hosts(hosts, lambda gateway, _: gateway.discover(model), extra=extra, **more)


def test_a_dead_server_is_not_live_and_the_others_are():
    found = discovered({"a": Host(), "b": Host("listing_500")}, extra=[replica("c", GONE)])
    assert [o.route.tag for o in found.offers] == ["a"]
    assert found.trouble is None
    assert [note.partition(":")[0] for note in found.notes] == ["b is not live", "c is not live"]


def test_no_server_alive_is_trouble_and_never_an_empty_model():
    found = discovered({"b": Host("listing_500")}, extra=[replica("c", GONE)])
    assert found.offers == ()
    assert found.trouble.startswith("no replica is live: b is not live: status 500")


def test_a_model_without_a_server_is_trouble():
    assert "no replica serves nobody" in discovered({"a": Host()}, model="nobody").trouble


def test_a_server_that_refuses_our_key_is_our_own_fault_and_says_where_to_mend_it():
    found = discovered({"a": Host(), "b": Host(key="sk-right")}, key=Secret("sk-wrong"))
    assert [o.route.tag for o in found.offers] == ["a"]
    assert found.notes == ("b refuses our key (401): set its api_key_env or api_key_file",)


def test_a_server_without_a_list_of_models_is_asked_for_its_health():
    found = discovered({"a": Host("no_models")})
    assert [o.route.tag for o in found.offers] == ["a"]
    assert found.notes == ("a does not list its models",)


@pytest.mark.parametrize(("serves", "noted"), [("Story-70B", False), ("chat-8b", True)])
def test_another_name_than_the_configured_one_is_a_note(serves, noted):
    found = discovered({"a": Host(serves=serves)})
    assert [o.route.tag for o in found.offers] == ["a"]
    assert bool(found.notes) == noted


def test_each_server_gets_its_own_key_name_and_extras_and_nothing_of_a_gateway():
    async def use(gateway, hosts):
        offer = (await gateway.discover(MODEL)).offers[0]
        return await gateway.ask(offer, PROBE, session="r/1", limits=Limits()), hosts["a"].asked

    host = Host(key="sk-of-a")
    extra = {"chat_template_kwargs": {"enable_thinking": False}, "stream": False}
    found, asked = with_hosts({"a": host}, use, key=Secret("sk-of-a"), extra_body=extra)
    assert asked == [
        {
            "model": "story-70b",
            "messages": [{"role": "user", "content": "Tell on."}],
            "stream": True,
            "stream_options": {"include_usage": True},
            "max_tokens": 64,
            "chat_template_kwargs": {"enable_thinking": False},
        }
    ]
    assert (found.direct, found.pin, found.status) == (True, "a", 200)
    assert "sk-of-a" not in str(found)


def test_a_route_that_the_configuration_no_longer_has_asks_nobody():
    async def use(gateway, _hosts):
        gone = Offer(Route(MODEL, "z"), "z", "z")
        return await gateway.ask(gone, PROBE, session="r/1", limits=Limits())

    found = with_hosts({"a": Host()}, use)
    assert (found.status, found.phase) == (None, Phase.CONNECT)
    assert "no [[replica]] table has the tag z" in found.error


@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=6),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["data", "id", "object"]), inner, max_size=3)
        ),
        max_leaves=8,
    )
)
def test_whatever_a_server_lists_with_200_it_lives(value):
    assert pulse_of(replica("a", GONE), Document(200, value)).dead is None
