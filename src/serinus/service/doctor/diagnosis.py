"""What a check says: how bad it is, what was found, what to do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How bad it is. A note is worth knowing and hinders nothing; with a problem something does not work."""

    OK = "ok"
    NOTE = "note"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One thing that was looked at. `remedy` is there wherever there is something to do."""

    topic: str
    severity: Severity
    found: str
    remedy: str | None = None
    model: str | None = None


def fine(topic: str, found: str, *, model: str | None = None) -> Diagnosis:
    """All is well here."""
    return Diagnosis(topic, Severity.OK, found, None, model)


def note(topic: str, found: str, remedy: str, *, model: str | None = None) -> Diagnosis:
    """Worth knowing."""
    return Diagnosis(topic, Severity.NOTE, found, remedy, model)


def problem(topic: str, found: str, remedy: str, *, model: str | None = None) -> Diagnosis:
    """Something does not work."""
    return Diagnosis(topic, Severity.PROBLEM, found, remedy, model)
