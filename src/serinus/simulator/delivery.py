"""A healthy answer as steps: when the gateway sends what."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Final

from serinus.simulator import tokens
from serinus.simulator.draft import Draft
from serinus.simulator.framing import Framer
from serinus.simulator.scenario import Latency
from serinus.simulator.steps import DONE, Chunk, Comment, Open, Raw, Step, Wait

COMMENT_EVERY: Final = 2.0  # seconds between the gateway's signs of life
_TOKENS_A_CHUNK: Final = (1, 1, 2, 3)  # hosts batch a few tokens per event


def streamed(framer: Framer, draft: Draft, latency: Latency, chance: random.Random) -> Iterator[Step]:
    """Comments until the host speaks, a role, reasoning, text or calls, the finish, usage, the end."""
    yield Open()
    yield from quiet(_jittered(latency.first_text, latency, chance))
    yield Chunk(framer.text(""))
    for data, size in _said(framer, draft, chance):
        yield Chunk(data)
        if latency.per_token:
            yield Wait(_jittered(latency.per_token * size, latency, chance))
    yield Chunk(framer.chunk({"content": ""}, draft.finish, draft.native))
    yield Chunk(framer.last(framer.usage(draft)))
    yield DONE


def whole(framer: Framer, draft: Draft, latency: Latency, chance: random.Random) -> Iterator[Step]:
    """The answer as one body, after all the time its writing takes."""
    said = tokens.count(draft.text or "") + tokens.count(draft.reasoning)
    yield Wait(_jittered(latency.first_text + latency.per_token * said, latency, chance))
    yield Open()
    yield Raw(json.dumps(framer.body(draft), ensure_ascii=False).encode("utf-8", "surrogatepass"))


def quiet(seconds: float) -> Iterator[Step]:
    """Waiting with the gateway's comments, the first of them at once."""
    yield Comment()
    while seconds > COMMENT_EVERY:
        yield Wait(COMMENT_EVERY)
        yield Comment()
        seconds -= COMMENT_EVERY
    if seconds > 0:
        yield Wait(seconds)


def _said(framer: Framer, draft: Draft, chance: random.Random) -> Iterator[tuple[dict[str, object], int]]:
    for piece, size in _batches(draft.reasoning, chance):
        yield framer.reasoning(piece), size
    if draft.refusal is not None:
        yield framer.chunk({"content": "", "refusal": draft.refusal}), tokens.count(draft.refusal)
    for piece, size in _batches(draft.text or "", chance):
        yield framer.text(piece), size
    for data in framer.calls(draft.calls):
        yield data, 4


def _batches(text: str, chance: random.Random) -> Iterator[tuple[str, int]]:
    pieces = tokens.pieces(text)
    at = 0
    while at < len(pieces):
        size = chance.choice(_TOKENS_A_CHUNK)
        yield "".join(pieces[at : at + size]), size
        at += size


def _jittered(seconds: float, latency: Latency, chance: random.Random) -> float:
    return seconds * max(0.0, 1.0 + chance.uniform(-latency.jitter, latency.jitter))
