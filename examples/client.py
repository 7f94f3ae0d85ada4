"""A request by the standard library alone, with the names that the canary excludes left out.

    SERINUS_EXCLUSIONS=http://127.0.0.1:7717 OPENROUTER_API_KEY=... python examples/client.py

SERINUS_EXCLUSIONS may also name a file that `serinus export` writes, or the canary's own store.
"""

import json
import os
import urllib.request

from serinus.traffic.client import Exclusions

BASE_URL = os.environ.get("OPENROUTER_BASE_URL", "https://openrouter.ai/api/v1")
MODEL = os.environ.get("MODEL", "acme/roleplay-70b")


def main() -> None:
    """Ask once, and show who served."""
    with Exclusions() as exclusions:
        body = {"model": MODEL, "messages": [{"role": "user", "content": "Hello!"}]}
        request = urllib.request.Request(
            f"{BASE_URL}/chat/completions",
            json.dumps(exclusions.apply(body)).encode(),
            {
                "Authorization": f"Bearer {os.environ['OPENROUTER_API_KEY']}",
                "Content-Type": "application/json",
            },
        )
        with urllib.request.urlopen(request, timeout=60) as response:
            answer = json.load(response)
        print("left out:", *exclusions.ignore(MODEL))
        print("served by:", answer["provider"])


if __name__ == "__main__":
    main()
