"""Policy stories as one line: a timeline, an arrow, and what comes of it.

    xx.. -> suspended at 2, restored at 4

Each mark is one round, half an hour after the one before, of the contract `language` on the route
`a`; the routes b, c and d pass everything. Stories run in enforce mode with the default policy.

marks     x fails   . passes   ? inconclusive   t transport   v void   w warn   n not applicable
          - not asked   o not listed by the gateway
tracks    a filtering: x.x | a: ..x | b: tt.     one track a route and contract, read side by side
setup     {floor 3, ladder 1h 2h}                in front: see SETTINGS
acts      xx[lift]xx                             between two rounds, ten minutes after the first: see acts.py
outcome   decision, then any of: the route, `at 2` (round 2), `after 2` (between 2 and 3), `at 24h30m`
          (that long after round 1), `in shadow`, `level 2`, `for 3d`, `on filtering+language`;
          or `nothing`; after a semicolon what the ignore list then holds: `ignoring a b`,
          `ignoring nothing`, `failing open`
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from serinus.core.durations import format_duration
from serinus.core.listing import ignore_list
from serinus.core.model import Control, Round, Word
from serinus.core.policy import Decision, Event, Policy, State, decide, fold
from serinus.service.policy_file import policy_of
from stories.acts import act

START = datetime(2026, 11, 30, tzinfo=UTC)
STEP = timedelta(minutes=30)
MODEL = "m"
MARKS = {
    "x": Word.FAIL,
    ".": Word.PASS,
    "?": Word.INCONCLUSIVE,
    "t": Word.TRANSPORT,
    "v": Word.VOID,
    "w": Word.WARN,
    "n": Word.NOT_APPLICABLE,
}
SETTINGS = {
    "floor": ("floor", int),
    "failures": ("consecutive_failures", int),
    "clean": ("consecutive_clean", int),
    "mode": ("mode", str),
    "forget": ("forget_after", str),
    "streak": ("streak_max_age", str),
    "gap": ("min_gap", str),
    "capacity": ("capacity_max_age", str),
}


@dataclass
class Telling:
    """A story while it is told: the clock, what the next round adds, and what was decided."""

    policy: Policy
    tracks: dict[tuple[str, str], str]
    peers: list[str]
    providers: dict[str, str]
    clock: datetime = START
    held: list[datetime] = field(default_factory=list)  # the instants of the rounds
    acts: int = 0  # since the latest round
    controls: dict[str, Control] = field(default_factory=dict)
    state: State = field(default_factory=State)
    decided: list[tuple[Decision, str]] = field(default_factory=list)
    latest: Round | None = None

    def take(self, event: Event) -> None:
        """Let something happen."""
        entries = decide(self.policy, self.state, event)
        self.state = fold(entries, self.state)
        self.decided += [(e, self.when(e.at)) for e in entries if isinstance(e, Decision)]

    def when(self, at: datetime) -> str:
        """An instant as a story says it."""
        if at in self.held:
            return f"at {self.held.index(at) + 1}"
        if self.held and self.acts and self.held[-1] < at < self.held[-1] + STEP:
            return f"after {len(self.held)}"
        minutes = round((at - START).total_seconds() / 60)
        return f"at {minutes // 60}h{minutes % 60:02}m" if minutes % 60 else f"at {minutes // 60}h"

    def round(self, number: int) -> None:
        """Hold the round of this column."""
        live = set(self.peers)
        results: dict[str, dict[str, Word]] = {peer: {} for peer in self.peers}
        contracts = {contract for _, contract in self.tracks}
        for peer in self.peers:
            results[peer] = dict.fromkeys(contracts, Word.PASS)
        for (route, contract), marks in self.tracks.items():
            mark = marks[number] if number < len(marks) else "-"
            if mark != "o":
                live.add(route)
                results.setdefault(route, {}).update({contract: MARKS[mark]} if mark in MARKS else {})
        self.latest = Round(self.clock, MODEL, frozenset(live), results, self.controls, self.providers)
        self.held.append(self.clock)
        self.acts, self.controls = 0, {}
        self.take(self.latest)
        self.clock += STEP


def told(story: str) -> Telling:
    """Tell a story to its end."""
    timeline = story.partition("->")[0]
    setup = re.match(r"\s*\{(.*?)\}", timeline)
    rest = timeline[setup.end() :] if setup else timeline
    tracks, between = _tracks(rest)
    telling = _telling(setup[1] if setup else "", tracks)
    for number in range(max(map(len, tracks.values()))):
        for words in between.get(number, []):
            act(telling, words)
        telling.round(number)
    for words in between.get(max(map(len, tracks.values())), []):
        act(telling, words)
    return telling


def _tracks(text: str) -> tuple[dict[tuple[str, str], str], dict[int, list[str]]]:
    """Each track's marks, and the acts before each round."""
    tracks: dict[tuple[str, str], str] = {}
    between: dict[int, list[str]] = {}
    for track in text.split("|"):
        name, colon, marks = track.rpartition(":")
        route, _, contract = (name if colon else "a").strip().partition(" ")
        column = ""
        for piece in re.findall(r"\[[^]]*\]|\S", marks):
            if piece.startswith("["):
                between.setdefault(len(column), []).append(piece[1:-1].strip())
            else:
                column += piece
        tracks[route, contract.strip() or "language"] = column
    return tracks, between


def _telling(setup: str, tracks: dict[tuple[str, str], str]) -> Telling:
    table: dict[str, object] = {"mode": "enforce"}
    named = {route for route, _ in tracks}
    peers = [peer for peer in "bcd" if peer not in named]
    providers: dict[str, str] = {}
    for item in filter(None, (part.strip() for part in setup.split(","))):
        word, *rest = item.split()
        if word in SETTINGS:
            key, kind = SETTINGS[word]
            table[key] = kind(rest[0])
        elif word == "ladder":
            table["suspensions"] = rest
        elif word == "peers":
            peers = [] if rest == ["none"] else rest
        elif item == "no void":
            table["void_majority"] = False
        else:  # a/x is b
            providers[word] = rest[1]
    return Telling(policy_of(table), tracks, peers, providers)


def check(story: str) -> None:
    """Tell a story and compare what came of it with what it says."""
    telling = told(story)
    outcome, _, listing = story.partition("->")[2].partition(";")
    expected = [item.strip() for item in outcome.split(",") if item.strip() != "nothing"]
    found = [_said(*decided) for decided in telling.decided]
    assert len(found) == len(expected), f"{story}\n  came out as: {'; '.join(map(str, found))}"
    for want, got in zip(expected, found, strict=True):
        mismatch = {k: got.get(k) for k, v in _wanted(want).items() if got.get(k) != v}
        assert not mismatch, f"{story}\n  {want!r} came out as {got}"
    _check_list(story, telling, listing.split())


def _wanted(item: str) -> dict[str, str]:
    first, *words = item.split()
    found = {"decision": first}
    while words:
        word = words.pop(0)
        if word in {"at", "after"}:
            found["when"] = f"{word} {words.pop(0)}"
        elif word in {"in", "level", "for", "on"}:
            found[word] = words.pop(0)
        else:
            found["route"] = word
    return found


def _said(entry: Decision, when: str) -> dict[str, str]:
    found = {"decision": entry.kind.value, "when": when, "on": "+".join(entry.contracts or ())}
    if entry.route is not None:
        found["route"] = entry.route
    if entry.lane is not None:
        found["in"] = entry.lane.value
    if entry.level is not None:
        found["level"] = str(entry.level)
    if entry.until is not None:
        found["for"] = format_duration(entry.until - entry.at)
    return found


def _check_list(story: str, telling: Telling, words: list[str]) -> None:
    if not words:
        return
    now = telling.state.now or START
    found = ignore_list(telling.state, MODEL, now)
    assert found.fail_open == (words == ["failing", "open"]), f"{story}\n  fail_open is {found.fail_open}"
    if words[0] == "ignoring":
        names = [] if words[1:] == ["nothing"] else words[1:]
        assert list(found.ignore) == names, f"{story}\n  the ignore list is {found.ignore}"
