"""Answers with nothing in them, in every way that nothing can be billed."""

from __future__ import annotations

from dataclasses import replace

from serinus.simulator import tokens
from serinus.simulator.draft import Draft
from serinus.simulator.faults.registry import Case, Stage, at


@at(Stage.ANSWER)
def empty_answer(draft: Draft, case: Case) -> Draft:
    """The answer stops at once and is billed with no completion tokens."""
    del case
    return replace(_emptied(draft), completion_tokens=0, reasoning_tokens=0)


@at(Stage.ANSWER)
def whitespace_answer(draft: Draft, case: Case, *, text: str = " \n\u200b\n ") -> Draft:
    """The answer consists of blanks and invisible characters."""
    del case
    return replace(_emptied(draft), text=text)


@at(Stage.ANSWER)
def billed_but_empty(draft: Draft, case: Case) -> Draft:
    """Nothing is delivered, and the whole answer is billed."""
    del case
    billed = tokens.count(draft.text or "") + sum(tokens.count(c.arguments) for c in draft.calls)
    return replace(_emptied(draft), completion_tokens=max(billed, 1), reasoning_tokens=0)


@at(Stage.ANSWER, kinds=("roleplay", "structured"))
def reasoning_only(draft: Draft, case: Case) -> Draft:
    """The answer lies in the reasoning field, and the content is null."""
    del case
    return replace(draft, text=None, reasoning=draft.text or "")


@at(Stage.ANSWER)
def reasoning_ate_budget(draft: Draft, case: Case) -> Draft:
    """Reasoning uses up the whole cap: finish reason length and no text."""
    cap = case.ask.max_tokens or 256
    thought = tokens.clip("The user wants me to answer in the scene. Let me weigh the details. " * 40, cap)
    ended = replace(_emptied(draft), finish="length", native="length")
    return replace(ended, reasoning=thought, completion_tokens=cap, reasoning_tokens=cap)


@at(Stage.ANSWER)
def network_error_stop(draft: Draft, case: Case) -> Draft:
    """A dead upstream looks like a clean stop: no text, no usage, native reason network_error."""
    del case
    return replace(_emptied(draft), native="network_error", usage=False)


def _emptied(draft: Draft) -> Draft:
    return replace(draft, text="", reasoning="", calls=(), finish="stop", native="stop")
