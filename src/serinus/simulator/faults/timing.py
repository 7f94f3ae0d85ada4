"""Late, slow and silent hosts."""

from __future__ import annotations

from collections.abc import Iterator

from serinus.simulator.delivery import COMMENT_EVERY, quiet
from serinus.simulator.faults.registry import Case, Stage, at
from serinus.simulator.faults.streams import before_text, delta, finishing, said, share
from serinus.simulator.steps import Chunk, Comment, Hold, Open, Step, Wait

_LONG = 600.0  # seconds of comments before a silent hold; longer than any client waits


@at(Stage.STREAM)
def slow_first_token(steps: list[Step], case: Case, *, seconds: float = 14.0) -> list[Step]:
    """The first text comes only after `seconds`; until then a stream has the gateway's comments alone."""
    if not case.ask.stream:
        return [Wait(seconds), *steps]
    first = before_text(steps)
    return [*_until(steps, first), *quiet(seconds), *steps[first:]]


@at(Stage.STREAM, bodies=False)
def slow_after_role(steps: list[Step], case: Case, *, seconds: float = 14.0) -> list[Step]:
    """A chunk with a role and no text comes at once, the first text after `seconds`."""
    first = before_text(steps)
    return [Open(), *_empty(case, ""), *quiet(seconds), *steps[first:]]


@at(Stage.STREAM, kinds=("roleplay",), bodies=False)
def slow_after_whitespace(steps: list[Step], case: Case, *, seconds: float = 14.0) -> list[Step]:
    """A newline and a zero-width blank come at once, the first visible text after `seconds`."""
    first = before_text(steps)
    return [Open(), *_empty(case, "\n"), *_empty(case, "\u200b"), *quiet(seconds), *steps[first:]]


@at(Stage.STREAM, bodies=False)
def slow_after_reasoning(steps: list[Step], case: Case, *, seconds: float = 14.0) -> list[Step]:
    """Reasoning streams from the start although none was asked for, the first text comes after `seconds`."""
    first = before_text(steps)
    thoughts: list[Step] = []
    for _ in range(max(1, int(seconds))):
        thoughts += [Chunk(case.framer.reasoning("Let me think about the scene. ")), Wait(min(1.0, seconds))]
    return [Open(), Comment(), *thoughts, *steps[first:]]


@at(Stage.STREAM, kinds=("tool_call",), bodies=False)
def tool_arguments_withheld(steps: list[Step], case: Case, *, seconds: float = 12.0) -> list[Step]:
    """The call's name comes in time, and its arguments only after `seconds` of comments (slow, and whole)."""
    del case
    first = before_text(steps)
    return [*steps[: first + 1], *quiet(seconds), *steps[first + 1 :]]


@at(Stage.STREAM)
def comments_only(steps: list[Step], case: Case) -> list[Step]:
    """The stream opens and then carries nothing but the gateway's comments; another answer never begins."""
    del steps
    return [Open(), *quiet(_LONG), Hold()] if case.ask.stream else [Wait(_LONG), Hold()]


@at(Stage.STREAM)
def silence(steps: list[Step], case: Case) -> list[Step]:
    """The request is taken and nothing comes back, not even a status line."""
    del steps, case
    return [Hold()]


@at(Stage.STREAM)
def open_silence(steps: list[Step], case: Case) -> list[Step]:
    """Status 200 and headers come, then nothing at all while the connection stays open."""
    del steps, case
    return [Open(), Hold()]


@at(Stage.STREAM, bodies=False, harmless=True)
def held_headers(steps: list[Step], case: Case) -> list[Step]:
    """The status line and the headers come together with the first text (legal, and no fault of a host)."""
    del case
    first = before_text(steps)
    waits = [s for s in steps[:first] if isinstance(s, Wait)]
    return [*waits, Open(), *steps[first:]]


@at(Stage.STREAM, kinds=("roleplay", "structured"), bodies=False)
def one_burst(steps: list[Step], case: Case, *, seconds: float = 12.0) -> list[Step]:
    """The host writes first and sends then: all text comes in one event after `seconds`."""
    text = "".join(str(delta(s).get("content") or "") for s in steps)
    places = said(steps)
    if not places or not text:
        return steps
    return [Open(), *quiet(seconds), Chunk(case.framer.text(text)), *steps[places[-1] + 1 :]]


@at(Stage.STREAM, bodies=False)
def stall_mid_answer(
    steps: list[Step], case: Case, *, after: float = 0.3, seconds: float = 0.0
) -> list[Step]:
    """After a share of the answer only comments come, for `seconds` and then the rest; 0 is for ever."""
    del case
    place = share(steps, after)
    if seconds:
        return [*steps[:place], *quiet(seconds), *steps[place:]]
    return [*steps[:place], *quiet(_LONG), Hold()]


@at(Stage.STREAM, bodies=False)
def unterminated(steps: list[Step], case: Case) -> list[Step]:
    """The finish reason comes, then neither the end mark nor a close: the socket stays open."""
    del case
    place = finishing(steps)
    return [*steps[: place + 1], Hold()] if place is not None else [*steps, Hold()]


@at(Stage.STREAM, bodies=False)
def slow_stream(steps: list[Step], case: Case, *, per_event: float = 0.5) -> list[Step]:
    """Text comes in time but drips, with `per_event` seconds between two events."""
    del case

    def dripping() -> Iterator[Step]:
        places = set(said(steps))
        for i, step in enumerate(steps):
            yield step
            if i in places:
                yield Wait(per_event)

    return list(dripping())


def _until(steps: list[Step], place: int) -> list[Step]:
    kept: list[Step] = [s for s in steps[:place] if not isinstance(s, Wait | Comment)]
    return kept if any(isinstance(s, Open) for s in kept) else [Open(), *kept]


def _empty(case: Case, content: str) -> list[Step]:
    return [Chunk(case.framer.text(content)), Wait(min(0.2, COMMENT_EVERY))]
