"""LiteLLM as a library, each request with the names that the canary excludes left out.

    SERINUS_EXCLUSIONS=http://127.0.0.1:7717 OPENROUTER_API_KEY=... python examples/litellm_library.py

A proxy takes the same callback from its configuration: docs/howto/litellm.md.
"""

import asyncio
import os

import litellm

from serinus.traffic.litellm_hook import hook

BASE_URL = os.environ.get("OPENROUTER_BASE_URL", "https://openrouter.ai/api/v1")
MODEL = os.environ.get("MODEL", "acme/roleplay-70b")


async def main() -> None:
    """Ask once, and show who served."""
    litellm.callbacks = [hook]
    answer = await litellm.acompletion(
        model=f"openrouter/{MODEL}",
        api_base=BASE_URL,
        api_key=os.environ["OPENROUTER_API_KEY"],
        messages=[{"role": "user", "content": "Hello!"}],
    )
    print("left out:", *hook.exclusions.ignore(MODEL))
    print("served by:", answer.provider)


if __name__ == "__main__":
    asyncio.run(main())
