"""A dead man's switch: a URL called after each round, so that someone else notices our silence."""

from __future__ import annotations

from dataclasses import dataclass, field

import aiohttp

from serinus.prober.errors import without_address


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Calls a URL of a watching service (healthchecks.io and alike); failing never stops a round."""

    url: str = field(repr=False)  # who has it could silence the switch
    patience: float = 10.0  # seconds

    async def beat(self) -> str | None:
        """Call the URL; None, or one sentence about what went wrong."""
        timeout = aiohttp.ClientTimeout(total=self.patience)
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout) as session,
                session.get(self.url, allow_redirects=False) as response,
            ):
                status = response.status
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
            return f"the heartbeat URL could not be called: {without_address(error)}"
        return None if status < 400 else f"the heartbeat URL answered {status}"  # noqa: PLR2004  HTTP errors
