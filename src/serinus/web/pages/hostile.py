"""Answers of hosts on a page: every character shown, none obeyed, what a verdict rests on marked."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

from markupsafe import Markup, escape

from serinus.text.inert import escape as escaped
from serinus.text.inert import joins, unsafe

LONGEST: Final = 4000  # characters of an answer that are shown at once
AROUND: Final = 400  # characters kept before a marked place that lies further in
_STRANGE: Final = re.compile(r"[^\x20-\x7e]")
_REFERENCE: Final = re.compile(r"\0(\d+)\0")  # no text of a page holds U+0000: it was one of the unsafe

Span = tuple[int, int]


def shown(text: str, limit: int = 600) -> Markup:
    """A text of hosts within a line, its unsafe characters as marked escapes."""
    cut = Markup("<span class=cut>…</span>") if len(text) > limit else Markup()
    return _inline(text[:limit]) + cut


def exact(text: str) -> Markup:
    """A text as the value of an attribute: it comes back as it was, and the page's source is inert."""
    if text.isascii() and text.isprintable():
        return escape(text)
    safe = _STRANGE.sub(lambda m: f"\0{ord(m[0])}\0" if unsafe(m[0]) else m[0], text)
    return Markup(_REFERENCE.sub(r"&#\1;", str(escape(safe))))  # noqa: S704  escaped; numbers are added


def passage(text: str, spans: Sequence[Span] = ()) -> Markup:
    """A whole answer: its lines kept, the spans marked, what is too long left out and counted."""
    begin, end = _window(len(text), spans)
    pieces: list[Markup] = [_left_out(begin)] if begin else []
    at = begin
    for a, b in _apart(spans, begin, end):
        pieces += [_lines(text[at:a]), Markup("<mark>{}</mark>").format(_lines(text[a:b]))]
        at = b
    pieces.append(_lines(text[at:end]))
    if end < len(text):
        pieces.append(_left_out(len(text) - end))
    return Markup().join(pieces)


def _window(length: int, spans: Sequence[Span]) -> Span:
    """What of a long text is shown: its beginning, or where the first marked place is."""
    first = min((a for a, _ in spans), default=0)
    begin = max(0, first - AROUND) if first > LONGEST - AROUND else 0
    return begin, min(length, begin + LONGEST)


def _apart(spans: Iterable[Span], begin: int, end: int) -> Iterable[Span]:
    """The spans within the window, in order, none within another."""
    at = begin
    for a, b in sorted(spans):
        low, high = max(a, at), min(b, end)
        if low < high:
            yield low, high
            at = high


def _left_out(number: int) -> Markup:
    return Markup("<span class=cut>… {} characters more …</span>").format(f"{number:,}")


def _lines(text: str) -> Markup:
    """Line ends stay line ends; everything else that is unsafe is an escape."""
    return Markup("\n").join(_inline(line) for line in text.split("\n"))


def _inline(text: str) -> Markup:
    if text.isascii() and text.isprintable():
        return escape(text)
    pieces: list[str] = []
    at = 0
    for match in _STRANGE.finditer(text):
        n = match.start()
        if unsafe(text[n]) and not joins(text, n):
            pieces += [escape(text[at:n]), _visible(text[n])]
            at = n + 1
    return Markup("").join([*pieces, escape(text[at:])])


def _visible(character: str) -> Markup:
    name = unicodedata.name(character, "")
    title = f"U+{ord(character):04X} {name}".strip()
    return Markup('<span class=esc title="{}">{}</span>').format(title, escaped(character))
