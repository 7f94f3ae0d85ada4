"""Shares with their intervals as small pictures in a table's rows, which say the same in numbers."""

from __future__ import annotations

from typing import Final

from markupsafe import Markup

from serinus.core.intervals import Interval

WIDTH: Final = 240
EDGE: Final = 8
MIDDLE: Final = 12
HEIGHT: Final = 24
QUARTERS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)


def _x(share: float) -> float:
    return EDGE + share * (WIDTH - 2 * EDGE)


def interval(share: float, found: Interval, peers: float | None, *, bad: bool) -> Markup:
    """A share as a mark, a square where it stands out; its interval as a line; its peers' share dashed."""
    parts = [_grid()]
    if peers is not None:
        parts.append(f'<path class=peers d="M{_x(peers):.1f} 2v20"/>')
    low, high, at = _x(found.low), _x(found.high), _x(share)
    kind = "ci late" if bad else "ci"
    parts.append(f'<path class="{kind}" d="M{low:.1f} 8v8M{high:.1f} 8v8M{low:.1f} {MIDDLE}H{high:.1f}"/>')
    parts.append(
        f'<path class="late" d="M{at - 5:.1f} 7h10v10h-10z"/>'
        if bad
        else f'<circle class=dot cx="{at:.1f}" cy="{MIDDLE}" r="4.500"/>'
    )
    return _svg("".join(parts), HEIGHT)


def axis() -> Markup:
    """The head of the column: 0, 50 and 100 %."""
    words = "".join(
        f'<text x="{_x(share):.0f}" y="13" text-anchor="{anchor}">{share * 100:.0f} %</text>'
        for share, anchor in ((0.0, "start"), (0.5, "middle"), (1.0, "end"))
    )
    return _svg(words, 16)


def _grid() -> str:
    return f'<path class=axis fill=none d="{"".join(f"M{_x(q):.1f} 0V{HEIGHT}" for q in QUARTERS)}"/>'


def _svg(parts: str, height: int) -> Markup:
    head = f'<svg class="chart interval" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    return Markup(f'{head} aria-hidden="true">{parts}</svg>')  # noqa: S704  numbers and words of ours
