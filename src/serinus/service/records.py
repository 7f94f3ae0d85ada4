"""Values as JSON objects with keys that programs rely on (`formats.md` §2)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from serinus.core import explain
from serinus.core.exclusions import Exclusion, IgnoreList
from serinus.core.instants import format_instant
from serinus.core.policy import Decision


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
    return {
        "model": found.model,
        "at": format_instant(found.at),
        "ignore": found.ignore,
        "fail_open": found.fail_open,
        "entries": [exclusion(e) for e in found.entries],
    }


def exclusion(entry: Exclusion) -> dict[str, Any]:
    """One entry of a layer, a suspension included."""
    return {
        "name": entry.name,
        "layer": entry.layer,
        "since": format_instant(entry.since),
        "until": time(entry.until),
        "level": entry.level,
        "contracts": entry.contracts,
        "by": entry.by,
        "why": entry.why,
    }


def time(instant: datetime | None) -> str | None:
    """An instant as it is written, null where there is none."""
    return None if instant is None else format_instant(instant)
