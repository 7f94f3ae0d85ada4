"""Answers that are too large, packed, or never come to the end of a line."""

from __future__ import annotations

import gzip

from serinus.simulator.faults.registry import Case, Stage, at
from serinus.simulator.faults.streams import share
from serinus.simulator.steps import Chunk, Head, Open, Raw, Step, encoded

_MEGABYTE = 1_000_000
_BLOCK = 64_000  # bytes of one write


@at(Stage.STREAM, kinds=("roleplay",), bodies=False)
def huge_answer(steps: list[Step], case: Case, *, megabytes: float = 5.0) -> list[Step]:
    """After the first words the stream carries megabytes of text."""
    block = case.framer.text("and on it goes " * (_BLOCK // 15))
    count = max(1, int(megabytes * _MEGABYTE / _BLOCK))
    place = share(steps, 0.2)
    return [*steps[:place], *(Chunk(block) for _ in range(count)), *steps[place:]]


@at(Stage.STREAM, bodies=False)
def endless_line(steps: list[Step], case: Case, *, megabytes: float = 5.0) -> list[Step]:
    """One line of the stream grows and grows, and its end never comes."""
    del case
    count = max(1, int(megabytes * _MEGABYTE / _BLOCK))
    blocks = [Raw(b"x" * _BLOCK) for _ in range(count)]
    return [*steps[: share(steps, 0.2)], Raw(b'data: {"choices": [{"delta": {"content": "'), *blocks]


@at(Stage.STREAM, harmless=True)
def gzip_answer(steps: list[Step], case: Case) -> list[Step]:
    """The answer comes compressed, although nobody asked for it."""
    del case
    packed = gzip.compress(b"".join(encoded(step) for step in steps), mtime=0)
    return [Head("Content-Encoding", "gzip"), Open(), Raw(packed)]


@at(Stage.STREAM, bodies=False, harmless=True)
def wrong_content_type(steps: list[Step], case: Case, *, content_type: str = "text/plain") -> list[Step]:
    """The stream is declared as something else."""
    del case
    return [Head("Content-Type", content_type), *steps]
