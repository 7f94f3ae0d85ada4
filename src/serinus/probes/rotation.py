"""Which of several prompts a turn takes: in step with the rounds, whatever else goes in step too."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

from serinus.core.model import Turn

T = TypeVar("T")


def position(index: int, size: int) -> int:
    """The place in a pool of `size` prompts that round `index` takes, from 0 to `size` - 1.

    Each block of `size` rounds goes once through the pool, from a start that looks random. A plain
    remainder would marry prompts to languages: with four languages and four prompts, rounds 0, 4 and 8
    of one language would all take prompt 0.
    """
    block = index // size
    return (index + _number(f"block {block}")) % size


def another(index: int, size: int, attempt: int) -> int:
    """The place that an attempt of round `index` takes; 0 is the first.

    Three attempts take three places. Of six prompts or more those of the next round are three others: what
    failed is asked again then, and a prompt that trips a healthy route must not be asked twice for it.
    """
    stride = 2 if size > 4 else 1  # noqa: PLR2004  by twos, four places would meet one twice
    return (position(index, size) + stride * attempt) % size


def draw(turn: Turn, purpose: str, size: int) -> int:
    """A number from 0 to `size` - 1 that looks random and depends on this turn and purpose alone."""
    return _number("\x1f".join((turn.round, turn.tag, str(turn.attempt), purpose))) % size


def choose(turn: Turn, purpose: str, pool: Sequence[T]) -> T:
    """One member of the pool, drawn for this turn and purpose."""
    return pool[draw(turn, purpose, len(pool))]


def _number(name: str) -> int:
    return int.from_bytes(blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
