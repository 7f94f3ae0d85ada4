"""The openai SDK, each request with the names that the canary excludes left out.

SERINUS_EXCLUSIONS=http://127.0.0.1:7717 OPENROUTER_API_KEY=... python examples/openai_sdk.py
"""

import os
from urllib.parse import urlsplit

from openai import DefaultHttpxClient, OpenAI

from serinus.traffic.client import Exclusions
from serinus.traffic.openai_hook import event_hooks

BASE_URL = os.environ.get("OPENROUTER_BASE_URL", "https://openrouter.ai/api/v1")
MODEL = os.environ.get("MODEL", "acme/roleplay-70b")


def main() -> None:
    """Ask once, and show who served."""
    exclusions = Exclusions()
    hooks = event_hooks(exclusions, host=urlsplit(BASE_URL).netloc)
    with OpenAI(
        base_url=BASE_URL,
        api_key=os.environ["OPENROUTER_API_KEY"],
        http_client=DefaultHttpxClient(event_hooks=hooks),
    ) as client:
        answer = client.chat.completions.create(model=MODEL, messages=[{"role": "user", "content": "Hello!"}])
    print("left out:", *exclusions.ignore(MODEL))
    print("served by:", answer.provider)
    exclusions.close()


if __name__ == "__main__":
    main()
