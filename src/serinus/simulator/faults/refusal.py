"""Filters that do not say that they are filters."""

from __future__ import annotations

from dataclasses import replace

from serinus.simulator.answers import refused, sentences
from serinus.simulator.draft import Draft
from serinus.simulator.faults.registry import Case, Stage, at


def _refused(draft: Draft, case: Case, language: str) -> Draft:
    return refused(draft, language, case.corpus, case.chance)


@at(Stage.CONTENT)
def canned_refusal(draft: Draft, case: Case) -> Draft:
    """A fixed refusal in the language of the prompt, with finish reason stop."""
    return _refused(draft, case, case.wish.language)


@at(Stage.CONTENT)
def refusal_other_language(draft: Draft, case: Case, *, language: str = "") -> Draft:
    """A fixed refusal in another language than the prompt's: `language`, or English, or Chinese."""
    other = language or ("zh-Hans" if case.wish.language == "en" else "en")
    return _refused(draft, case, other)


@at(Stage.ANSWER)
def content_filter_finish(draft: Draft, case: Case) -> Draft:
    """No text, and finish reason content_filter."""
    del case
    return replace(draft, text="", calls=(), finish="content_filter", native="content_filter")


@at(Stage.ANSWER)
def native_sensitive(draft: Draft, case: Case) -> Draft:
    """No text, finish reason stop, and the host's own reason says sensitive."""
    del case
    return replace(draft, text="", calls=(), finish="stop", native="sensitive")


@at(Stage.ANSWER)
def refusal_field(draft: Draft, case: Case) -> Draft:
    """The refusal stands in the field of that name, and the content is empty."""
    said = _refused(draft, case, case.wish.language)
    return replace(said, text="", refusal=said.text)


@at(Stage.ANSWER, kinds=("roleplay",))
def cut_by_filter(draft: Draft, case: Case) -> Draft:
    """The answer begins, then a filter cuts it: finish reason content_filter."""
    del case
    first = "".join(sentences(draft.text or "")[:2])
    return replace(draft, text=first, finish="content_filter", native="SAFETY")


@at(Stage.CONTENT, kinds=("roleplay",))
def gateway_notice(draft: Draft, case: Case) -> Draft:
    """A notice of a filter service stands where the answer should be."""
    del case
    text = "[System notice] This request was blocked by the content safety service. (code 10013)"
    return replace(draft, text=text)


@at(Stage.CONTENT, kinds=("roleplay",))
def assistant_voice(draft: Draft, case: Case) -> Draft:
    """The character is dropped and an AI speaks, which helps all the same (no refusal)."""
    del case
    return replace(draft, text=f"As an AI language model, I will gladly play along.\n\n{draft.text}")
