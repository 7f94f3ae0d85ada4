"""The openai SDK with our hook: what reaches the simulated gateway, and that nothing else changes."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from serinus.traffic.client import Exclusions
from serinus.traffic.openai_hook import async_event_hooks, event_hooks, extra_body
from simulated import MODEL, host, scenario
from standing_gateway import AT_ONCE, standing
from traffic.client.lists import MODEL as NAME
from traffic.client.lists import Time, excluded, suspended, written

openai = pytest.importorskip("openai")
pytestmark = pytest.mark.witnesses

EXAMPLES = Path(__file__).parents[2] / "examples"
QUESTION = [{"role": "user", "content": "Tell me of the lamp room."}]
TAGS = ("amber/fp8", "birch", "cedar")


@pytest.fixture(scope="module")
def gateway() -> Iterator[str]:
    with standing(scenario(*(host(tag, latency=AT_ONCE) for tag in TAGS))) as url:
        yield url


@pytest.fixture
def exclusions(tmp_path: Path) -> Iterator[Exclusions]:
    """Birch and amber/fp8 are out, so that cedar alone can serve."""
    path = tmp_path / "lists.json"
    path.write_bytes(written(suspended("birch"), excluded("amber/fp8")))
    with Exclusions(path, cache=False, clocks=Time().clocks) as found:
        yield found


def netloc(url: str) -> str:
    return url.split("/")[2]


def hooked(gateway: str, exclusions: Exclusions, sent: list[Any] | None = None) -> Any:
    hooks: Any = event_hooks(exclusions, netloc(gateway))
    if sent is not None:
        hooks["request"].append(sent.append)
    http = openai.DefaultHttpxClient(event_hooks=hooks)
    return openai.OpenAI(api_key="sk-x", base_url=gateway, http_client=http, max_retries=0)


def test_requests_are_served_by_what_is_left(gateway: str, exclusions: Exclusions) -> None:
    with hooked(gateway, exclusions) as sdk:
        for n in range(8):
            question = [{"role": "user", "content": f"Tell me of lamp {n}."}]
            assert sdk.chat.completions.create(model=NAME, messages=question).provider == "Cedar"


def test_a_stream_is_served_by_what_is_left(gateway: str, exclusions: Exclusions) -> None:
    with hooked(gateway, exclusions) as sdk:
        chunks = list(sdk.chat.completions.create(model=NAME, messages=QUESTION, stream=True))
    assert {chunk.provider for chunk in chunks} == {"Cedar"}
    assert "".join(c.choices[0].delta.content or "" for c in chunks if c.choices)


def test_the_asynchronous_client_does_the_same(gateway: str, exclusions: Exclusions) -> None:
    async def main() -> str:
        hooks = async_event_hooks(exclusions, netloc(gateway))
        http = openai.DefaultAsyncHttpxClient(event_hooks=hooks)
        async with openai.AsyncOpenAI(api_key="sk-x", base_url=gateway, http_client=http) as sdk:
            answer = await sdk.chat.completions.create(model=NAME, messages=QUESTION)
            return str(answer.provider)

    assert asyncio.run(main()) == "Cedar"


def test_what_the_caller_asks_of_providers_is_kept(gateway: str, exclusions: Exclusions) -> None:
    sent: list[Any] = []
    own = {"provider": {"ignore": ["dahlia"], "sort": "price"}}
    with hooked(gateway, exclusions, sent) as sdk:
        answer = sdk.chat.completions.create(model=NAME, messages=QUESTION, extra_body=own)
    assert answer.provider == "Cedar"
    body = json.loads(sent[0].content)
    assert body["provider"] == {"ignore": ["dahlia", "amber/fp8", "birch"], "sort": "price"}
    assert sent[0].headers["content-length"] == str(len(sent[0].content))


def test_everything_but_the_new_field_stays_byte_for_byte(gateway: str, exclusions: Exclusions) -> None:
    question = [{"role": "user", "content": "Olá, 世界 \U0001f426 \\u0000 1e400"}]
    plain: list[Any] = []
    edited: list[Any] = []
    with openai.OpenAI(
        api_key="sk-x",
        base_url=gateway,
        http_client=openai.DefaultHttpxClient(event_hooks={"request": [plain.append]}),
    ) as sdk:
        sdk.chat.completions.create(model=NAME, messages=question, temperature=0.1)
    with hooked(gateway, exclusions, edited) as sdk:
        sdk.chat.completions.create(model=NAME, messages=question, temperature=0.1)
    field = b'"provider":{"ignore":["amber/fp8","birch"]},'
    assert edited[0].content == b"{" + field + plain[0].content[1:]
    assert edited[0].headers["authorization"] == plain[0].headers["authorization"]
    assert edited[0].headers["host"] == plain[0].headers["host"]


def test_requests_to_other_servers_are_left_as_they_are(gateway: str, exclusions: Exclusions) -> None:
    sent: list[Any] = []
    hooks: Any = {"request": [*event_hooks(exclusions)["request"], sent.append]}  # for openrouter.ai alone
    http = openai.DefaultHttpxClient(event_hooks=hooks)
    with openai.OpenAI(api_key="sk-x", base_url=gateway, http_client=http) as sdk:
        sdk.chat.completions.create(model=NAME, messages=QUESTION)
        sdk.models.list()
    assert "provider" not in json.loads(sent[0].content)


def test_one_call_can_carry_the_names_by_hand(gateway: str, exclusions: Exclusions) -> None:
    with openai.OpenAI(api_key="sk-x", base_url=gateway) as sdk:
        answer = sdk.chat.completions.create(
            model=NAME, messages=QUESTION, extra_body=extra_body(exclusions, NAME)
        )
    assert answer.provider == "Cedar"
    own = {"seed": 1}
    assert extra_body(exclusions, "acme/tale-8b", own) is own
    assert extra_body(exclusions, "acme/tale-8b") is None


@pytest.mark.parametrize("name", ["openai_sdk.py", "openai_sdk_async.py", "client.py"])
def test_the_examples_run(name: str, gateway: str, tmp_path: Path) -> None:
    path = tmp_path / "lists.json"
    path.write_bytes(written(excluded("birch"), excluded("amber/fp8")))
    environ = {
        "SERINUS_EXCLUSIONS": str(path),
        "OPENROUTER_BASE_URL": gateway,
        "OPENROUTER_API_KEY": "sk-x",
        "MODEL": MODEL.id,
        "XDG_CACHE_HOME": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, EXAMPLES / name],
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "left out: amber/fp8 birch\nserved by: Cedar\n"
