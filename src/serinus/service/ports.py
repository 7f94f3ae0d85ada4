"""What the use cases need of the world; adapters implement it, tests pass their own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol

from serinus.core.model import Limits, Listing, Offer, Probe
from serinus.core.transcript import Transcript
from serinus.service.storage import Notice

Clock = Callable[[], datetime]
Sleep = Callable[[float], Awaitable[None]]


class Gateway(Protocol):
    """One gateway's wire format: which routes there are, and one pinned question to one of them."""

    name: str

    async def discover(self, model: str) -> Listing:
        """The live routes of a model; never raises for what the gateway answered or failed to."""
        ...

    async def ask(self, offer: Offer, probe: Probe, *, session: str, limits: Limits) -> Transcript:
        """One attempt, pinned to the route, fallbacks off; whatever happened is in the transcript.

        `session` is unique to this request (it derives from the round's name).
        """
        ...


class Pace(Protocol):
    """How fast and how many at once: a slot is held while a probe is in flight."""

    def slot(self, provider: str) -> AbstractAsyncContextManager[None]:
        """Wait until one more probe may start, in all and at this provider."""
        ...


class DeliveryError(Exception):
    """A channel did not take notices. `permanent` says that trying again cannot help."""

    def __init__(self, message: str, *, permanent: bool) -> None:
        super().__init__(message)
        self.permanent = permanent


class Channel(Protocol):
    """One way to tell operators something."""

    @property
    def name(self) -> str:
        """What commands and messages call it."""
        ...

    async def send(self, notices: Sequence[Notice]) -> None:
        """Deliver a group of notices as one message, at least once; their keys are stable.

        Raises:
            DeliveryError: they were not taken.
        """
        ...
