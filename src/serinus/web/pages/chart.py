"""Times to first token as a picture that the server draws: what a browser without JavaScript shows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from markupsafe import Markup

WIDTH: Final = 760
HEIGHT: Final = 220
LEFT: Final = 44
RIGHT: Final = 12
TOP: Final = 12
BOTTOM: Final = 24
MARKS: Final = 4  # instants named at the foot

Points = Sequence[tuple[datetime, float]]


def times(points: Points, limit: float, since: datetime, at: datetime) -> Markup:
    """The points between two instants, the limit as a dashed line; late ones are squares."""
    top = max([limit, *(seconds for _, seconds in points)]) * 1.08
    span = (at - since).total_seconds() or 1.0

    def x(moment: datetime) -> float:
        return LEFT + (moment - since).total_seconds() / span * (WIDTH - LEFT - RIGHT)

    def y(seconds: float) -> float:
        return HEIGHT - BOTTOM - seconds / top * (HEIGHT - TOP - BOTTOM)

    drawn = [
        f'<path class=axis fill=none d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}"/>',
        f'<path class=limit d="M{LEFT} {y(limit):.1f}H{WIDTH - RIGHT}"/>',
        f'<text x="{WIDTH - RIGHT}" y="{y(limit) - 5:.1f}" text-anchor=end>limit {limit:g} s</text>',
        f'<text x="{LEFT - 6}" y="{y(0):.1f}" text-anchor=end>0 s</text>',
        f'<text x="{LEFT - 6}" y="{TOP + 8}" text-anchor=end>{top:.0f} s</text>',
    ]
    for n in range(MARKS + 1):
        moment = since + (at - since) * n / MARKS
        anchor = "start" if n == 0 else "end" if n == MARKS else "middle"
        day = "%d %b" if span > 2 * 86400 else "%H:%M"
        label = f"{moment.astimezone(UTC):{day}}"
        drawn.append(f'<text x="{x(moment):.0f}" y="{HEIGHT - 6}" text-anchor={anchor}>{label}</text>')
    for moment, seconds in points:
        a, b = x(moment), y(seconds)
        drawn.append(
            f'<path class=late d="M{a - 3:.1f} {b - 3:.1f}h6v6h-6z"/>'
            if seconds > limit
            else f'<circle class=dot cx="{a:.1f}" cy="{b:.1f}" r="2.500"/>'
        )
    label = said(points, limit)
    head = f'<svg class=chart viewBox="0 0 {WIDTH} {HEIGHT}" role=img aria-label="{label}">'
    return Markup(f"{head}{''.join(drawn)}</svg>")  # noqa: S704  numbers and words of ours


def said(points: Points, limit: float) -> str:
    """What the picture shows, for who cannot see it."""
    if not points:
        return "No answer was timed."
    seconds = sorted(s for _, s in points)
    late = sum(s > limit for s in seconds)
    middle = seconds[len(seconds) // 2]
    return (
        f"{len(seconds)} timed: median {middle:.2f} s, slowest {seconds[-1]:.2f} s, "
        f"{late} later than the limit of {limit:g} s"
    )


def data(points: Points) -> str:
    """The points for the script that draws them anew: seconds since 1970, seconds."""
    return json.dumps([[int(moment.timestamp()), round(seconds, 3)] for moment, seconds in points])
