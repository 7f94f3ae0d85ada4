"""Prompt tokens as a fingerprint: who counts the same prompt unlike the others (R30).

Healthy hosts of one model count a prompt alike, across engines and precisions; another template
shifts the count by a constant, another model by amounts of its own (measured on real engines:
-1, -4, +42, +70). It corroborates a finding and is never held against a route by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median_low
from typing import Final

from serinus.service.answers import Answered

PEERS: Final = 4  # fewer routes have no majority worth the name
WOBBLE: Final = 8  # each route has a nonce of its own, of two words: up to so many tokens apart


@dataclass(frozen=True, slots=True)
class Shift:
    """A route that counts `tokens` for a probe where most of its peers count about `usual`."""

    tag: str
    probe: str
    tokens: int
    usual: int


def shifts(answered: Sequence[Answered]) -> tuple[Shift, ...]:
    """The routes whose count of the same first probe stands apart, where most others agree."""
    counts: dict[str, list[tuple[str, int]]] = {}
    for answer in answered:
        usage = answer.transcript.answer.usage
        if answer.ask.attempt == 0 and usage is not None and usage.prompt_tokens:
            tag = answer.ask.offer.route.tag
            counts.setdefault(answer.ask.probe.key, []).append((tag, usage.prompt_tokens))
    return tuple(shift for probe, of in sorted(counts.items()) for shift in _apart(probe, of))


def _apart(probe: str, counts: Sequence[tuple[str, int]]) -> list[Shift]:
    usual = median_low(tokens for _, tokens in counts)
    apart = [(tag, tokens) for tag, tokens in counts if abs(tokens - usual) > WOBBLE]
    if len(counts) < PEERS or len(apart) * 2 >= len(counts):
        return []
    return [Shift(tag, probe, tokens, usual) for tag, tokens in apart]
