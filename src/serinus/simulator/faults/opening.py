"""Answers that begin wrong and go on right."""

from __future__ import annotations

from dataclasses import replace

from serinus.simulator.draft import Draft
from serinus.simulator.faults.registry import Case, Stage, at

_CHAT = ("roleplay",)


def _before(draft: Draft, text: str) -> Draft:
    return replace(draft, text=f"{text}{draft.text or ''}")


@at(Stage.CONTENT, kinds=_CHAT)
def opening_stray_punctuation(draft: Draft, case: Case, *, marks: str = "") -> Draft:
    """A stray mark is glued to the first word: one of `marks`, or of those that hosts are known for."""
    return _before(draft, case.chance.choice(list(marks) or [":", "。", ",", ")", "…:", "】", ";"]))


@at(Stage.CONTENT, kinds=_CHAT)
def opening_role_word(draft: Draft, case: Case, *, word: str = "assistant\n") -> Draft:
    """The answer begins with the name of its own role."""
    del case
    return _before(draft, word)


@at(Stage.CONTENT, kinds=_CHAT)
def opening_foreign_fragment(draft: Draft, case: Case, *, fragments: str = "的 ния ました ้า جا") -> Draft:
    """A fragment of a token of another script stands before the first word."""
    return _before(draft, case.chance.choice(fragments.split()))


@at(Stage.CONTENT, kinds=_CHAT)
def opening_mid_word(draft: Draft, case: Case, *, lost: int = 9) -> Draft:
    """The first characters are missing: the answer begins in the middle of a word."""
    del case
    return replace(draft, text=(draft.text or "")[lost:])


@at(Stage.CONTENT, kinds=_CHAT)
def opening_blank_flood(draft: Draft, case: Case, *, lines: int = 60) -> Draft:
    """A flood of blank lines stands before the text."""
    del case
    return _before(draft, "\n" * lines)


@at(Stage.CONTENT, kinds=_CHAT)
def opening_combining_mark(draft: Draft, case: Case) -> Draft:
    """The answer begins with a combining mark that belongs to no letter."""
    return _before(draft, case.chance.choice(["\u0e49", "\u0301", "\u0e31", "\u093f"]))


@at(Stage.CONTENT, kinds=_CHAT)
def service_acknowledgement(draft: Draft, case: Case) -> Draft:
    """A status sentence of the platform, in its own language, stands before the answer."""
    del case
    return _before(draft, "已收到您的请求，正在为您准备回答。\n\n")


@at(Stage.CONTENT, kinds=_CHAT)
def prompt_echo(draft: Draft, case: Case) -> Draft:
    """The user's message is repeated before the answer."""
    return _before(draft, f"{case.ask.prompt}\n\n")


@at(Stage.CONTENT, kinds=_CHAT)
def opening_prompt_continued(draft: Draft, case: Case, *, words: int = 24) -> Draft:
    """The host goes on with its instructions, from the middle of a word, before it answers."""
    system = next((t.text for t in case.ask.turns if t.role == "system"), case.ask.prompt)
    pieces = system.split(" ")
    tail = " ".join(pieces[-words:]) if len(pieces) > words else system[len(system) // 3 :]
    return _before(draft, f"{tail[2:]}\n\n")
