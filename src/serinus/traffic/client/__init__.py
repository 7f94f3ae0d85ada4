"""The ignore lists of a canary inside an application: `Exclusions(source).ignore("model")` (R33).

    from serinus.traffic.client import Exclusions

    exclusions = Exclusions("http://canary:7717")
    body = exclusions.apply({"model": "acme/story-70b", "messages": [...]})

Only the standard library and `serinus.core`. What a lookup costs and what happens while the canary is
away is written in `docs/howto/client.md`.
"""

from __future__ import annotations

from serinus.traffic.client.exclusions import Exclusions

__all__ = ["Exclusions"]
