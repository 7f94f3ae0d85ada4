"""Answers in another language, or in two."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal

from serinus.simulator import answers
from serinus.simulator.draft import Draft
from serinus.simulator.faults.registry import Case, Stage, at

_CHAT = ("roleplay",)


def _other(case: Case, to: str, nonce: str | None = None) -> str:
    """A passage in the language `to`, or in the one that the prompt's language drifts into."""
    language = to or case.corpus.drift(case.wish.language)
    return answers.spoken(language, nonce, case.corpus, case.chance)


@at(Stage.CONTENT, kinds=_CHAT)
def language_switch(draft: Draft, case: Case, *, to: str = "") -> Draft:
    """The whole answer is in another language: `to`, or the one it drifts into."""
    return replace(draft, text=_other(case, to, case.wish.nonce))


@at(Stage.CONTENT, kinds=_CHAT)
def language_turns(draft: Draft, case: Case, *, to: str = "", after: float = 0.5) -> Draft:
    """The answer begins in the language asked for and turns into another after a share of it."""
    own = answers.sentences(draft.text or "")
    other = answers.sentences(_other(case, to))
    kept = max(1, int(len(own) * after))
    rest = other[len(other) - max(1, len(own) - kept) :]
    return replace(draft, text="".join(own[:kept]).rstrip() + " " + "".join(rest))


@at(Stage.CONTENT, kinds=_CHAT)
def language_mixed(
    draft: Draft,
    case: Case,
    *,
    to: str = "",
    level: Literal["word", "clause", "sentence"] = "sentence",
    share: float = 0.4,
) -> Draft:
    """Words, clauses or sentences of another language stand among those of the right one."""
    split = {"word": _words, "clause": _clauses, "sentence": answers.sentences}[level]
    own = split(draft.text or "")
    other = split(_other(case, to))
    mixed = [
        case.chance.choice(other) if other and i > 0 and case.chance.random() < share else part
        for i, part in enumerate(own)
    ]
    return replace(
        draft, text="".join(part if part[-1:].isspace() else f"{part} " for part in mixed).rstrip()
    )


@at(Stage.CONTENT, kinds=_CHAT)
def stray_tokens(
    draft: Draft, case: Case, *, count: int = 4, tokens: str = "的 我们 因为 然后 проверка"
) -> Draft:
    """A few single words of another script are dropped into an answer that is right otherwise."""
    words = (draft.text or "").split(" ")
    for token in case.chance.choices(tokens.split(), k=count):
        words.insert(case.chance.randrange(1, max(2, len(words))), token)
    return replace(draft, text=" ".join(words))


@at(Stage.CONTENT, kinds=_CHAT)
def han_for_ellipsis(draft: Draft, case: Case, *, count: int = 3) -> Draft:
    """One Chinese character stands where three dots were meant."""
    parts = answers.sentences(draft.text or "")
    struck = set(case.chance.sample(range(len(parts)), k=min(count, len(parts))))
    return replace(
        draft, text="".join(f"{p.rstrip()[:-1]}极 " if i in struck else p for i, p in enumerate(parts))
    )


@at(Stage.CONTENT, kinds=_CHAT)
def mixed_script_words(draft: Draft, case: Case, *, share: float = 0.15) -> Draft:
    """Letters of another script stand inside words."""
    other = "лантерн" if (draft.text or "").isascii() or _latin(draft.text or "") else "lantern"

    def mixed(word: str) -> str:
        if len(word) < 4 or case.chance.random() >= share:  # noqa: PLR2004  short words survive
            return word
        place = case.chance.randrange(1, len(word) - 1)
        return f"{word[:place]}{other[:3]}{word[place:]}"

    return replace(draft, text=" ".join(mixed(word) for word in (draft.text or "").split(" ")))


def _latin(text: str) -> bool:
    """Whether most letters are Latin ones."""
    letters = [c for c in text if c.isalpha()]
    return sum(c < "\u0250" for c in letters) > len(letters) / 2


def _words(text: str) -> list[str]:
    return re.findall(r"\S+\s*", text)


def _clauses(text: str) -> list[str]:
    return re.findall(r"[^,;:，、；。.!?]+[,;:，、；。.!?]*\s*", text)
