"""Texts whose letters are broken."""

from __future__ import annotations

import html
import json
from dataclasses import replace
from typing import Literal

from serinus.simulator.draft import Draft
from serinus.simulator.faults.registry import Case, Stage, at
from serinus.simulator.faults.streams import share as after
from serinus.simulator.steps import Raw, Step

_CHAT = ("roleplay",)
_THAI_TONES = "\u0e48\u0e49\u0e4a\u0e4b"
_FULL_WIDTH = "、。，！？：；「」『』“”（）"


@at(Stage.CONTENT, kinds=_CHAT)
def mojibake(draft: Draft, case: Case, *, codec: Literal["cp1252", "latin-1", "cp437"] = "cp1252") -> Draft:
    """The UTF-8 bytes of the text are shown in another code page."""
    del case
    data = (draft.text or "").encode()
    if codec == "cp1252":  # undefined bytes pass through, as in browsers
        return replace(draft, text="".join(_cp1252(byte) for byte in data))
    return replace(draft, text=data.decode(codec))


def _cp1252(byte: int) -> str:
    try:
        return bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)


@at(Stage.CONTENT, kinds=_CHAT)
def replacement_characters(draft: Draft, case: Case, *, share: float = 0.03) -> Draft:
    """Letters inside words are lost to U+FFFD."""
    text = ["\ufffd" if c.isalpha() and case.chance.random() < share else c for c in draft.text or ""]
    return replace(draft, text="".join(text) if "\ufffd" in text else f"{draft.text}\ufffd\ufffd")


@at(Stage.CONTENT, kinds=_CHAT)
def bpe_glyphs(draft: Draft, case: Case) -> Draft:
    """The byte-level glyphs of a tokenizer show: blanks are Ġ, line breaks are Ċ."""
    del case
    return replace(draft, text=(draft.text or "").replace(" ", "Ġ").replace("\n", "Ċ"))


@at(Stage.CONTENT, kinds=_CHAT)
def sentencepiece_marks(draft: Draft, case: Case) -> Draft:
    """The blank marks and byte tokens of a tokenizer show: ▁ and <0x0A>."""
    del case
    return replace(draft, text=(draft.text or "").replace(" ", "▁").replace("\n", "<0x0A>"))


@at(Stage.CONTENT, kinds=_CHAT)
def missing_blanks(draft: Draft, case: Case, *, share: float = 0.9) -> Draft:
    """The blanks between words vanish."""
    text = (c for c in draft.text or "" if c != " " or case.chance.random() >= share)
    return replace(draft, text="".join(text))


@at(Stage.CONTENT, kinds=_CHAT)
def escape_sequences(draft: Draft, case: Case) -> Draft:
    """Escapes show as text: backslash-u codes instead of letters, backslash-n instead of line breaks."""
    del case
    escaped = (draft.text or "").encode("ascii", "backslashreplace").decode().replace("\n", "\\n")
    return replace(draft, text=escaped.replace('"', '\\"'))


@at(Stage.CONTENT, kinds=_CHAT)
def html_entities(draft: Draft, case: Case) -> Draft:
    """HTML entities stand instead of characters."""
    del case
    text = html.escape(draft.text or "")
    return replace(draft, text=text.encode("ascii", "xmlcharrefreplace").decode())


@at(Stage.CONTENT, kinds=_CHAT)
def damaged_words(draft: Draft, case: Case, *, share: float = 0.4) -> Draft:
    """Words are cut, doubled or glued: the language is right and the spelling ruined."""

    def damaged(word: str) -> str:
        if case.chance.random() >= share or len(word) < 4:  # noqa: PLR2004  short words survive
            return word
        place = case.chance.randrange(1, len(word) - 1)
        cut, doubled = word[:place] + word[place + 1 :], word[:place] + word[place - 1 :]
        return case.chance.choice([cut, doubled, word[:place] + "kq" + word[place:]])

    return replace(draft, text=" ".join(damaged(word) for word in (draft.text or "").split(" ")))


@at(Stage.STREAM, kinds=_CHAT, bodies=False)
def lone_surrogate(steps: list[Step], case: Case) -> list[Step]:
    """An emoji is cut: half of its surrogate pair comes as an escape, the other half never."""
    place = after(steps, 0.5)
    chunk = json.dumps(case.framer.text("\ud83d"))  # in ASCII, so that the half is an escape
    return [*steps[:place], Raw(f"data: {chunk}\n\n".encode()), *steps[place:]]


@at(Stage.CONTENT, kinds=_CHAT)
def thai_marks(draft: Draft, case: Case, *, share: float = 0.2) -> Draft:
    """Thai tone marks are doubled or stand before their vowel; other languages are clean."""
    text = draft.text or ""
    broken = (c * 2 if c in _THAI_TONES and case.chance.random() < share else c for c in text)
    return replace(draft, text="".join(broken))


@at(Stage.CONTENT, kinds=_CHAT)
def punctuation_destroyed(draft: Draft, case: Case) -> Draft:
    """Full-width punctuation is lost to U+FFFD; letters and half-width marks are whole."""
    del case
    return replace(draft, text="".join("\ufffd" if c in _FULL_WIDTH else c for c in draft.text or ""))
