"""Values as JSON objects with keys that programs rely on (`formats.md` §2)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from serinus.core import explain
from serinus.core.exclusions import Exclusion, IgnoreList
from serinus.core.instants import format_instant
from serinus.core.policy import Decision
from serinus.core.published import entry_document, list_document


def decision(entry: Decision) -> dict[str, Any]:
    """A decision (`formats.md` §2 rule 11)."""
    return {
        "at": format_instant(entry.at),
        "model": entry.model,
        "route": entry.route,
        "decision": entry.kind,
        "contracts": entry.contracts,
        "level": entry.level,
        "until": time(entry.until),
        "enforced": entry.enforced,
        "why": explain.of_decision(entry),
    }


def listing(found: IgnoreList) -> dict[str, Any]:
    """A model's ignore list with its provenance (`formats.md` §2 rule 12)."""
    return {key: value for key, value in list_document(found).items() if key != "unmatched"}


def exclusion(entry: Exclusion) -> dict[str, Any]:
    """One entry of a layer, a suspension included."""
    return entry_document(entry)


def time(instant: datetime | None) -> str | None:
    """An instant as it is written, null where there is none."""
    return None if instant is None else format_instant(instant)
