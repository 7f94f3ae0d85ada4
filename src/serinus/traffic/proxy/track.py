"""What is noted of one request for the ledger: numbers and names, never a word of what was said."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from serinus.core.published import plain
from serinus.service.ledger import Served, conversation_digest
from serinus.traffic.proxy.asked import Asked
from serinus.traffic.proxy.reading import Reading

UNNAMED: Final = "unknown"  # the model of a request that names none, answered by nobody


class Track:
    """One request's notes; times are on the loop's clock, seconds."""

    __slots__ = ("_asked", "_at", "_began", "_sent", "generation", "reading", "status")

    def __init__(self, asked: Asked, at: datetime, began: float, sent: int) -> None:
        self._asked = asked
        self._at = at
        self._began = began
        self._sent = sent
        self.status: int | None = None
        self.generation: str | None = None
        self.reading: Reading | None = None

    def served(self, end: str, now: float) -> Served:
        """The row: how it went, now that it is over."""
        reading = self.reading or Reading(stream=False, plain=False)
        reading.end()
        said = self._asked.conversation
        return Served(
            at=self._at,
            model=_model(self._asked.models, reading.model),
            end=end,
            provider=reading.provider,
            generation=self.generation or reading.generation,
            conversation=None if said is None else conversation_digest(said),
            status=self.status,
            first_token=None if reading.first_token is None else reading.first_token - self._began,
            total=now - self._began,
            finish=reading.finish,
            sent=self._sent,
            received=reading.received,
            prompt_tokens=reading.prompt_tokens,
            completion_tokens=reading.completion_tokens,
        )


def _model(asked: tuple[str, ...], answered: str | None) -> str:
    """The model as the canary names it: of several that were asked, the one that the answer names.

    An answer may add a date to it: `author/name-20251201` is `author/name`.
    """
    plains = [plain(name) for name in asked]
    if answered:
        served = plain(answered)
        fitting = [name for name in plains if served == name or served.startswith(f"{name}-")]
        if fitting:
            return max(fitting, key=len)
    return next((name for name in plains if name), answered or UNNAMED)
