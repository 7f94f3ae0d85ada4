"""Who served a request: by the route ledger, by the gateway's own record, or by nobody's word (R26)."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from serinus.service.desk import Desk
from serinus.service.explaining import answer_of
from serinus.service.ledger import Served as Request
from serinus.service.names import Names
from serinus.service.reporting.asked import Asked, BadReportError
from serinus.service.reporting.findings import Confidence, Served, Source

LOOK_BACK: Final = timedelta(days=30)  # kept transcripts, whose generations tell a route's endpoint id
PATIENCE: Final = 3.0  # seconds for a record of long ago
TRIED: Final = 2  # of our own probes a route, to learn its endpoint id


@dataclass(frozen=True, slots=True)
class Trace:
    """The gateway's record of a generation: who served at last, and when. Nothing of what was said.

    `provider` is its display name, `endpoint` the opaque id that alone tells its endpoints apart.
    """

    model: str | None = None
    provider: str | None = None
    endpoint: str | None = None
    at: datetime | None = None


# Asks the gateway, waiting for a record that is not there yet; None where it never came.
Lookup = Callable[[str], Awaitable[Trace | None]]


async def nowhere(generation: str) -> Trace | None:
    """Ask nobody: where there is no key."""
    del generation
    return None


@dataclass(frozen=True, slots=True)
class Serving:
    """Who may have served, when, and by whose word. `unnamed` of the requests name no known route."""

    model: str
    source: Source
    since: datetime
    until: datetime
    routes: tuple[Served, ...]
    requests: int = 0
    unnamed: int = 0

    @property
    def middle(self) -> datetime:
        """The time that was meant: the period lies around it."""
        return self.since + (self.until - self.since) / 2


async def served_by(desk: Desk, asked: Asked, lookup: Lookup) -> Serving | None:
    """Who served by anybody's word; None where nobody can tell.

    Raises:
        BadReportError: the model is nowhere told, or the request was for another one.
    """
    if asked.generation:
        kept = await asyncio.to_thread(desk.store.ledger.of_generation, asked.generation)
        if kept is not None:
            return await _by_ledger(desk, asked, kept, lookup)
        trace = await lookup(asked.generation)
        if trace is not None:
            return await _by_record(desk, asked, trace, lookup)
    if asked.conversation:
        rows = await asyncio.to_thread(desk.store.ledger.of_conversation, asked.conversation)
        if found := _in_period(rows, asked):
            return _by_conversation(desk, asked, found)
    return await asyncio.to_thread(_by_window, desk, asked)


def _names(desk: Desk, model: str) -> Names:
    (names,) = desk.names([model])
    return names


def _in_period(rows: Sequence[Request], asked: Asked) -> Sequence[Request]:
    found = [r for r in rows if asked.model in (None, r.model)]
    if asked.told is None:
        return found
    since, until = asked.period()
    return [r for r in found if since <= r.at < until]


async def _by_ledger(desk: Desk, asked: Asked, kept: Request, lookup: Lookup) -> Serving:
    model = _same_model(asked, kept.model)
    tags = _names(desk, model).served(kept.tag, kept.provider)
    if len(tags) > 1:
        trace = await lookup(asked.generation or "")
        tags = await _apart(desk, model, tags, trace, lookup)
    return Serving(model, Source.LEDGER, *_around(kept.at, asked.window), _alone(tags), 1, int(not tags))


async def _by_record(desk: Desk, asked: Asked, trace: Trace, lookup: Lookup) -> Serving:
    model = _same_model(asked, trace.model)
    tags = _names(desk, model).served(None, trace.provider)
    if len(tags) > 1:
        tags = await _apart(desk, model, tags, trace, lookup)
    period = _around(trace.at, asked.window) if trace.at else asked.period()
    return Serving(model, Source.RECORD, *period, _alone(tags), 1, int(not tags))


def _around(at: datetime, window: timedelta) -> tuple[datetime, datetime]:
    return at - window, at + window


def _same_model(asked: Asked, served: str | None) -> str:
    """The model that was served: a report of another one is a mistake that must be seen."""
    if asked.model is None:
        if served is None:
            message = "nothing tells which model it was; give --model"
            raise BadReportError(message)
        return served
    if served is not None and not _alias(asked.model, served):
        message = f"generation {asked.generation} was of {served}, not of {asked.model}"
        raise BadReportError(message)
    return asked.model


def _alias(model: str, served: str) -> bool:
    """Whether the gateway may have served this model under that name: a dated alias or a variant of it."""
    one, other = model.casefold().split(":")[0], served.casefold().split(":")[0]
    return one == other or other.startswith(f"{one}-") or one.startswith(f"{other}-")


def _alone(tags: Sequence[str]) -> tuple[Served, ...]:
    """One request: its route for certain, or one of several that share a name."""
    if len(tags) == 1:
        return (Served(tags[0], Confidence.EXACT, 1, 1.0),)
    return tuple(Served(tag, Confidence.POSSIBLE, 1, None, tuple(tags)) for tag in tags)


async def _apart(
    desk: Desk, model: str, tags: tuple[str, ...], trace: Trace | None, lookup: Lookup
) -> tuple[str, ...]:
    """Of routes that share a name, the one whose own probes were served by the same endpoint (R3)."""
    if trace is None or trace.endpoint is None:
        return tags
    for tag in tags:
        for generation in await asyncio.to_thread(_probed, desk, model, tag):
            own = await _at_once(lookup, generation)
            if own is not None and own.endpoint is not None:
                if own.endpoint == trace.endpoint:
                    return (tag,)
                break
    return tags


async def _at_once(lookup: Lookup, generation: str) -> Trace | None:
    """The record of an answer of long ago: it is there by now, or never will be."""
    try:
        async with asyncio.timeout(PATIENCE):
            return await lookup(generation)
    except TimeoutError:
        return None


def _probed(desk: Desk, model: str, tag: str) -> list[str]:
    """Generations of our own pinned probes of a route, the newest first."""
    kept = desk.store.transcripts(model, tag, since=desk.at - LOOK_BACK)
    ids = (next(iter(answer_of(row.document).ids), None) for row in kept[: 2 * TRIED])
    return [i for i in ids if i][:TRIED]


def _by_conversation(desk: Desk, asked: Asked, rows: Sequence[Request]) -> Serving:
    model = asked.model or rows[0].model
    known = _names(desk, model)
    counts = Counter(known.served(r.tag, r.provider) for r in rows if r.model == model)
    period = asked.period() if asked.told else (rows[0].at, rows[-1].at + asked.window)
    return _counted(model, Source.CONVERSATION, period, counts)


def _by_window(desk: Desk, asked: Asked) -> Serving | None:
    """All that was served around the told time; None if nothing was, or no time was told."""
    if asked.model is None or asked.told is None:
        return None
    period = asked.period()
    known = _names(desk, asked.model)
    counts: Counter[tuple[str, ...]] = Counter()
    for traffic in desk.store.ledger.traffic(asked.model, *period):
        counts[known.served(traffic.tag, traffic.provider)] += traffic.requests
    return _counted(asked.model, Source.WINDOW, period, counts) if counts else None


def _counted(
    model: str, source: Source, period: tuple[datetime, datetime], counts: Counter[tuple[str, ...]]
) -> Serving:
    """`counts` are requests by the routes that each may have been; none where it names no known one."""
    unnamed = counts[()]
    return Serving(model, source, *period, tuple(_shares(counts)), counts.total(), unnamed)


def _shares(counts: Counter[tuple[str, ...]]) -> Iterable[Served]:
    """Each route's part of the requests; of a shared name, the part that all of its routes share."""
    of_tag: dict[str, tuple[int, tuple[str, ...]]] = {}
    for tags, count in counts.items():
        for tag in tags:
            before, among = of_tag.get(tag, (0, ()))
            of_tag[tag] = (before + count, tags if len(tags) > 1 else among)
    alone = len(of_tag) == 1 and len(counts) == 1
    for tag, (count, among) in sorted(of_tag.items()):
        confidence = Confidence.EXACT if alone else Confidence.SHARE
        yield Served(tag, confidence, count, count / counts.total(), among)
