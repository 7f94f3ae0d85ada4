"""The storage port over plain lists: what any store must agree with, and an oracle for the real one.

Written from the port's own words, one line where it can be, with no regard to speed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

from serinus.service.storage import (
    ClosedRound,
    FindingRow,
    Logged,
    Notice,
    Retention,
    RoundRow,
    RoundState,
    TranscriptRow,
)
from serinus.service.store_errors import LogMovedError, RoundNotOpenError


@dataclass
class MemoryStore:
    entries: list[Logged] = field(default_factory=list)
    taken: list[RoundRow] = field(default_factory=list)
    found: list[FindingRow] = field(default_factory=list)
    kept: list[TranscriptRow] = field(default_factory=list)
    told: list[tuple[int, Notice]] = field(default_factory=list)
    last_notice: int = 0
    taken_by: set[tuple[str, int]] = field(default_factory=set)
    off: dict[str, str] = field(default_factory=dict)
    debts: dict[str, dict] = field(default_factory=dict)
    lists: dict[str, dict] = field(default_factory=dict)
    records: dict[str, dict] = field(default_factory=dict)
    folded: dict | None = None
    opinions: dict[int, bool | None] = field(default_factory=dict)
    spending: list[tuple[date, float]] = field(default_factory=list)
    counted: dict[tuple, Counter] = field(default_factory=dict)
    retention: Retention = field(default_factory=Retention)

    def log(self, *, after=0, model=None, kinds=()):
        mine = (e for e in self.entries if e.seq > after and (model is None or e.model in {None, model}))
        return (e for e in mine if not kinds or e.kind in kinds)

    def open_round(self, name, model, at):
        if any(r.name == name for r in self.taken):
            return None
        index = sum(r.model == model for r in self.taken)
        self.taken.append(RoundRow(name, model, at, index, RoundState.OPEN))
        return self.taken[-1]

    def left_open(self):
        return sorted((r for r in self.taken if r.state is RoundState.OPEN), key=lambda r: r.at)

    def close_round(self, closed: ClosedRound):
        row = closed.row
        if not any(r.name == row.name and r.state is RoundState.OPEN for r in self.taken):
            raise RoundNotOpenError
        self._unmoved(closed.seen)
        self.taken = [row if r.name == row.name else r for r in self.taken]
        self._write(closed.entries, row.model)
        self.found += sorted(closed.findings, key=lambda f: (f.tag, f.contract))
        self.kept += closed.transcripts
        self._tell(closed.notices)
        self.debts[row.model] = dict(closed.owed)
        if closed.listing is not None:
            self.lists[row.model] = closed.listing
        if closed.prompts is not None:
            self.records[row.model] = closed.prompts
        if closed.fold is not None:
            self.folded = closed.fold
        for f in closed.findings:
            key = (row.at.astimezone(UTC).date(), f.model, f.tag, f.contract)
            self.counted.setdefault(key, Counter())[f.word] += 1
        return len(self.entries)

    def append(self, seen, entries, notices=()):
        self._unmoved(seen)
        self._write(entries, None)
        self._tell(notices)
        return len(self.entries)

    def fold(self):
        return self.folded

    def keep_fold(self, fold):
        self.folded = fold

    def last_round(self, model):
        closed = [r for r in self.taken if r.model == model and r.state is RoundState.CLOSED]
        return max(closed, key=lambda r: r.at, default=None)

    def rounds(self, model, *, since):
        return sorted((r for r in self.taken if r.model == model and r.at >= since), key=lambda r: r.at)

    def findings(self, model, *, since, tag=None, round_name=None):
        wanted = (f for f in self.found if f.model == model and f.at >= since)
        wanted = (f for f in wanted if tag in {None, f.tag} and round_name in {None, f.round})
        return sorted(wanted, key=lambda f: f.at)

    def transcripts(self, model, tag, *, since):
        wanted = [t for t in self.kept if (t.model, t.tag) == (model, tag) and t.at >= since]
        return sorted(wanted, key=lambda t: t.at)[::-1]

    def owed(self, model):
        return self.debts.get(model, {})

    def listing(self, model):
        return self.lists.get(model)

    def prompts(self, model):
        return self.records.get(model)

    def spend(self, what, at, cost, tokens=0):
        del what, tokens
        self.spending.append((at.date(), cost))

    def spent(self, day):
        rounds = sum(r.cost for r in self.taken if r.at.date() == day)
        return rounds + sum(cost for when, cost in self.spending if when == day)

    def daily(self, model, *, since):
        return {k: dict(n) for k, n in sorted(self.counted.items()) if k[1] == model and k[0] >= since}

    def mark(self, seq, right, by, why, at):
        del by, why, at
        if not 1 <= seq <= len(self.entries):
            raise LookupError
        self.opinions[seq] = right

    def marks(self):
        return {seq: right for seq, right in sorted(self.opinions.items()) if right is not None}

    def outbox(self, channel, *, limit=100):
        return [(n, notice) for n, notice in self.told if (channel, n) not in self.taken_by][:limit]

    def delivered(self, channel, notice_ids, at):
        del at
        self.taken_by |= {(channel, n) for n in notice_ids}

    def deliveries(self, channel):
        return sum((channel, n) in self.taken_by for n, _ in self.told)

    def disable_channel(self, channel, why, at, notices=()):
        del at
        self.off[channel] = why
        self._tell(notices)

    def enable_channel(self, channel, notices=()):
        self.off.pop(channel, None)
        self._tell(notices)

    def disabled_channels(self):
        return self.off

    def prune(self, at: datetime):
        before = len(self.found) + len(self.kept) + len(self.told)
        self.found = [f for f in self.found if f.at >= at - self.retention.findings]
        self.kept = [t for t in self.kept if t.at >= at - self.retention.transcripts]
        self.told = [(n, notice) for n, notice in self.told if notice.at >= at - self.retention.notices]
        return before - len(self.found) - len(self.kept) - len(self.told)

    def _unmoved(self, seen):
        if seen != len(self.entries):
            raise LogMovedError

    def _write(self, entries, model):
        for at, kind, document in entries:
            whose = document.get("model", model)
            self.entries.append(Logged(len(self.entries) + 1, at, whose, kind, document))

    def _tell(self, notices):
        for notice in notices:
            if self._is_news(notice):
                self.last_notice += 1
                self.told.append((self.last_notice, notice))

    def _is_news(self, notice: Notice):
        """The story of the trouble it belongs to, as far as it is kept: did its last word say this?"""
        said = [n for _, n in self.told]
        if notice.key not in {n.key for n in said}:
            return True
        trouble = notice.resolves or notice.key
        since = [n for n in said if n.key in {notice.key, trouble} or n.resolves == trouble]
        since = since[max(i for i, n in enumerate(since) if n.key == notice.key) + 1 :]
        return any(n.key == trouble if notice.resolves else n.resolves == trouble for n in since)
