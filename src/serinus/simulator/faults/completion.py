"""Answers that end where they should not, and caps and stops that nobody heeds."""

from __future__ import annotations

import re
from dataclasses import replace

from serinus.simulator import tokens
from serinus.simulator.ask import Ask
from serinus.simulator.draft import Draft
from serinus.simulator.faults.registry import Case, Stage, at

_CHAT = ("roleplay",)
_LONG_WORD = re.compile(r"\b[^\W\d_]{8,24}\b")  # without its end it is seldom a word
_LOST_LETTERS = 3
_WORDS_BEFORE = 8


@at(Stage.ANSWER, kinds=_CHAT)
def cut_mid_word(draft: Draft, case: Case, *, keep: float = 0.5) -> Draft:
    """The text ends in the middle of a word, with finish reason stop."""
    del case
    text = draft.text or ""
    near = int(len(text) * keep)
    words = [word for word in _LONG_WORD.finditer(text) if word[0].islower() and _deep(text, word.start())]
    word = min(words, key=lambda w: abs(w.start() - near), default=None)
    place = near if word is None else word.end() - _LOST_LETTERS
    return replace(draft, text=text[:place], finish="stop", native="stop")


def _deep(text: str, place: int) -> bool:
    """Whether the place lies well inside a line of prose, where nothing else ends."""
    return len(text[:place].rpartition("\n")[2].split()) >= _WORDS_BEFORE


@at(Stage.ANSWER)
def cap_too_low(draft: Draft, case: Case, *, tokens_kept: int = 40) -> Draft:
    """The host cuts at a cap of its own, far under the one asked for: finish reason length."""
    del case
    return replace(draft, text=tokens.clip(draft.text or "", tokens_kept), finish="length", native="length")


@at(Stage.REQUEST, kinds=_CHAT)
def cap_ignored(ask: Ask, case: Case) -> Ask:
    """The host does not heed max_tokens."""
    del case
    body = {name: value for name, value in ask.body.items() if name != "max_tokens"}
    return replace(ask, body=body, max_tokens=None)


@at(Stage.CONTENT, kinds=_CHAT)
def runs_on(draft: Draft, case: Case, *, times: int = 4) -> Draft:
    """The host does not stop: it goes on with other scenes until the cap."""
    scenes = case.corpus.of(case.wish.language).scenes.values()
    more = "\n\n".join(text.replace("{nonce}", "…") for text in list(scenes)[:times])
    return replace(draft, text=f"{draft.text}\n\n{more}")


@at(Stage.REQUEST)
def stop_ignored(ask: Ask, case: Case) -> Ask:
    """The host does not heed stop strings."""
    del case
    body = {name: value for name, value in ask.body.items() if name != "stop"}
    return replace(ask, body=body, stop=())


@at(Stage.ANSWER, harmless=True)
def vendor_finish_word(draft: Draft, case: Case, *, word: str = "eos_token") -> Draft:
    """The finish reason is a vendor's own word (harmless for end_turn or eos_token)."""
    del case
    return replace(draft, finish=word, native=word)


@at(Stage.CONTENT, kinds=_CHAT)
def too_long_excuse(draft: Draft, case: Case) -> Draft:
    """The answer breaks off with an excuse about the longest output allowed, and a clean stop."""
    del case
    text = (draft.text or "")[: len(draft.text or "") // 3].rpartition(" ")[0]
    return replace(draft, text=f"{text}\n\n[The response has reached the maximum allowed output length.]")
