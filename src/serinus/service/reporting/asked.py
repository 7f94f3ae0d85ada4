"""What a report asks: checked, with the time understood. Nothing of a user's words fits in here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import Final

from serinus.contracts import contract_names
from serinus.core.clocktime import Told, read_time
from serinus.core.explain.phrases import some
from serinus.service.desk import Desk
from serinus.service.ledger import conversation_digest

WINDOW: Final = timedelta(minutes=10)  # before and after the time that was told
LONGEST: Final = timedelta(days=1)
_GENERATION: Final = re.compile(r"[A-Za-z0-9._:-]{1,128}", re.ASCII)
_NAME: Final = 128  # characters of whoever reports


class BadReportError(LookupError):
    """A report cannot be made of that; the message says what was found and what is allowed."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """A report as it was told. `at` is a time as a person says it, `window` on either side of it."""

    by: str
    model: str | None = None
    at: str | None = None
    window: timedelta = WINDOW
    generation: str | None = None
    conversation: str | None = None
    contract: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A report that can be looked into: `told` is its time, None where only an id tells it.

    `model` may be None where an id tells it; `conversation` is a digest.
    """

    by: str
    window: timedelta
    model: str | None = None
    told: Told | None = None
    generation: str | None = None
    conversation: str | None = None
    contract: str | None = None

    def period(self) -> tuple[datetime, datetime]:
        """When the answer came: around the time that was told.

        Raises:
            BadReportError: no time was.
        """
        if self.told is None:
            message = "neither an id nor a time tells when it was; give --at"
            raise BadReportError(message)
        return self.told.first - self.window, self.told.last + self.window


def understood(desk: Desk, complaint: Complaint, zone: tzinfo) -> Asked:
    """Check a report and read its time by a clock of that zone.

    Raises:
        BadReportError: something in it cannot be; everything is told at its first mistake.
    """
    by = complaint.by.strip()
    if not by or len(by) > _NAME or not by.isprintable():
        message = f"who reports? found {by[:40]!r}, allowed is a name of 1 to {_NAME} characters"
        raise BadReportError(message)
    if not timedelta(0) < complaint.window <= LONGEST:
        message = f"the window is {complaint.window}; allowed is more than nothing, at most a day"
        raise BadReportError(message)
    return Asked(
        by=by,
        window=complaint.window,
        model=_model(desk, complaint),
        told=_told(desk, complaint, zone),
        generation=_generation(complaint.generation),
        conversation=conversation_digest(complaint.conversation) if complaint.conversation else None,
        contract=_contract(complaint.contract),
    )


def _model(desk: Desk, complaint: Complaint) -> str | None:
    if complaint.model is not None:
        return desk.models([complaint.model])[0]
    known = desk.models()
    if complaint.generation or complaint.conversation or len(known) == 1:
        return known[0] if len(known) == 1 else None
    message = f"which model? known: {some(known)}"
    raise BadReportError(message)


def _told(desk: Desk, complaint: Complaint, zone: tzinfo) -> Told | None:
    if complaint.at is None:
        if complaint.generation or complaint.conversation:
            return None
        message = "when was it? Give a time, about which it was, or a generation or conversation id"
        raise BadReportError(message)
    try:
        return read_time(complaint.at, desk.at, zone)
    except ValueError as error:
        raise BadReportError(str(error)) from None


def _generation(identity: str | None) -> str | None:
    if identity is None or _GENERATION.fullmatch(identity):
        return identity
    message = (
        f"found {identity[:60]!r} for a generation id; allowed is what the gateway gave, such as gen-1764…"
    )
    raise BadReportError(message)


def _contract(name: str | None) -> str | None:
    if name is None or name in contract_names():
        return name
    message = f"found the contract {name[:60]!r}; allowed: {', '.join(contract_names())}"
    raise BadReportError(message)
