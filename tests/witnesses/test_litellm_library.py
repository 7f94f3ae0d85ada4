"""LiteLLM as a library sees what the simulated gateway does, whole and streamed."""

from __future__ import annotations

import json
import subprocess
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from serinus.simulator.scenario import FaultUse
from simulated import host, scenario
from standing_gateway import AT_ONCE, standing

INTERPRETER = Path(__file__).parents[2] / ".venv-litellm" / "bin" / "python"
pytestmark = [
    pytest.mark.litellm,
    pytest.mark.skipif(
        not INTERPRETER.exists(), reason="LiteLLM is not installed: make .venv-litellm/.locked"
    ),
]

CASES = (
    "healthy",
    *("http_429", "http_502", "http_401", "http_402", "http_403_moderation", "http_400_policy"),
    *("error_in_stream", "reset_mid_answer", "silent_close", "content_filter_finish", "empty_answer"),
)


@pytest.fixture(scope="module")
def seen() -> dict[str, list[dict[str, Any]]]:
    """What it saw of each case; its import alone takes seconds, so all are asked by one process."""
    with ExitStack() as stack:
        urls = []
        for case in CASES:
            faults = () if case == "healthy" else (FaultUse(case),)
            urls.append(stack.enter_context(standing(scenario(host("amber/fp8", *faults, latency=AT_ONCE)))))
        script = Path(__file__).with_name("litellm_asks.py")
        done = subprocess.run(
            [INTERPRETER, script, *urls], check=True, capture_output=True, timeout=120, text=True
        )
    return dict(zip(CASES, json.loads(done.stdout.splitlines()[-1]), strict=True))


def test_whole_and_streamed_are_one_answer(seen):
    whole, streamed = seen["healthy"]
    assert (whole["provider"], whole["finish"], streamed["finish"]) == ("Amber", "stop", "stop")
    assert whole["cost"] > 0
    assert whole["text"].strip()
    assert streamed["text"].strip()


@pytest.mark.parametrize(
    ("fault", "error", "status"),
    [
        ("http_429", "RateLimitError", 429),
        ("http_502", "APIError", 502),
        ("http_401", "AuthenticationError", 401),
        ("http_402", "APIError", 402),
        ("http_403_moderation", "APIError", 403),
        ("http_400_policy", "BadRequestError", 400),
    ],
)
def test_an_error_has_the_status_that_was_injected(seen, fault, error, status):
    assert [(s["error"], s["status"], s["text"]) for s in seen[fault]] == [(error, status, "")] * 2


@pytest.mark.parametrize("fault", ["error_in_stream", "reset_mid_answer"])
def test_a_stream_that_breaks_raises_after_its_text(seen, fault):
    whole, streamed = seen[fault]
    assert whole["finish"] == "stop"
    assert streamed["error"]
    assert streamed["text"].strip()


def test_a_filter_is_told_and_an_empty_answer_is_not(seen):
    assert [s["finish"] for s in seen["content_filter_finish"]] == ["content_filter"] * 2
    assert [(s["finish"], s["text"]) for s in seen["empty_answer"]] == [("stop", "")] * 2


def test_a_stream_that_ends_without_a_reason_is_a_normal_stop_to_it(seen):
    """An application behind this library is never told; a probe is."""
    _, streamed = seen["silent_close"]
    assert streamed["finish"] == "stop"
