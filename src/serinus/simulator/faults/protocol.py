"""Streams that say the right thing in odd frames; many of them are legal, none changes the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from serinus.simulator.faults.registry import Case, Stage, at
from serinus.simulator.faults.streams import delta, finishing, said, share
from serinus.simulator.steps import DONE, Chunk, Raw, Step, encoded


@at(Stage.STREAM, bodies=False)
def changed_ids(steps: list[Step], case: Case) -> list[Step]:
    """The id of the chunks changes inside one stream."""
    half = share(steps, 0.5)
    other = f"{case.framer.id}-b"
    return [
        Chunk({**s.data, "id": other}) if i >= half and isinstance(s, Chunk) else s
        for i, s in enumerate(steps)
    ]


@at(Stage.STREAM, kinds=("roleplay",), bodies=False)
def text_after_finish(steps: list[Step], case: Case, *, text: str = " And one more thing.") -> list[Step]:
    """A chunk of text comes after the chunk with the finish reason."""
    place = finishing(steps)
    if place is None:
        return steps
    return [*steps[: place + 1], Chunk(case.framer.text(text)), *steps[place + 1 :]]


@at(Stage.STREAM, bodies=False)
def repeated_event(steps: list[Step], case: Case, *, count: int = 2) -> list[Step]:
    """A few events are delivered twice."""
    places = said(steps)
    twice = set(case.chance.sample(places, k=min(count, len(places))))
    return [s for i, step in enumerate(steps) for s in ((step, step) if i in twice else (step,))]


@at(Stage.STREAM, kinds=("roleplay",), bodies=False)
def doubled_tokens(steps: list[Step], case: Case) -> list[Step]:
    """Every piece of text is sent twice."""
    del case
    places = set(said(steps))
    return [s for i, step in enumerate(steps) for s in ((step, step) if i in places else (step,))]


@at(Stage.STREAM, bodies=False)
def broken_event(steps: list[Step], case: Case, *, after: float = 0.5) -> list[Step]:
    """One event's JSON is cut off; the stream goes on."""
    del case
    place = share(steps, after)
    cut = encoded(steps[place])[:-20] + b"\n\n"
    return [*steps[:place], Raw(cut), *steps[place + 1 :]]


@at(Stage.STREAM, bodies=False)
def missing_delta(steps: list[Step], case: Case) -> list[Step]:
    """Some chunks have a choice without a delta, or with a null one."""
    empty = case.framer.text("")
    bare = {**empty, "choices": [{"index": 0, "finish_reason": None}]}
    null = {**empty, "choices": [{"index": 0, "delta": None, "finish_reason": None}]}
    place = share(steps, 0.5)
    return [*steps[:place], Chunk(bare), Chunk(null), *steps[place:]]


@at(Stage.STREAM, bodies=False, harmless=True)
def usage_everywhere(steps: list[Step], case: Case) -> list[Step]:
    """Usage stands in every chunk, growing (some hosts do so; the last one counts)."""
    total = len(said(steps)) or 1
    asked = case.ask.prompt_tokens

    def told() -> Iterator[Step]:
        done = 0
        for step in steps:
            if isinstance(step, Chunk) and delta(step):
                done += 1
                usage = case.framer.bill(asked, min(done, total))
                yield Chunk({**step.data, "usage": usage})
            else:
                yield step

    return list(told())


@at(Stage.STREAM, bodies=False, harmless=True)
def split_last_chunk(steps: list[Step], case: Case) -> list[Step]:
    """Usage and routing metadata come in two chunks instead of one (legal)."""
    del case
    found: list[Step] = []
    for step in steps:
        if isinstance(step, Chunk) and "usage" in step.data and "openrouter_metadata" in step.data:
            without = {k: v for k, v in step.data.items() if k != "openrouter_metadata"}
            found += [Chunk(without), Chunk({k: v for k, v in step.data.items() if k != "usage"})]
        else:
            found.append(step)
    return found


@at(Stage.STREAM, bodies=False, harmless=True)
def one_byte_chunks(steps: list[Step], case: Case) -> list[Step]:
    """Every byte is a write of its own, so that characters and events are split over reads (legal)."""
    del case
    found: list[Step] = []
    for step in steps:
        data = encoded(step)
        found += [Raw(data[i : i + 1]) for i in range(len(data))] or [step]
    return found


@at(Stage.STREAM, bodies=False, harmless=True)
def odd_lines(steps: list[Step], case: Case) -> list[Step]:
    """Lines end in CR LF and there is no blank after `data:` (legal)."""
    del case
    return [
        Raw(data.replace(b"\n", b"\r\n").replace(b"data: ", b"data:", 1)) if (data := encoded(step)) else step
        for step in steps
    ]


@at(Stage.STREAM, kinds=("roleplay",), bodies=False)
def invalid_utf8(steps: list[Step], case: Case, *, count: int = 3) -> list[Step]:
    """Some characters lose a byte on the wire: the stream is not valid UTF-8."""
    wide = [i for i in said(steps) if any(byte >= 0x80 for byte in encoded(steps[i]))]  # noqa: PLR2004  not ASCII
    struck = set(case.chance.sample(wide, k=min(count, len(wide)))) if wide else set(said(steps)[:count])

    def broken(data: bytes) -> bytes:
        place = next((i for i, byte in enumerate(data) if byte >= 0xC0), None)  # noqa: PLR2004  a lead byte
        if place is None:
            return data.replace(b'"content": "', b'"content": "\xe2\x80', 1)
        return data[: place + 1] + data[place + 2 :]

    return [Raw(broken(encoded(step))) if i in struck else step for i, step in enumerate(steps)]


@at(Stage.STREAM, kinds=("roleplay", "structured"), bodies=False)
def content_parts(steps: list[Step], case: Case) -> list[Step]:
    """The content is a list of parts instead of a string."""
    del case

    def parts(data: dict[str, Any]) -> dict[str, Any]:
        choice = dict(data["choices"][0])
        text = choice["delta"].get("content")
        choice["delta"] = {**choice["delta"], "content": [{"type": "text", "text": text}]}
        return {**data, "choices": [choice]}

    return [
        replace(s, data=parts(dict(s.data))) if isinstance(s, Chunk) and delta(s).get("content") else s
        for s in steps
    ]


@at(Stage.STREAM, bodies=False)
def empty_choices(steps: list[Step], case: Case) -> list[Step]:
    """The stream carries chunks with empty choices alone, then the end mark."""
    bare = {**case.framer.text(""), "choices": []}
    return [
        *(s for s in steps[: share(steps, 0.0)] if not isinstance(s, Chunk)),
        Chunk(bare),
        Chunk(bare),
        DONE,
    ]


@at(Stage.STREAM, kinds=("roleplay",), bodies=False, harmless=True)
def odd_separators(steps: list[Step], case: Case) -> list[Step]:
    """Next-line and line-separator characters stand raw inside an event's JSON (legal)."""
    place = share(steps, 0.5)
    return [*steps[:place], Chunk(case.framer.text("\u2028\u0085")), *steps[place:]]
