"""Models that have lost the thread: loops, salad, noise."""

from __future__ import annotations

from dataclasses import replace

from serinus.simulator import tokens
from serinus.simulator.answers import sentences
from serinus.simulator.draft import Draft
from serinus.simulator.faults.registry import Case, Stage, at

_CHAT = ("roleplay",)
_SALAD_LANGUAGES = 4
_SUBWORDS = (
    "ing",
    "ter",
    "ol",
    "ax",
    "bre",
    "qu",
    "ism",
    "dor",
    "vel",
    "pon",
    "ker",
    "tal",
    "mu",
    "rix",
    "zap",
)


def _endless(draft: Draft, case: Case, head: str, unit: str) -> Draft:
    """The unit over and over, until the cap cuts it."""
    cap = case.ask.max_tokens or 512
    return replace(draft, text=head + unit * (cap // max(1, tokens.count(unit)) + 2))


@at(Stage.CONTENT, kinds=_CHAT)
def repetition_loop(draft: Draft, case: Case, *, after: int = 2) -> Draft:
    """After a few sentences one phrase repeats until the cap."""
    parts = sentences(draft.text or "")
    phrase = parts[min(after, len(parts) - 1)].strip()[:60]
    return _endless(draft, case, "".join(parts[:after]), f"{phrase} ")


@at(Stage.CONTENT, kinds=_CHAT)
def word_loop(draft: Draft, case: Case) -> Draft:
    """The same word comes again and again until the cap."""
    words = (draft.text or "").split()
    return _endless(draft, case, " ".join(words[:20]) + " ", f"{words[20 % len(words)]} ")


@at(Stage.CONTENT, kinds=_CHAT)
def glyph_flood(draft: Draft, case: Case, *, glyph: str = "!") -> Draft:
    """Nothing but one glyph comes until the cap."""
    return _endless(draft, case, "", glyph)


@at(Stage.CONTENT, kinds=_CHAT)
def blank_flood(draft: Draft, case: Case) -> Draft:
    """After some text only blanks and line breaks come until the cap."""
    return _endless(draft, case, "".join(sentences(draft.text or "")[:2]), " \n\t\n")


@at(Stage.ANSWER, kinds=_CHAT)
def duplicate_answer(draft: Draft, case: Case) -> Draft:
    """The complete answer appears twice."""
    del case
    return replace(draft, text=f"{draft.text}\n\n{draft.text}")


@at(Stage.CONTENT, kinds=_CHAT)
def word_salad(draft: Draft, case: Case) -> Draft:
    """Words of several languages in no order: what ruined weights write."""
    return replace(draft, text=_salad(case, len((draft.text or "").split()) or 80))


@at(Stage.CONTENT, kinds=_CHAT)
def decay(draft: Draft, case: Case, *, after: float = 0.4) -> Draft:
    """A good start turns into salad after a share of the answer."""
    parts = sentences(draft.text or "")
    kept = "".join(parts[: max(1, int(len(parts) * after))]).rstrip()
    return replace(draft, text=f"{kept} {_salad(case, 70)}")


@at(Stage.CONTENT, kinds=_CHAT)
def subword_noise(draft: Draft, case: Case) -> Draft:
    """Random Latin subwords, as from a temperature far too high."""
    words = ["".join(case.chance.choices(_SUBWORDS, k=case.chance.randint(2, 4))) for _ in range(90)]
    return replace(draft, text=" ".join(words))


@at(Stage.CONTENT, kinds=_CHAT)
def salad_in_between(draft: Draft, case: Case, *, size: int = 14) -> Draft:
    """A stretch of words of several languages stands in the middle of an answer that is right otherwise."""
    parts = sentences(draft.text or "")
    half = max(1, len(parts) // 2)
    return replace(draft, text="".join([*parts[:half], f"{_salad(case, size)} ", *parts[half:]]))


@at(Stage.CONTENT, kinds=_CHAT)
def junk_at_line_starts(draft: Draft, case: Case, *, words: str = "ixorn velbat") -> Draft:
    """The same few words that are none stand at the starts of lines."""
    parts = sentences(draft.text or "")
    junk = [f"\n{case.chance.choice(words.split())} " if i % 2 else "" for i in range(len(parts))]
    return replace(draft, text="".join(f"{j}{p}" for j, p in zip(junk, parts, strict=True)))


def _salad(case: Case, size: int) -> str:
    languages = case.chance.sample(
        sorted(case.corpus.repertoires), k=min(_SALAD_LANGUAGES, len(case.corpus.repertoires))
    )
    words = [
        word
        for language in languages
        for text in case.corpus.of(language).scenes.values()
        for word in text.split()
    ]
    return " ".join(word[:12] for word in case.chance.choices(words, k=size))
