"""Run by an interpreter that has LiteLLM: asks each address once whole and once streamed, prints JSON."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
import litellm

litellm.suppress_debug_info = True
MODEL = "openrouter/acme/story-70b"


def seen(base: str, *, stream: bool) -> dict[str, Any]:
    """What the library hands to an application, or how it fails."""
    said = ""
    try:
        answer = litellm.completion(
            model=MODEL,
            api_base=base,
            api_key="sk-x",
            messages=[{"role": "user", "content": "Hello there"}],
            stream=stream,
            max_retries=0,
            timeout=20,
        )
        if not stream:
            (choice,) = answer.choices
            usage = answer.usage
            said = choice.message.content or ""
            return {
                "text": said,
                "finish": choice.finish_reason,
                "provider": usage.provider
                if hasattr(usage, "provider")
                else getattr(answer, "provider", None),
                "cost": getattr(usage, "cost", None),
            }
        finish = None
        for chunk in answer:
            for choice in chunk.choices:
                said += choice.delta.content or ""
                finish = choice.finish_reason or finish
    except Exception as error:  # noqa: BLE001  whatever it raises is what is asked for
        return {"text": said, "error": type(error).__name__, "status": getattr(error, "status_code", None)}
    return {"text": said, "finish": finish}


print(json.dumps([[seen(base, stream=stream) for stream in (False, True)] for base in sys.argv[1:]]))  # noqa: T201  it is read
