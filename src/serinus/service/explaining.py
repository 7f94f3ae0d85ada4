"""Why a route is in or out, what would change that, and the evidence (R24). What `explain` shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from typing import Final

from serinus.contracts import FIRST
from serinus.core import explain
from serinus.core.model import Word
from serinus.core.outlook import cleans_left, failures_left
from serinus.core.policy import Decision, Lane, Lift
from serinus.core.policy.journal import from_json
from serinus.core.policy.ladder import next_level
from serinus.core.policy.lanes import LANES
from serinus.core.policy.state import Rung
from serinus.core.transcript import Answer, Event
from serinus.service.standing import ModelStanding, RouteStanding, Sight, SuspensionStanding
from serinus.service.storage import Document, FindingRow, TranscriptRow
from serinus.wire.chat import answer_of_body, answer_of_events

A_DAY: Final = timedelta(days=1)
FINDINGS: Final = 10  # anomalies that are shown, the newest
TRANSCRIPTS: Final = 5
DECISIONS: Final = 10
QUIET: Final = frozenset({Word.PASS, Word.NOT_APPLICABLE})
WORST: Final = frozenset({Word.FAIL, Word.ALARM})
OPEN: Final = frozenset({Word.INCONCLUSIVE})


@dataclass(frozen=True, slots=True)
class Past:
    """A decision or a lift of the route: its number in the log, itself, and its mark."""

    seq: int
    entry: Decision | Lift
    mark: bool | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """One route: sentences on where it stands and what would change that, and the evidence, newest first.

    `findings` are the anomalies of the last day, `kept` transcripts of it, `past` decisions on it.
    """

    route: RouteStanding
    why: tuple[str, ...]
    outlook: tuple[str, ...]
    findings: tuple[FindingRow, ...]
    kept: tuple[TranscriptRow, ...]
    past: tuple[Past, ...]


def explained(sight: Sight, model: ModelStanding, route: RouteStanding) -> Explanation:
    """All that is to be said of a route."""
    since = (model.last.at if model.last else sight.at) - A_DAY
    found = sight.store.findings(model.model, since=since, tag=route.tag, quiet=QUIET)
    kept = sight.store.transcripts(model.model, route.tag, since=since, limit=TRANSCRIPTS)
    return Explanation(
        route,
        tuple(_why(sight, model, route)),
        tuple(_outlook(sight, route)),
        tuple(anomalies(found)[:FINDINGS]),
        tuple(kept),
        tuple(_past(sight, route)[:DECISIONS]),
    )


def anomalies(found: Sequence[FindingRow]) -> list[FindingRow]:
    """What was unusual, the newest round first, and in a round the worst first.

    One refusal leaves a dozen other contracts undecided: beside a broken promise they say nothing,
    and what several contracts say alike is said once.
    """
    shown: list[FindingRow] = []
    for _, rows in groupby(reversed(found), lambda f: f.round):
        told = sorted((f for f in rows if f.word not in QUIET), key=_badness)
        broken = any(f.word == Word.FAIL for f in told)
        alike = {(f.word, f.reason, f.detail): f for f in reversed(told)}
        shown += [
            f for f in told if alike[f.word, f.reason, f.detail] is f and not (broken and f.word in OPEN)
        ]
    return shown


def _badness(row: FindingRow) -> tuple[int, int]:
    first = FIRST.index(row.contract) if row.contract in FIRST else len(FIRST)
    return 0 if row.word in WORST else 2 if row.word in OPEN else 1, first


def _why(sight: Sight, model: ModelStanding, route: RouteStanding) -> Iterator[str]:
    """Why the route is in production, or out."""
    for exclusion in route.exclusions:
        yield explain.of_exclusion(exclusion)
    for s in route.suspensions:
        yield explain.of_confinement(s.suspension, enforced=s.lane is Lane.REAL, running=s.running)
    if model.ignore.fail_open and route.suspended(Lane.REAL):
        yield explain.of_fail_open()
    for lane in route.held:
        yield explain.of_hold(model.capacity, sight.policy.floor, enforced=lane is Lane.REAL)
    if route.control:
        yield explain.of_control()
    if not route.live or not (route.out or route.counts):
        yield explain.of_absence(route.answered, live=route.live)
    elif not route.out:
        yield explain.of_production(route.answered)


def _outlook(sight: Sight, route: RouteStanding) -> Iterator[str]:
    """What would change where it stands."""
    for s in route.suspensions:
        if s.running:
            yield _recovery(sight, s)
    for c in route.contracts:
        if c.held:
            confined = route.suspended(c.lane) is not None
            more = None if confined else c.more
            yield explain.of_streak(c.contract, c.held, more, c.until, enforced=c.lane is Lane.REAL)
    if not any(c.held for c in route.contracts) and not route.suspensions:
        yield explain.of_clean_slate(failures_left(sight.policy.rule, None, sight.at))
    if route.grace:
        yield explain.of_grace(route.grace)
    for lane in LANES:
        if lane in route.rungs or lane is Lane.REAL:
            yield _ladder(sight, route, lane)
    for debt in route.owed.debts:
        yield explain.of_debt(debt.contract, debt.language)


def _recovery(sight: Sight, standing: SuspensionStanding) -> str:
    s = standing.suspension
    left = cleans_left(sight.policy.rule, s, sight.at)
    renewal = next_level(sight.policy, Rung(s.since, s.level), s.until)
    return explain.of_recovery(s, left, _step(sight, renewal))


def _ladder(sight: Sight, route: RouteStanding, lane: Lane) -> str:
    rung = route.rungs.get(lane)
    if rung is not None and sight.at - rung.since >= sight.policy.forget_after:
        rung = None
    forgotten = rung.since + sight.policy.forget_after if rung else None
    step = _step(sight, next_level(sight.policy, rung, sight.at))
    return explain.of_rung(rung, step, forgotten, enforced=lane is Lane.REAL)


def _step(sight: Sight, level: int) -> str:
    return explain.of_step(level, sight.policy.length(level))


def _past(sight: Sight, route: RouteStanding) -> list[Past]:
    """Decisions on the route and lifts of it, the newest first."""
    marks = sight.store.marks()
    found: list[Past] = []
    for logged in sight.store.log(model=route.model, kinds=("decision", "lift")):
        if logged.document.get("route") != route.tag:
            continue
        entry = from_json(logged.document)
        if isinstance(entry, Decision | Lift):
            found.append(Past(logged.seq, entry, marks.get(logged.seq)))
    return found[::-1]


def answer_of(document: Document) -> Answer:
    """The answer of a kept transcript, read again out of its events or its body."""
    body = document.get("body")
    if body is not None and document.get("status") is not None:
        return answer_of_body(document["status"], body)
    events = [Event(e.get("at"), e.get("data"), e.get("comment")) for e in document.get("events", ())]
    return answer_of_events(events)


def excerpt(document: Document) -> str:
    """What a kept transcript shows at a glance: its text, else what came in its place."""
    answer = answer_of(document)
    if answer.text:
        return answer.text
    if answer.failure:
        return f"({answer.failure.where} error: {answer.failure.message})"
    if answer.tool_calls:
        return "; ".join(f"{call.name}({call.arguments})" for call in answer.tool_calls)
    return f"(no text; {document.get('error') or document.get('end')})"
