"""The route ledger: which route served which request of real traffic, without a word of what was said."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Protocol

KEPT: Final = timedelta(days=14)


def conversation_digest(identifier: str) -> str:
    """What stands for a caller's own identifier of a conversation: it can be looked for, and not read."""
    return hashlib.sha256(f"serinus conversation\n{identifier}".encode("utf-8", "replace")).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Served:
    """One request that was forwarded, and how it went.

    `at` is when it came in, `tag` the route if the gateway named it, `provider` the display name that
    the answer carried, `generation` the gateway's id of it, `conversation` a digest of the caller's own
    identifier. Times are seconds after it was forwarded; `first_token` is when the first event came that
    carries text, reasoning or a tool call. `end` is `done`, `caller_left`, `reset`, `timeout` or
    `refused`; `finish` the normalised finish reason. `sent` and `received` count bytes.
    """

    at: datetime
    model: str
    end: str
    tag: str | None = None
    provider: str | None = None
    generation: str | None = None
    conversation: str | None = None
    status: int | None = None
    first_token: float | None = None
    total: float | None = None
    finish: str | None = None
    sent: int = 0
    received: int = 0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Traffic:
    """What a provider or route served of a model in a period.

    `first_token` holds the times of those that were timed, in seconds, rising; `tag` is None where the
    gateway named only the provider.
    """

    model: str
    provider: str | None
    tag: str | None
    requests: int
    errors: int
    cut: int
    first_token: Sequence[float] = ()


class Ledger(Protocol):
    """Where served requests are kept, for `KEPT`."""

    def keep(self, served: Sequence[Served]) -> None:
        """Write a batch in one transaction."""
        ...

    def between(
        self, model: str | None, since: datetime, until: datetime, *, limit: int = 10_000
    ) -> Sequence[Served]:
        """What came in at `since <= at < until`, oldest first; of all models with None."""
        ...

    def of_generation(self, generation: str) -> Served | None:
        """The request of a generation id."""
        ...

    def of_conversation(self, digest: str, *, limit: int = 1_000) -> Sequence[Served]:
        """The requests of a conversation, oldest first."""
        ...

    def traffic(self, model: str, since: datetime, until: datetime) -> Sequence[Traffic]:
        """What each provider and route served in a period."""
        ...

    def prune(self, before: datetime, *, limit: int = 10_000) -> int:
        """Delete what came in before an instant, at most `limit` rows at once; rows deleted."""
        ...
