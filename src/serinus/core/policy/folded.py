"""A kept fold of the log: where a reader may begin instead of at the first entry (ADR 0007).

It is believed only if nothing speaks against it: this release wrote it, for this version of the entries,
and it is whole. Whether it is true is seen when a canary starts, which folds the log itself.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import serinus
from serinus.core.policy.journal import VERSION
from serinus.core.policy.snapshot import SnapshotError, from_json, to_json
from serinus.core.policy.state import State


@dataclass(frozen=True, slots=True)
class Folded:
    """The state after the first `seq` entries of the log."""

    state: State
    seq: int


def folded_document(folded: Folded) -> dict[str, Any]:
    """A fold as the document that is kept."""
    said = {
        "seq": folded.seq,
        "version": VERSION,
        "release": serinus.__version__,
        "state": to_json(folded.state),
    }
    return sealed(said)


def sealed(said: Mapping[str, Any]) -> dict[str, Any]:
    """A document with a sum by which it is seen to be whole."""
    return {**said, "sum": _sum(said)}


def folded_of(document: Mapping[str, Any] | None) -> Folded | None:
    """The fold that a document holds; None if another release wrote it, or it is not whole."""
    said = dict(document or {})
    whole = said.pop("sum", None) == _sum(said)
    if not whole or said.get("version") != VERSION or said.get("release") != serinus.__version__:
        return None
    try:
        return Folded(from_json(said["state"]), int(said["seq"]))
    except (SnapshotError, KeyError, TypeError, ValueError):
        return None


def _sum(said: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(dict(said), sort_keys=True).encode()).hexdigest()
