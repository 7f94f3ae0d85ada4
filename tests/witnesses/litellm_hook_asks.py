"""Run by an interpreter that has LiteLLM: asks as a library and as a router, prints who served as JSON."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
import litellm

from serinus.traffic.litellm_hook import hook

MODEL = "openrouter/acme/story-70b"
TAGS = {"host-a": "amber/fp8", "host-b": "birch", "host-c": "cedar"}


def deployment(base: str, identity: str, tag: str) -> dict[str, Any]:
    pin = {"provider": {"only": [tag], "allow_fallbacks": False}}
    params = {"model": MODEL, "api_base": base, "api_key": "sk-x", "extra_body": pin}
    return {"model_name": "story", "litellm_params": params, "model_info": {"id": identity}}


def question(n: int) -> list[dict[str, str]]:
    return [{"role": "user", "content": f"Tell me of lamp {n}."}]


def deployed(answer: Any) -> str:
    """The deployment that served; the proxy tells it in a header."""
    return str(answer._hidden_params["model_id"])  # noqa: SLF001  the library has no other name for it


async def as_library(base: str, **asked: Any) -> list[str]:
    """Who served, each once."""
    seen = set()
    for n in range(8):
        answer = await litellm.acompletion(
            model=MODEL, messages=question(n), api_base=base, api_key="sk-x", **asked
        )
        seen.add(answer.provider)
    return sorted(seen)


async def streamed(base: str) -> list[str]:
    answer = await litellm.acompletion(
        model=MODEL, messages=question(9), api_base=base, api_key="sk-x", stream=True
    )
    return sorted({chunk.provider async for chunk in answer if hasattr(chunk, "provider")})


async def main(base: str) -> None:
    litellm.callbacks = [hook]
    router = litellm.Router(model_list=[deployment(base, *host) for host in TAGS.items()])
    routed = [await router.acompletion(model="story", messages=question(n)) for n in range(12)]
    pinned = await router.acompletion(model="host-b", messages=question(0))
    found = {
        "library": await as_library(base),
        "own": await as_library(base, provider={"ignore": ["cedar"]}),
        "extra": await as_library(base, extra_body={"provider": {"ignore": ["cedar"]}}),
        "streamed": await streamed(base),
        "routed": sorted({deployed(answer) for answer in routed}),
        "pinned": [deployed(pinned), pinned.provider],
    }
    sys.stdout.write(json.dumps(found))


asyncio.run(main(sys.argv[1]))
