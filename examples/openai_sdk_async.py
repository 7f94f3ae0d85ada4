"""The openai SDK's asynchronous client, streamed; as `openai_sdk.py`."""

import asyncio
import os
from urllib.parse import urlsplit

from openai import AsyncOpenAI, DefaultAsyncHttpxClient

from serinus.traffic.client import Exclusions
from serinus.traffic.openai_hook import async_event_hooks

BASE_URL = os.environ.get("OPENROUTER_BASE_URL", "https://openrouter.ai/api/v1")
MODEL = os.environ.get("MODEL", "acme/roleplay-70b")


async def main() -> None:
    """Ask once, and show who served."""
    async with Exclusions() as exclusions:
        hooks = async_event_hooks(exclusions, host=urlsplit(BASE_URL).netloc)
        async with AsyncOpenAI(
            base_url=BASE_URL,
            api_key=os.environ["OPENROUTER_API_KEY"],
            http_client=DefaultAsyncHttpxClient(event_hooks=hooks),
        ) as client:
            stream = await client.chat.completions.create(
                model=MODEL, messages=[{"role": "user", "content": "Hello!"}], stream=True
            )
            served = {chunk.provider async for chunk in stream}
        print("left out:", *exclusions.ignore(MODEL))
        print("served by:", *served)


if __name__ == "__main__":
    asyncio.run(main())
