"""What the log tells of a model's rounds and suspensions in a while: the material of reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from serinus.core.model import Word
from serinus.core.policy import Decision, Entry, Kind, Lane, Mode, SetMode
from serinus.core.policy.entries import Counted, Eased
from serinus.core.policy.journal import from_json
from serinus.core.policy.lanes import lane_of, replaced_by
from serinus.service.storage import Store

KINDS: Final = ("counted", "decision", "eased", "mode")
BEGIN: Final = frozenset({Kind.SUSPENDED})
END: Final = frozenset({Kind.RESTORED, Kind.EXPIRED, Kind.LIFTED})


@dataclass(frozen=True, slots=True)
class Seen:
    """One counted round: what was read of each route, and the lane of each contract then."""

    at: datetime
    readings: Mapping[str, Mapping[str, Word]]
    providers: Mapping[str, str]
    lanes: Mapping[str, Lane]


@dataclass(slots=True)
class Span:
    """A suspension from its beginning over its renewals to its end, in one lane.

    `seqs` are the numbers of the decisions that began and renewed it; `streak` is how many failing
    rounds each contract had then. `ended` and `end` are None while it goes on.
    """

    model: str
    route: str
    lane: Lane
    contracts: tuple[str, ...]
    since: datetime
    level: int
    seqs: list[int]
    streak: Mapping[str, int]
    ended: datetime | None = None
    end: Kind | None = None

    def overlaps(self, begin: datetime, over: datetime) -> bool:
        """Whether any of it lies between two instants."""
        return self.since < over and (self.ended is None or self.ended > begin)

    def covers(self, at: datetime) -> bool:
        """Whether it was in force at an instant."""
        return self.since < at and (self.ended is None or at <= self.ended)


@dataclass(slots=True)
class Observed:
    """A model's past: counted rounds, suspensions of both lanes, what was void, where the floor held."""

    model: str
    rounds: list[Seen] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    voids: list[tuple[datetime, str]] = field(default_factory=list)
    holds: list[tuple[datetime, datetime | None]] = field(default_factory=list)


def observed(store: Store, model: str, default: Mode, since: datetime) -> Observed:
    """Read a model's past out of the log; rounds before `since` are passed over."""
    reader = _Reader(Observed(model), default, since)
    for logged in store.log(model=model, kinds=KINDS):
        # Most of the log are rounds of long ago, which nobody needs to read.
        if logged.kind != "counted" or logged.at >= since:
            reader.take(logged.seq, from_json(logged.document))
    return reader.done()


@dataclass(slots=True)
class _Reader:
    found: Observed
    default: Mode
    since: datetime
    modes: tuple[SetMode, ...] = ()
    open: dict[tuple[str, Lane], Span] = field(default_factory=dict)
    held: dict[tuple[str, Lane], datetime] = field(default_factory=dict)

    def take(self, seq: int, entry: Entry) -> None:
        """One more entry."""
        match entry:
            case SetMode():
                self.modes = (*(old for old in self.modes if not replaced_by(entry, old)), entry)
            case Counted():
                self.found.rounds.append(self._seen(entry))
            case Eased():
                if (begun := self.held.pop((entry.route, entry.lane), None)) and entry.lane is Lane.SHADOW:
                    self.found.holds.append((begun, entry.at))
            case Decision():
                self._decided(seq, entry)

    def _seen(self, entry: Counted) -> Seen:
        contracts = {c for words in entry.readings.values() for c in words}
        lanes = {c: lane_of(self.default, self.modes, entry.model, c) for c in contracts}
        return Seen(entry.at, entry.readings, entry.providers, lanes)

    def _decided(self, seq: int, entry: Decision) -> None:
        if entry.kind is Kind.ROUND_VOID:
            self.found.voids += [(entry.at, c) for c in entry.contracts or ()]
        if entry.route is None or entry.lane is None:
            return
        key = (entry.route, entry.lane)
        if entry.kind is Kind.HELD_AT_FLOOR:
            self.held.setdefault(key, entry.at)
        elif entry.kind in BEGIN:
            self._begun(seq, entry)
        elif entry.kind is Kind.RENEWED and key in self.open:
            self.open[key].seqs.append(seq)
            self.open[key].level = entry.level or self.open[key].level
        elif entry.kind in END and key in self.open:
            span = self.open.pop(key)
            span.ended, span.end = entry.at, entry.kind

    def _begun(self, seq: int, entry: Decision) -> None:
        if entry.route is None or entry.lane is None:
            return
        held: Mapping[str, Any] = entry.facts.get("held") or {}  # type: ignore[assignment]  # as `grounds` wrote it
        span = Span(
            model=entry.model,
            route=entry.route,
            lane=entry.lane,
            contracts=entry.contracts or (),
            since=entry.at,
            level=entry.level or 1,
            seqs=[seq],
            streak={contract: tally["rounds"] for contract, tally in held.items()},
        )
        self.open[span.route, span.lane] = span
        self.found.spans.append(span)

    def done(self) -> Observed:
        """All that was told; what the floor holds back still has no end."""
        self.found.holds += [(begun, None) for (_, lane), begun in self.held.items() if lane is Lane.SHADOW]
        return self.found
