"""The gateway's own client, which insists on every field, takes the simulated gateway for the real one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from serinus.simulator.scenario import FaultUse
from simulated import MODEL, host, scenario
from standing_gateway import AT_ONCE, standing
from witnesses.chunks import body, finish, said

openrouter = pytest.importorskip("openrouter")
pytestmark = pytest.mark.witnesses


@contextmanager
def client(*faults: FaultUse, delay: float = 0.0, **account: Any) -> Iterator[Any]:
    hosts = (host("amber/fp8", *faults, latency=AT_ONCE), host("amber/turbo", latency=AT_ONCE), host("birch"))
    world = replace(scenario(*hosts, **account), generation_delay=delay)
    with standing(world) as url, openrouter.OpenRouter(api_key="sk-x", server_url=url) as sdk:
        yield sdk


def asked(kind: str = "roleplay", **changes: Any) -> dict[str, Any]:
    pin = {"only": ["amber/fp8"], "allow_fallbacks": False}
    # Left to itself it repeats 5xx for an hour.
    return {**body(kind), "provider": pin, "x_open_router_metadata": "enabled", "retries": None, **changes}


def streamed(sdk: Any, **changes: Any) -> list[Any]:
    with sdk.chat.send(**asked(**changes), stream=True) as events:
        return list(events)


def test_it_reads_the_listings():
    with client() as sdk:
        listed = sdk.models.list().result
        assert ([m.id for m in listed.data], listed.total_count) == ([MODEL.id], 1)
        assert sdk.models.get(author="acme", slug="story-70b").data.canonical_slug == MODEL.id
        assert sdk.models.count().data.count == 1
        found = sdk.endpoints.list(author="acme", slug="story-70b").data.endpoints
        assert [e.tag for e in found] == ["amber/fp8", "amber/turbo", "birch"]
        assert [e.provider_name for e in found] == ["Amber", "Amber", "Birch"]
        assert {e.status for e in found} == {0}
        assert [e.tag for e in sdk.endpoints.list_zdr_endpoints().data] == [e.tag for e in found]
        assert [(p.name, p.slug) for p in sdk.providers.list().data] == [
            ("Amber", "amber"),
            ("Birch", "birch"),
        ]


@pytest.mark.filterwarnings("ignore:.*DEPRECATED:DeprecationWarning")  # of the key's rate_limit
def test_it_reads_key_and_credit_and_they_shrink_by_what_an_answer_cost():
    with client(credits=12.5) as sdk:
        assert sdk.credits.get_credits().data.total_credits == 12.5
        cost = sdk.chat.send(**asked()).usage.cost
        assert cost > 0
        assert sdk.credits.get_credits().data.total_usage == cost
        assert sdk.api_keys.get_current_key_metadata().data.limit_remaining == pytest.approx(12.5 - cost)


def test_a_stream_says_what_the_whole_answer_says_with_usage_and_routing_at_its_end():
    with client() as sdk:
        whole = sdk.chat.send(**asked(), session_id="s")
        chunks = streamed(sdk, session_id="s")
    assert said(chunks) == whole.choices[0].message.content
    assert finish(chunks) == [whole.choices[0].finish_reason] == ["stop"]
    assert chunks[-1].usage == whole.usage
    for metadata in (chunks[-1].openrouter_metadata, whole.openrouter_metadata):
        assert (metadata.attempt, [a.provider for a in metadata.attempts]) == (1, ["Amber"])


def test_tool_calls_and_objects_come_whole():
    with client() as sdk:
        whole = sdk.chat.send(**asked("tool_call"), session_id="s")
        chunks = streamed(sdk, kind="tool_call", session_id="s")
        written = sdk.chat.send(**asked("structured"))
    (call,) = whole.choices[0].message.tool_calls
    deltas = [t for c in chunks for choice in c.choices for t in choice.delta.tool_calls or ()]
    assert "".join(t.function.arguments or "" for t in deltas) == call.function.arguments
    assert [t.function.name for t in deltas if t.function.name] == [call.function.name] == ["open_gate"]
    assert written.choices[0].message.content.startswith('{"')


@pytest.mark.parametrize(
    ("fault", "error", "status"),
    [
        ("http_401", "UnauthorizedResponseError", 401),
        ("http_402", "PaymentRequiredResponseError", 402),
        ("http_403_moderation", "ForbiddenResponseError", 403),
        ("http_403_guardrail", "ForbiddenResponseError", 403),
        ("http_400_policy", "BadRequestResponseError", 400),
        ("http_404", "NotFoundResponseError", 404),
        ("http_429", "TooManyRequestsResponseError", 429),
        ("http_429_own", "TooManyRequestsResponseError", 429),
        ("http_500", "InternalServerResponseError", 500),
        ("http_502", "BadGatewayResponseError", 502),
        ("http_503", "ServiceUnavailableResponseError", 503),
        ("http_524", "EdgeNetworkTimeoutResponseError", 524),
        ("http_529", "ProviderOverloadedResponseError", 529),
        ("html_page", "OpenRouterDefaultError", 502),
    ],
)
@pytest.mark.parametrize("stream", [False, True])
def test_an_error_is_the_typed_error_of_its_status(fault, error, status, stream):
    with client(FaultUse(fault)) as sdk, pytest.raises(openrouter.errors.OpenRouterError) as caught:
        sdk.chat.send(**asked(), stream=stream)
    assert (type(caught.value).__name__, caught.value.status_code) == (error, status)


def test_moderation_says_its_reasons_and_who_flagged():
    with (
        client(FaultUse("http_403_moderation")) as sdk,
        pytest.raises(openrouter.errors.OpenRouterError) as caught,
    ):
        sdk.chat.send(**asked())
    metadata = caught.value.data.error.metadata
    assert (metadata["reasons"], metadata["provider_name"]) == (["violence"], "Amber")


def test_a_pin_that_names_nobody_and_a_model_that_is_none_are_told():
    with client() as sdk:
        with pytest.raises(openrouter.errors.NotFoundResponseError, match="No allowed providers"):
            sdk.chat.send(**asked(provider={"only": ["nobody"]}))
        with pytest.raises(openrouter.errors.BadRequestResponseError, match="not a valid model"):
            sdk.chat.send(**asked(model="acme/none"))


def test_an_error_inside_a_stream_is_a_chunk_with_its_type_after_the_text():
    with client(FaultUse("error_in_stream")) as sdk:
        chunks = streamed(sdk)
    last = chunks[-1]
    assert said(chunks[:-1]).strip()
    assert (last.error.code, last.error.metadata.error_type) == (502, "provider_unavailable")
    assert finish(chunks) == ["error"]


@pytest.mark.parametrize("shape", ["text_code", "raw"])
def test_the_older_shapes_of_such_an_error_are_more_than_it_can_read(shape):
    use = FaultUse("error_in_stream", parameters={"shape": shape})
    with client(use) as sdk, pytest.raises(openrouter.errors.ResponseValidationError):
        streamed(sdk)


@pytest.mark.parametrize(
    ("fault", "text", "reasons"),
    [
        ("empty_answer", "", ["stop"]),
        ("content_filter_finish", "", ["content_filter"]),
        ("native_sensitive", "", ["stop"]),
        ("billed_but_empty", "", ["stop"]),
        ("finish_never_set", None, []),
        ("silent_close", None, []),
        ("cap_too_low", None, ["length"]),
        ("end_mark_missing", None, ["stop"]),
    ],
)
def test_what_is_injected_is_what_it_sees(fault, text, reasons):
    with client(FaultUse(fault)) as sdk:
        chunks = streamed(sdk)
    assert finish(chunks) == reasons
    assert said(chunks) == text if text is not None else said(chunks).strip()


@pytest.mark.parametrize("fault", ["odd_lines", "one_byte_chunks", "split_last_chunk", "usage_everywhere"])
def test_legal_oddities_change_nothing_for_it(fault):
    with client() as sdk:
        plain = streamed(sdk, session_id="s")
    with client(FaultUse(fault)) as sdk:
        odd = streamed(sdk, session_id="s")
    assert (said(odd), finish(odd)) == (said(plain), finish(plain))


def test_a_record_is_not_there_at_once():
    with client(delay=60.0) as sdk:
        answer = sdk.chat.send(**asked())
        with pytest.raises(openrouter.errors.NotFoundResponseError):
            sdk.generations.get_generation(id=answer.id, retries=None)


@pytest.mark.parametrize(
    ("faults", "named", "attempts"),
    [
        ((), "Amber", ["amber/fp8"]),
        ((FaultUse("wrong_provider"),), "Birch", ["birch"]),
        ((FaultUse("sibling_answers"),), "Amber", ["amber/turbo"]),
        ((FaultUse("fallback_attempt"),), "Birch", ["amber/fp8", "birch"]),
    ],
)
def test_the_record_tells_the_endpoints_that_served(faults, named, attempts):
    with client(*faults) as sdk:
        answer = sdk.chat.send(**asked())
        record = sdk.generations.get_generation(id=answer.id).data
    assert record.provider_name == named
    assert [a.endpoint_id for a in record.provider_responses] == [host(tag).endpoint_id for tag in attempts]
    assert record.total_cost == answer.usage.cost


def test_names_that_mean_nobody_are_ignored_without_a_word():
    ignored = {"ignore": ["Amber", "AMBER", "no-such-host"]}
    with client() as sdk:
        only = sdk.chat.send(**asked(provider={**ignored, "only": ["amber"]}))
        assert only.openrouter_metadata.attempts[0].provider == "Amber"
        other = sdk.chat.send(**asked(provider={"ignore": ["amber"]}))
        assert other.openrouter_metadata.attempts[0].provider == "Birch"
