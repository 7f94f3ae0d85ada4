"""Which of several prompts a turn takes: in step with the rounds, whatever else goes in step too."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

from serinus.core.model import Turn

T = TypeVar("T")


def position(index: int, size: int) -> int:
    """The place in a pool of `size` prompts that round `index` takes, from 0 to `size` - 1.

    It is the digit sum of `index` in base `size`. A plain remainder would marry prompts to languages:
    with four languages and four prompts, rounds 0, 4 and 8 of one language would all take prompt 0.
    The digit sum is spread evenly over every arithmetic progression, because `size` and `size` - 1
    have no common divisor (Gelfond 1968): rounds 0, 4, 8, 12 take prompts 0, 1, 2, 3.
    """
    if size == 1:
        return 0
    total = 0
    while index:
        index, digit = divmod(index, size)
        total += digit
    return total % size


def draw(turn: Turn, purpose: str, size: int) -> int:
    """A number from 0 to `size` - 1 that looks random and depends on this turn and purpose alone."""
    name = "\x1f".join((turn.round, turn.tag, str(turn.attempt), purpose))
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big") % size


def choose(turn: Turn, purpose: str, pool: Sequence[T]) -> T:
    """One member of the pool, drawn for this turn and purpose."""
    return pool[draw(turn, purpose, len(pool))]
