"""Rounds as a bar of ticks, drawn in a hundred bytes: ticks of one kind are one dashed line.

A kept promise is a tick of middle height, a broken one full and wide, an undecided one low, no answer
a dot at the foot: the shape says it without the colour.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import groupby
from typing import Final

from markupsafe import Markup

from serinus.core.explain import of_words
from serinus.service.board import NO_ROUND
from serinus.web.pages.marks import BY_LETTER, NO_FINDING

WIDTH: Final = 2  # of a tick and the gap behind it
# The middle of each kind's line; its thickness is in the style sheet.
_MIDDLE: Final = {"p": "10.5", "f": "8", "i": "13", "w": "11", "t": "15", "n": "15.5"}


@lru_cache(maxsize=4096)
def bar(letters: str, span: str) -> Markup:
    """A bar of these letters, one a slot; `span` says which time it shows."""
    lines: dict[str, list[str]] = {}
    at = 0
    for letter, same in groupby(letters):
        length = sum(1 for _ in same)
        if letter != NO_ROUND:
            css = BY_LETTER.get(letter, NO_FINDING).css
            lines.setdefault(css, []).append(f"M{at * WIDTH} {_MIDDLE[css]}h{length * WIDTH}")
        at += length
    drawn = "".join(f'<path class={css} d="{"".join(runs)}"/>' for css, runs in lines.items())
    label = said(letters, span)
    box = f'viewBox="0 0 {at * WIDTH} 16" preserveAspectRatio=none'  # wide or narrow, it fills its place
    return Markup(f'<svg class=b {box} role=img aria-label="{label}">{drawn}</svg>')  # noqa: S704  letters and words of ours


def said(letters: str, span: str) -> str:
    """What a bar shows, in words."""
    counts = Counter(BY_LETTER.get(letter, NO_FINDING).called for letter in letters if letter != NO_ROUND)
    ordered = {called: counts[called] for called in _ORDER if counts[called]}
    return of_words(ordered, sum(counts.values()), span)


_ORDER: Final = tuple(dict.fromkeys(m.called for m in BY_LETTER.values()))
