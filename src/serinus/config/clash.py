"""Settings that cannot hold together."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Clash:
    """Settings that cannot hold together: the key to change, what it is, what the other one allows."""

    key: str
    found: str
    allowed: str
    advice: str
    others: tuple[str, ...] = ()
