"""What the proxy counts: plain numbers, moved on one event loop and read from anywhere."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Counters:
    """Since the process began. No label is of a caller's making, so that no metric grows without end.

    `answers` counts by status class (`2xx`), `ends` by `Served.end`, `refused` by the code of the proxy's
    own error. `bodies` counts routed requests by what was done: `added`, `nothing`, `unreadable`,
    `preset_left`. `first_tokens` and `first_token_seconds` give the mean of timed streams.
    """

    requests: int = 0
    in_flight: int = 0
    presets: int = 0
    sent_bytes: int = 0
    received_bytes: int = 0
    first_tokens: int = 0
    first_token_seconds: float = 0.0
    answers: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    bodies: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class LedgerCounters:
    """The ledger's rows: written, waiting, and lost because the store did not take them in time."""

    kept: int = 0
    waiting: int = 0
    lost: int = 0
    failures: int = 0
    pruned: int = 0
