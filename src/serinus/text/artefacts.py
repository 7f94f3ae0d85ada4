"""Traces of encoding, escaping and tokenizers that no reader should see."""

from __future__ import annotations

import html.entities
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from serinus.text.signs import Sign
from serinus.text.spans import Span

# Counts from which a trace is proof. One of a kind may be typed on purpose; research saw none of these
# counts in 28,219 clean passages.
REPLACED: Final = 2  # U+FFFD before the end of the text
CONTROLS: Final = 2
PRIVATE: Final = 3
ESCAPES: Final = 3
ENTITIES: Final = 2
TAGS: Final = 4
METASPACES: Final = 3
GLUED_MARKS: Final = 2
INNER_SYMBOLS: Final = 4
TAIL: Final = 3  # U+FFFD this close to the end: the cap cut a character in two

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
# U+0085 is a line end, so it only adds to the count where other controls stand.
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]")
_PRIVATE: Final = re.compile("[\ue000-\uf8ff\U000f0000-\U0010fffd]")
_ESCAPE: Final = re.compile(r"\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\U[0-9a-fA-F]{8}|\\u\{[0-9a-fA-F]{1,6}\}")
_LINE_ESCAPE: Final = re.compile(r"\\[nrt\"](?![a-z]{3,}\\)")
_ENTITY: Final = re.compile(r"&(?:#\d{2,7}|#x[0-9a-fA-F]{2,6}|[a-zA-Z]{2,8}[0-9]{0,2});")
_TAG: Final = re.compile(
    r"</?(?:br|p|div|span|b|i|em|strong|a|li|ul|ol|h[1-6]|td|tr|table|html|body|font)(?:\s[^<>]{0,80})?/?>",
    re.IGNORECASE,
)
_BYTE: Final = re.compile(r"<0x[0-9A-Fa-f]{2}>")
# The prompt is about HTML: then entities and tags are the answer.
_ABOUT_MARKUP: Final = re.compile(r"\b(?:x?html|xml|entit|markup|web ?page|svg)|&\w+;|</?\w+>", re.IGNORECASE)
# The blank of SentencePiece between or before letters; alone or in rows it is a drawn bar.
_METASPACE: Final = re.compile(r"(?<![\u2580-\u259f])▁(?=[^\W\d_])|(?<=[^\W\d_])▁(?![\u2580-\u259f])")
# The blank and line end of byte-level BPE glued to what stands before. In Maltese Ġ begins a word, also after
# an article, or continues one in capitals.
_BPE_MARK: Final = re.compile(r"(?<=[^\sA-ZÀ-ÞĠĊĦŻ'’(“„«\-–—])[ĠĊ]+|[ĠĊ]{2,}")
# A symbol inside a word: what letters of one 8-bit code page look like in another. The middle dot is Catalan,
# the soft hyphen legal, `ª` and `º` ordinals.
_INNER_SYMBOL: Final = re.compile(r"(?<=[^\W\d_])(?:[¡-©«¬®-´¶¸¹»-¿×÷](?=[^\W\d_])|[¡-©¬®-´¶¸¹¼-¾×÷]{2})")


@dataclass(frozen=True, slots=True)
class _Trace:
    """A kind of trace: how it is matched, how often it is proof, and how often it is nothing at all."""

    pattern: re.Pattern[str]
    code: str
    needed: int
    what: str
    tolerated: int = 0
    shown: str = ""  # a prompt that shows this is about it


_TRACES: Final = (
    _Trace(_SURROGATE, "lone_surrogate", 1, "halves of surrogate pairs stand alone"),
    _Trace(_BYTE, "byte_tokens", 1, "byte tokens are printed", shown="<0x"),
    _Trace(_METASPACE, "byte_tokens", METASPACES, "blanks are printed as U+2581", tolerated=1, shown="▁"),
    _Trace(_BPE_MARK, "byte_tokens", GLUED_MARKS, "blanks or line ends are printed as Ġ or Ċ", shown="Ġ"),
    _Trace(_CONTROL, "control_character", CONTROLS, "control characters stand in the text"),
    _Trace(_PRIVATE, "control_character", PRIVATE, "private-use characters stand in the text"),
    _Trace(_ESCAPE, "escape_sequences", ESCAPES, "escape sequences are printed", shown="\\"),
    _Trace(_LINE_ESCAPE, "escape_sequences", ESCAPES, "escaped line ends or quotes are printed", shown="\\"),
    _Trace(
        _INNER_SYMBOL, "mojibake", INNER_SYMBOLS, "symbols stand inside words", tolerated=INNER_SYMBOLS - 1
    ),
)


def _traced(text: str, prompt: str, trace: _Trace) -> Sign | None:
    if trace.shown and trace.shown in prompt:
        return None
    spans = [m.span() for m in trace.pattern.finditer(text)]
    count = len(spans)
    if count <= trace.tolerated or all(text[a:b] == "\x85" for a, b in spans):
        return None
    detail = f"{count} {trace.what}."
    return Sign(trace.code, count >= trace.needed, detail, spans, {"count": count, "needed": trace.needed})


def _replacement(text: str) -> Sign | None:
    body = text.rstrip()
    spans = [m.span() for m in re.finditer("\ufffd", body)]
    if not spans:
        return None
    tail = len(body) - len(body.rstrip("\ufffd"))
    before = len(spans) - (tail if tail <= TAIL else 0)
    detail = f"{len(spans)} characters were lost and stand as U+FFFD."
    return Sign(
        "replacement_character", before >= REPLACED, detail, spans, {"count": len(spans), "needed": REPLACED}
    )


def _entities(text: str) -> Sign | None:
    spans: list[Span] = [
        m.span()
        for m in _ENTITY.finditer(text)
        if m.group()[1] == "#" or m.group()[1:] in html.entities.html5
    ]
    tags = [m.span() for m in _TAG.finditer(text)]
    if not spans and not tags:
        return None
    sure = len(spans) >= ENTITIES or len(spans) + len(tags) >= TAGS
    return Sign(
        "html_entities",
        sure,
        f"{len(spans)} HTML entities and {len(tags)} HTML tags stand in the prose.",
        spans + tags,
        {"entities": len(spans), "tags": len(tags), "needed": ENTITIES},
    )


def find_artefacts(text: str, prompt: str = "") -> Iterator[Sign]:
    """Every trace in a text whose code spans are blanked; what the prompt itself shows is no trace."""
    found = [_traced(text, prompt, trace) for trace in _TRACES]
    found.append(_replacement(text) if "\ufffd" not in prompt else None)
    found.append(_entities(text) if not _ABOUT_MARKUP.search(prompt) else None)
    yield from (sign for sign in found if sign is not None)
