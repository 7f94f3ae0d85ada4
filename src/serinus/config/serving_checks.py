"""Rules between the settings of `[serve]`."""

from __future__ import annotations

from collections.abc import Iterator

from serinus.config.clash import Clash
from serinus.config.settings import Settings


def serving_clashes(settings: Settings) -> Iterator[Clash]:
    """What of `[serve]` cannot hold together."""
    serve = settings.serve
    if serve.user_header is not None and not serve.proxies:
        yield Clash(
            "serve.user_header",
            f'"{serve.user_header}"',
            "one only where serve.proxies says whose word is taken",
            "name the proxy there, or take it out",
            ("serve.proxies",),
        )
