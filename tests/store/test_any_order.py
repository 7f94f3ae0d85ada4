"""Whatever is done in whatever order, the store agrees with a plain list of it."""

from __future__ import annotations

import tempfile
from datetime import timedelta
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from serinus.service.store_errors import LogMovedError, RoundNotOpenError
from serinus.store import open_store
from store.memory import MemoryStore
from store.rows import (
    CONTRACTS,
    HALF_HOUR,
    MODEL,
    OTHER,
    START,
    TAGS,
    closing,
    finding,
    notice,
    seen_by,
    transcript,
)
from store.rows import name_of as round_name

MODELS = st.sampled_from([MODEL, OTHER])
STEPS = st.integers(0, 6)
CHANNELS = st.sampled_from(["ops", "pager"])
KEYS = st.sampled_from(["floor", "listing"])
NOTICES = st.lists(
    st.tuples(KEYS, st.booleans()).map(
        lambda n: notice(f"{n[0]} is back", resolves=n[0]) if n[1] else notice(n[0])
    ),
    max_size=3,
)
ENTRIES = st.lists(
    st.sampled_from([{"n": 1}, {"model": OTHER}, {"model": None, "why": "ま\ud800"}]), max_size=3
)
STALE = st.sampled_from([0, 0, 0, 1])
WORDS = st.sampled_from(["pass", "fail", "transport"])


def written(documents):
    return [(START + timedelta(seconds=n), "act", d) for n, d in enumerate(documents)]


class AnyOrder(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "serinus.sqlite"
        self.store = open_store(self.path, create=True)
        self.plain = MemoryStore()
        self.now = START

    def teardown(self):
        self.store.close()
        self.folder.cleanup()

    def both(self, act):
        """The same act on both: the same answer, or the same refusal."""
        answers = []
        for store in (self.store, self.plain):
            try:
                answers.append(act(store))
            except (LogMovedError, RoundNotOpenError, LookupError) as error:
                answers.append(type(error))
        assert answers[0] == answers[1]
        return answers[0]

    @rule(model=MODELS, step=STEPS)
    def take_a_round(self, model, step):
        at = START + step * HALF_HOUR
        self.both(lambda s: s.open_round(round_name(model, at), model, at))

    @precondition(lambda self: self.plain.taken)
    @rule(which=st.integers(0, 9), stale=STALE, bringing=st.tuples(ENTRIES, NOTICES, WORDS, STEPS))
    def end_a_round(self, which, stale, bringing):
        entries, notices, word, seconds = bringing
        row = self.plain.taken[which % len(self.plain.taken)]
        found = [finding(row, tag, c, word, evidence={"n": which}) for tag in TAGS for c in CONTRACTS]
        rest = {
            "entries": written(entries),
            "notices": notices,
            "findings": found,
            "transcripts": [transcript(row, TAGS[0], row.at + timedelta(seconds=seconds))],
            "owed": {TAGS[which % 3]: {"n": which}},
            "listing": {"n": which} if which % 2 else None,
            "prompts": None if which % 2 else {"n": which},
            "fold": {"seq": which} if which % 3 else None,
        }
        self.both(lambda s: s.close_round(closing(row, len(self.plain.entries) - stale, **rest)))

    @rule(stale=STALE, entries=ENTRIES, notices=NOTICES)
    def act(self, stale, entries, notices):
        self.both(lambda s: s.append(len(self.plain.entries) - stale, written(entries), notices))

    @rule(seq=st.integers(0, 8), right=st.sampled_from([True, False, None]))
    def mark(self, seq, right):
        self.both(lambda s: s.mark(seq, right, "ops", "seen", START))

    @rule(channel=CHANNELS, first=st.integers(0, 2))
    def deliver(self, channel, first):
        taken = [number for number, _ in self.plain.outbox(channel)][first:]
        self.both(lambda s: s.delivered(channel, taken, START))

    @rule(channel=CHANNELS, on=st.booleans())
    def switch_a_channel(self, channel, on):
        self.both(lambda s: s.enable_channel(channel) if on else s.disable_channel(channel, "gone", START))

    @rule(step=STEPS, cost=st.sampled_from([0.0, 0.25, 1.5]))
    def spend(self, step, cost):
        self.both(lambda s: s.spend("doctor", START + step * HALF_HOUR, cost))

    @rule(seq=STEPS)
    def keep_a_fold(self, seq):
        self.both(lambda s: s.keep_fold({"seq": seq, "state": {"b": [1], "a": "\ud800"}}))

    @rule(days=st.sampled_from([1, 30, 90]), step=STEPS)
    def prune(self, days, step):
        self.both(lambda s: s.prune(START + timedelta(days=days) + step * HALF_HOUR))

    @rule()
    def close_and_open(self):
        self.store.close()
        self.store = open_store(self.path)

    @invariant()
    def they_agree(self):
        assert seen_by(self.store) == seen_by(self.plain)
        assert self.store.outbox("nobody") == self.plain.outbox("nobody")
        for model in (MODEL, OTHER):
            days = self.store.daily(model, since=START.date())
            counted = {(d.day, d.model, d.tag, d.contract): d.words for d in days}
            assert counted == self.plain.daily(model, since=START.date())


AnyOrder.TestCase.settings = settings(
    max_examples=8, stateful_step_count=20, deadline=None, derandomize=True, print_blob=False
)
TestAnyOrder = AnyOrder.TestCase
