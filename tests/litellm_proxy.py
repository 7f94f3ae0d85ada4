"""The real LiteLLM proxy in a process of its own, and streamed requests as applications send them."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

ROOT = Path(__file__).parents[1]
PROGRAM = ROOT / ".venv-litellm" / "bin" / "litellm"
KEY = "sk-proxy-for-tests"
HOOK = "serinus.traffic.litellm_hook.hook"
PATIENCE = 120.0  # seconds until it answers; it takes 5 to 11 on an idle machine


def installed() -> bool:
    """Whether there is a LiteLLM to run."""
    return PROGRAM.exists()


def configuration(deployments: Sequence[Mapping[str, Any]], *, hook: bool) -> str:
    """Its configuration, as JSON, which YAML is; retries, fallbacks and cache are on, as in production."""
    groups = sorted({d["model_name"] for d in deployments})
    settings: dict[str, Any] = {"cache": True, "cache_params": {"type": "local"}}
    if hook:
        settings["callbacks"] = [HOOK]
    tables = {
        "model_list": list(deployments),
        "router_settings": {"num_retries": 2, "fallbacks": [{group: [group]} for group in groups]},
        "litellm_settings": settings,
        "general_settings": {"master_key": KEY},
    }
    return json.dumps(tables)


def deployment(group: str, identity: str, base_url: str, **info: Any) -> dict[str, Any]:
    """One entry of its model list."""
    return {
        "model_name": group,
        "litellm_params": {"model": "openai/smollm2-135m-instruct", "api_base": base_url, "api_key": "none"},
        "model_info": {"id": identity, **info},
    }


@contextmanager
def proxy(folder: Path, deployments: Sequence[Mapping[str, Any]], exclusions: Path | None) -> Iterator[str]:
    """The proxy before these deployments; yields its address. `exclusions` is the file its hook reads."""
    config = folder / "litellm.yaml"
    config.write_text(configuration(deployments, hook=exclusions is not None), encoding="utf-8")
    port = _free_port()
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT / "src"),
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "DO_NOT_TRACK": "1",
        "XDG_CACHE_HOME": str(folder / "cache"),
        "SERINUS_EXCLUSIONS": str(exclusions or ""),
        "SERINUS_FLOOR": "2",
    }
    log = (folder / "litellm.log").open("w")
    command = [
        PROGRAM,
        "--config",
        config,
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--telemetry",
        "False",
    ]
    process = subprocess.Popen(command, env=environment, stdout=log, stderr=log, cwd=folder)
    try:
        _wait(process, port, folder)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        log.close()


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _wait(process: subprocess.Popen[bytes], port: int, folder: Path) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        try:
            with socket.create_connection(("127.0.0.1", port), 1):
                return
        except OSError:
            time.sleep(0.2)
    said = (folder / "litellm.log").read_text(errors="replace")[-2000:]
    message = f"LiteLLM does not answer on port {port}: {said}"
    raise RuntimeError(message)


@dataclass
class Traffic:
    """Streamed answers by the deployment that gave them, and how many of each were bad."""

    served: Counter[str] = field(default_factory=Counter)
    bad: Counter[str] = field(default_factory=Counter)

    def line(self, title: str, tags: Sequence[str]) -> str:
        counts = "  ".join(f"{tag} {self.served[tag]:2} ({self.bad[tag]} bad)" for tag in tags)
        return f"{title:34} {self.served.total():3} requests: {counts}"


async def traffic(url: str, models: Sequence[str], bad: Sequence[str], tokens: int = 16) -> Traffic:
    """Ask once for each name in `models`, a few at a time; an answer that begins like one of `bad` is bad."""
    found = Traffic()
    few = asyncio.Semaphore(3)
    headers = {"Authorization": f"Bearer {KEY}"}

    async def ask(session: aiohttp.ClientSession, number: int, model: str) -> None:
        said = f"Tell me of harbour number {number}, captain. It is {time.time_ns()}."
        body = {
            "model": model,
            "messages": [
                {"role": "system", "content": "Stay in character."},
                {"role": "user", "content": said},
            ],
            "max_tokens": tokens,
            "stream": True,
        }
        async with few, session.post(f"{url}/v1/chat/completions", json=body, headers=headers) as response:
            text = _text(await response.text())
            tag = response.headers.get("x-litellm-model-id", f"status {response.status}")
        found.served[tag] += 1
        found.bad[tag] += any(text.startswith(start) for start in bad)

    timeout = aiohttp.ClientTimeout(total=120)
    async with aiohttp.ClientSession(timeout=timeout) as session, asyncio.TaskGroup() as group:
        for number, model in enumerate(models):
            group.create_task(ask(session, number, model))
    return found


def _text(stream: str) -> str:
    events = [line.removeprefix("data: ") for line in stream.splitlines() if line.startswith("data: {")]
    deltas = (choice.get("delta", {}) for event in events for choice in json.loads(event).get("choices", ()))
    return "".join(delta.get("content") or "" for delta in deltas)
