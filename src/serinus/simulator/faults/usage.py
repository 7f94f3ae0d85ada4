"""Bills that do not fit the answer."""

from __future__ import annotations

from dataclasses import replace

from serinus.simulator import tokens
from serinus.simulator.draft import Draft
from serinus.simulator.faults.registry import Case, Stage, at


@at(Stage.ANSWER)
def zero_usage(draft: Draft, case: Case) -> Draft:
    """Text is delivered, and usage says zero tokens."""
    del case
    return replace(draft, prompt_tokens=0, completion_tokens=0, reasoning_tokens=0)


@at(Stage.ANSWER)
def missing_usage(draft: Draft, case: Case) -> Draft:
    """There is no usage at all."""
    del case
    return replace(draft, usage=False)


@at(Stage.ANSWER)
def inflated_usage(draft: Draft, case: Case, *, factor: float = 4.0) -> Draft:
    """More completion tokens are billed than the text can have."""
    del case
    said = tokens.count(draft.text or "") + sum(tokens.count(c.arguments) for c in draft.calls)
    return replace(draft, completion_tokens=max(1, int(said * factor)))


@at(Stage.ANSWER)
def prompt_tokens_shifted(draft: Draft, case: Case, *, by: int = -4) -> Draft:
    """The prompt counts a few tokens more or less than at other hosts: another chat template."""
    return replace(draft, prompt_tokens=max(0, case.ask.prompt_tokens + by))


@at(Stage.ANSWER)
def hidden_preamble(draft: Draft, case: Case, *, extra: int = 2000) -> Draft:
    """The prompt counts far more tokens than at other hosts: something was put in front of it."""
    return replace(draft, prompt_tokens=case.ask.prompt_tokens + extra)


@at(Stage.ANSWER)
def total_as_completion(draft: Draft, case: Case) -> Draft:
    """The completion count is overwritten by the total."""
    said = tokens.count(draft.text or "")
    total = case.ask.prompt_tokens + said
    return replace(draft, usage_extra={"completion_tokens": total, "total_tokens": total})
