"""The client that most applications use sees what the simulated gateway does, or raises."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from serinus.simulator.scenario import FaultUse
from simulated import MODEL, host, scenario
from standing_gateway import AT_ONCE, standing
from witnesses.chunks import body, finish, said

openai = pytest.importorskip("openai")
pytestmark = pytest.mark.witnesses

PIN = {"provider": {"only": ["amber/fp8"], "allow_fallbacks": False}}


@contextmanager
def client(*faults: FaultUse) -> Iterator[Any]:
    with (
        standing(scenario(host("amber/fp8", *faults, latency=AT_ONCE), host("birch"))) as url,
        openai.OpenAI(api_key="sk-x", base_url=url, max_retries=0) as sdk,
    ):
        yield sdk


def asked(kind: str = "roleplay", **changes: Any) -> dict[str, Any]:
    return {**body(kind), "extra_body": PIN, **changes}


def streamed(sdk: Any, **changes: Any) -> list[Any]:
    return list(sdk.chat.completions.create(**asked(**changes), stream=True))


def test_it_lists_the_models():
    with client() as sdk:
        assert [model.id for model in sdk.models.list()] == [MODEL.id]


def test_a_stream_says_what_the_whole_answer_says_and_who_served():
    with client() as sdk:
        whole = sdk.chat.completions.create(**asked(), user="u")
        chunks = streamed(sdk, user="u", stream_options={"include_usage": True})
    assert said(chunks)
    assert finish(chunks) == [whole.choices[0].finish_reason] == ["stop"]
    assert chunks[-1].usage.completion_tokens > 0
    assert {chunk.provider for chunk in chunks} == {whole.provider} == {"Amber"}


def test_it_gathers_a_tool_call_from_its_pieces():
    with client() as sdk:
        chunks = streamed(sdk, kind="tool_call")
        pieces = [t for c in chunks for choice in c.choices for t in choice.delta.tool_calls or ()]
    assert pieces[0].function.name == "open_gate"
    assert "".join(p.function.arguments for p in pieces).endswith("}")
    assert finish(chunks) == ["tool_calls"]


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("http_401", "AuthenticationError"),
        ("http_402", "APIStatusError"),
        ("http_403_moderation", "PermissionDeniedError"),
        ("http_400_policy", "BadRequestError"),
        ("http_404", "NotFoundError"),
        ("http_429", "RateLimitError"),
        ("http_502", "InternalServerError"),
        ("http_529", "InternalServerError"),
        ("html_page", "InternalServerError"),
    ],
)
@pytest.mark.parametrize("stream", [False, True])
def test_an_error_is_the_typed_error_of_its_status(fault, error, stream):
    with client(FaultUse(fault)) as sdk, pytest.raises(openai.APIStatusError) as caught:
        sdk.chat.completions.create(**asked(), stream=stream)
    assert type(caught.value).__name__ == error


def test_it_is_told_how_long_to_wait():
    use = FaultUse("http_429", parameters={"retry_after": 7})
    with client(use) as sdk, pytest.raises(openai.RateLimitError) as caught:
        streamed(sdk)
    assert caught.value.response.headers["retry-after"] == "7"


@pytest.mark.parametrize("shape", ["typed", "text_code", "no_choices", "raw"])
def test_every_shape_of_an_error_inside_a_stream_raises_after_the_text_before_it(shape):
    use = FaultUse("error_in_stream", parameters={"shape": shape})
    chunks = []
    with client(use) as sdk, pytest.raises(openai.APIError) as caught:
        chunks.extend(chunk for chunk in sdk.chat.completions.create(**asked(), stream=True))
    assert "provider" in str(caught.value).lower()


@pytest.mark.parametrize("fault", ["dropped_socket", "reset_mid_answer"])
def test_a_connection_that_breaks_raises(fault):
    with client(FaultUse(fault)) as sdk, pytest.raises(openai.APIConnectionError):
        streamed(sdk)


@pytest.mark.parametrize(
    ("fault", "reasons"),
    [
        ("silent_close", []),
        ("finish_never_set", []),
        ("fabricated_stop", ["stop"]),
        ("empty_answer", ["stop"]),
        ("content_filter_finish", ["content_filter"]),
        ("network_error_stop", ["stop"]),
    ],
)
def test_an_application_is_told_no_more_than_the_finish_reason(fault, reasons):
    with client(FaultUse(fault)) as sdk:
        assert finish(streamed(sdk)) == reasons
