"""Finds a refusal: signals of one language, weighed together, unquoted, in front or at the very end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final

from serinus.text.refusals.lexicon import (
    ASKED,
    DENIALS,
    OBJECTS,
    OPTIONAL,
    SUBJECTS,
    WEIGHTS,
    Lexicon,
    lexicons,
)
from serinus.text.refusals.masking import MASK, left_open, plain, unquoted


class Kind(Enum):
    """What was found."""

    REFUSAL = "refusal"  # the answer is a refusal
    TAIL = "tail"  # the answer breaks off into one
    NOTICE = "notice"  # a filter's own notice
    ASSISTANT_VOICE = "assistant_voice"  # an AI speaks, but does not refuse


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal with the language whose signals it has, and where it stands."""

    kind: Kind
    language: str
    start: int
    end: int


HEAD: Final = 320  # characters in which a refusal shows itself
TAIL: Final = 300
SENTENCES: Final = 4  # that a refusal at the end has at most
BRIEF: Final = 200  # a whole answer shorter than this is more likely a refusal than a scene
ENOUGH: Final = 4.0
# A longer answer holds a scene: it must speak of policy or AI much more plainly.
LONG: Final = ((400, 0.0), (900, 1.5), (2000, 3.0))
NEVER: Final = 2000  # nobody refuses at this length
DENSE: Final = 0.4  # a character of Chinese or Japanese says as much as 2.5 of an alphabet
_FIRST_DENSE: Final = "\u2e80"
_DIALOGUE: Final = 2.0  # taken off where characters speak …
EARLY: Final = 150  # … within these first characters, in which a refusal must have begun to deny
_ENDED: Final = frozenset('.!?…。！？।॥؟」』”"»*)\n,;:—–、，،؛')

_SENTENCE_END: Final = re.compile(r"[.!?…。！？।॥؟]+[\s\"”»)*]*|\s*\n\s*")

_RESULTS: Final = re.compile(r'"content_filter_results?"\s*:')
_FILTERED: Final = re.compile(r'"filtered"\s*:\s*true')


@lru_cache(maxsize=64)
def refusal_in(text: str) -> Refusal | None:
    """The refusal, filter notice or assistant's voice in an answer, or None.

    Cached, because every contract asks it of the same answer (`formats.md` §1 rule 3).
    """
    if _RESULTS.search(text) and _FILTERED.search(text):
        return Refusal(Kind.NOTICE, "json", 0, len(text))
    found = _head(text) or _tail(text)
    return found or _voice(text)


def _scale(text: str) -> float:
    """How much of a length in letters a length in this text's characters is worth."""
    sample = text[:HEAD]
    dense = sum(c >= _FIRST_DENSE for c in sample)
    return DENSE if dense * 2 > len(sample) else 1.0


def _head(text: str) -> Refusal | None:
    stripped = text.strip()
    scale = _scale(stripped)
    if not stripped or len(stripped) > NEVER * scale:
        return None
    start = len(text) - len(text.lstrip())
    window = round(HEAD * scale)
    masked = unquoted(text[: start + 2 * window])
    head = masked[: start + window]
    wanted = ENOUGH + next((more for length, more in LONG if len(stripped) <= length * scale), LONG[-1][1])
    bonus = 0.5 if len(stripped) <= BRIEF * scale else 0.0
    early = start + round(EARLY * scale)
    malus = _DIALOGUE if MASK in masked[:early] else 0.0
    for lexicon in lexicons():
        opener = lexicon.opens(head)
        if opener is None or opener.start() > early:
            continue
        present = _signals(lexicon, head)
        if present & OBJECTS and _weight(present) + bonus - malus >= wanted:
            kind = Kind.NOTICE if _is_notice(present) else Kind.REFUSAL
            return Refusal(kind, lexicon.language, start, min(len(text), start + window))
    return None


def _tail(text: str) -> Refusal | None:
    """A refusal that follows other text: after a break in mid-sentence, or as the last sentences."""
    offset = max(0, len(text) - round(TAIL * _scale(text)))
    tail = unquoted(text)[offset:] if len(text) <= NEVER else unquoted(text[offset:])
    found = _at_end(text, offset, tail, broken_only=False)
    if found is None and tail.endswith(MASK) and left_open(text[offset:]):
        # Cut in the middle of speech: what follows the break is the host's, though no mark closes the speech.
        found = _at_end(text, offset, plain(text[offset:]), broken_only=True)
    return found


def _at_end(text: str, offset: int, tail: str, *, broken_only: bool) -> Refusal | None:
    after = tail.rfind(MASK) + 1
    for lexicon in lexicons():
        if lexicon.opens(tail[after:]) is None:
            continue
        for start, more in _beginnings(lexicon, text[offset:], tail, after):
            if (broken_only and more >= 0) or not _all_refuse(lexicon, tail[start:]):
                continue
            present = _signals(lexicon, tail[start:])
            foreign = not lexicon.letter.search(text[: offset + start].lower())
            wanted = ENOUGH + more - (1.0 if foreign else 0.0)
            subject = present & SUBJECTS or (foreign and "question" in present)
            if subject and _weight(present) >= wanted:
                return Refusal(Kind.TAIL, lexicon.language, offset + start, len(text))
    return None


def _beginnings(lexicon: Lexicon, original: str, tail: str, after: int) -> Iterator[tuple[int, float]]:
    """Where a refusal at the end may begin, and what it must weigh more there than alone.

    Sentences begin after the last speech, after a sentence and on a line of their own; a refusal also begins
    where an apology or an AI stands in the middle of a sentence, with a capital where there are capitals.
    """
    begun = {after: 1.0} if after else {}
    for match in _SENTENCE_END.finditer(tail, after):
        before = original[: match.start()].rstrip()
        cut = "\n" in match.group() and bool(before) and before[-1] not in _ENDED
        begun[match.end()] = 0.0 if cut and match.group().strip() == "" else 1.0
    for name in ("sorry", "ai"):
        for match in lexicon.signals[name].finditer(tail, after):
            at = match.start()
            before = original[:at].rstrip(" ")
            if before and before[-1].isalnum() and not original[at].islower():
                begun.setdefault(at, -0.5)
    yield from sorted(begun.items())


def _all_refuse(lexicon: Lexicon, rest: str) -> bool:
    """Whether each of the last sentences speaks as a refusal does: a story goes on with something else."""
    sentences = [s for s in _SENTENCE_END.split(rest) if any(c.isalpha() for c in s)]
    return 0 < len(sentences) <= SENTENCES and all(_signals(lexicon, s) - OPTIONAL for s in sentences)


def _voice(text: str) -> Refusal | None:
    head = unquoted(text[:HEAD])
    for lexicon in lexicons():
        if not lexicon.letter.search(head):
            continue
        spoken = lexicon.signals["ai"].search(head[:120])
        if spoken is not None:
            return Refusal(Kind.ASSISTANT_VOICE, lexicon.language, spoken.start(), spoken.end())
    return None


def _signals(lexicon: Lexicon, text: str) -> frozenset[str]:
    return frozenset(name for name, pattern in lexicon.signals.items() if pattern.search(text))


def _weight(present: frozenset[str]) -> float:
    """The weight of the signals; 0 where none of them denies."""
    forbids = {"breach", "policy"} <= present and present & ASKED
    if not (present & DENIALS or {"ai", "policy"} <= present or forbids):
        return 0.0
    return sum(WEIGHTS[name] for name in present)


def _is_notice(present: frozenset[str]) -> bool:
    return {"blocked", "filter"} <= present
