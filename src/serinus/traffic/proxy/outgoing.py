"""What is sent to the gateway in place of what came: the same, with names added to `provider.ignore`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from serinus.traffic.proxy.asked import Asked, asked_of
from serinus.traffic.proxy.counters import Counters
from serinus.traffic.proxy.exclusions import Union
from serinus.traffic.proxy.headers import to_gateway, value_of
from serinus.traffic.proxy.incoming import Head
from serinus.traffic.proxy.rewriting import Change, with_excluded

PRESET: Final = b"preset: its own provider settings may bypass the exclusions"
UNREADABLE: Final = b"body: it could not be read, so no exclusions were added"


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A request for the gateway. `asked` is None where the endpoint has no `provider` object."""

    fields: list[tuple[str, str]]
    body: bytes
    asked: Asked | None = None
    warnings: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Preparing:
    """Makes requests ready for the gateway; `read` tells that answers are read for the ledger."""

    union: Union
    counters: Counters
    presets: Literal["leave", "add"]
    read: bool

    def outgoing(self, head: Head, body: bytes) -> Outgoing:
        """The request as it goes on."""
        fields = to_gateway(head.fields)
        if not head.routed:
            return Outgoing(fields, body)
        coded = value_of(head.fields, b"content-encoding") or b"identity"
        asked = asked_of(body) if coded.lower() == b"identity" else Asked(body, readable=False)
        body, warnings = self._changed(asked)
        if self.read:
            # A compressed answer could not be read as it passes; and tokens are few.
            fields = [(n, "identity" if n == "accept-encoding" else v) for n, v in fields]
        return Outgoing(fields, body, asked, warnings)

    def _changed(self, asked: Asked) -> tuple[bytes, tuple[bytes, ...]]:
        bodies = self.counters.bodies
        warnings: tuple[bytes, ...] = ()
        if asked.preset:
            self.counters.presets += 1
            warnings = (PRESET,)
            if self.presets == "leave" and not asked.provider:
                bodies["preset_left"] += 1
                return asked.body, warnings
        done = with_excluded(asked, self.union.excluded(asked.models))
        bodies[done.change.value] += 1
        if done.change is Change.UNREADABLE:
            warnings = (*warnings, UNREADABLE)
        return done.body, warnings
