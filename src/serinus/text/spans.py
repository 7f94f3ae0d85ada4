"""Parts of a text that are read otherwise: code, quotations; and how to show a piece of evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

Span = tuple[int, int]

SHOWN: Final = 60  # characters of a piece shown as evidence
PIECES: Final = 3  # pieces shown

# Fenced blocks first, then code between backticks on one line. A fence that is never closed is no code.
_CODE: Final = re.compile(r"```.*?```|`[^`\n]{1,200}`", re.DOTALL)
# Pairs of marks that quote or set apart; inside, the closing mark and line ends are excluded.
_QUOTED: Final = re.compile(
    r'"[^"\n]{2,240}"|“[^”\n]{2,240}”|„[^“”"\n]{2,240}[“”"]|«[^»\n]{2,240}»|»[^«\n]{2,240}«|‹[^›\n]{2,240}›'
    r"|‘[^‘\n]{2,240}?’(?!\w)|(?<!\w)'[^'\n]{2,240}'(?!\w)"
    r"|♪[^♪\n]{2,240}♪?|「[^」\n]{2,160}」|『[^』\n]{2,160}』|《[^》\n]{2,160}》|\([^()\n]{1,160}\)|（[^（）\n]{1,160}）|\[[^\[\]\n]{1,160}\]"
)
# A line of speech within which speech is quoted.
_QUOTED_LINE: Final = re.compile(r"^[ \t]*[\"“„«「『‘'].{2,400}[\"”“»」』’'][ \t]*$", re.MULTILINE)


def mask_code(text: str) -> str:
    """The text with its code spans blanked, so that every offset still holds."""
    return _CODE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text) if "`" in text else text


def quotations(text: str) -> list[Span]:
    """Where something is quoted or set apart, marks included; then the lines that are quoted as a whole."""
    return [m.span() for m in _QUOTED.finditer(text)] + [m.span() for m in _QUOTED_LINE.finditer(text)]


def inside(start: int, end: int, spans: Iterable[Span]) -> Span | None:
    """The first of the spans that holds this one wholly."""
    return next(((a, b) for a, b in spans if a <= start and end <= b), None)


def shown(text: str) -> str:
    """A piece of text fit for a report: short, on one line, without what no encoder accepts."""
    clean = text.encode("utf-8", "backslashreplace").decode("utf-8")
    clean = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in clean)
    return clean if len(clean) <= SHOWN else clean[: SHOWN - 1] + "…"


def pieces(text: str, spans: Sequence[Span]) -> list[dict[str, Any]]:
    """The first few spans as evidence: offsets in code points, and the text there."""
    return [{"start": a, "end": b, "text": shown(text[a:b])} for a, b in spans[:PIECES]]
