"""What the use cases need of the world; adapters implement it, tests pass their own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from serinus.core.model import Limits, Listing, Offer, Probe
from serinus.core.transcript import Transcript
from serinus.service.storage import Notice

Clock = Callable[[], datetime]
Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class ByHand:
    """A pinned request as anybody can make it again; `key` names the variable that holds theirs."""

    url: str
    body: Mapping[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict)
    key: str = "API_KEY"


Repeat = Callable[[Offer, Probe], ByHand]


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

    def by_hand(self, offer: Offer, probe: Probe) -> ByHand:
        """The same request for somebody else to make: pinned, and without what only concerns us.

        `probe` is that of the transcript, with the limits that were sent.
        """
        ...


@dataclass(frozen=True, slots=True)
class KeyState:
    """What a gateway says of our own key. `trouble`: no probe can succeed. `notes`: worth knowing.

    Each is "what; remedy". `limit_remaining` is in USD, None where the key has no limit or it is not
    said. `known` is False if nothing was learnt of the key; `date` is the gateway's clock when it answered.
    """

    trouble: str | None = None
    notes: tuple[str, ...] = ()
    limit_remaining: float | None = None
    usage: float | None = None
    expires_at: str | None = None
    known: bool = True
    date: datetime | None = None


class Account(Protocol):
    """A gateway that tells of our own account, so that our own trouble is not taken for a host's."""

    async def key_state(self) -> KeyState:
        """What the gateway says of our key."""
        ...

    async def balance(self) -> float | None:
        """The account's credit in US dollars, None where it is not told."""
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
