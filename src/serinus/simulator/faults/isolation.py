"""Answers that belong to another request, and prompts that did not arrive whole."""

from __future__ import annotations

from dataclasses import replace

from serinus.simulator import answers, tokens
from serinus.simulator.ask import Ask, Turn
from serinus.simulator.chance import dice
from serinus.simulator.draft import Draft
from serinus.simulator.faults.registry import Case, Stage, at

_CHAT = ("roleplay",)


@at(Stage.CONTENT, kinds=_CHAT)
def foreign_nonce(draft: Draft, case: Case) -> Draft:
    """The answer holds the nonce of the request before it, and another scene, instead of its own."""
    other = case.others[-1] if case.others else answers.invented(case.wish.language, case.chance)
    return replace(draft, text=answers.spoken(case.wish.language, other, case.corpus, case.chance))


@at(Stage.CONTENT, kinds=_CHAT)
def missing_nonce(draft: Draft, case: Case, *, instead: str = "…") -> Draft:
    """The answer does not say the nonce that the system text asks for."""
    nonce = case.wish.nonce
    return replace(draft, text=(draft.text or "").replace(nonce, instead)) if nonce else draft


@at(Stage.REQUEST)
def system_prompt_lost(ask: Ask, case: Case) -> Ask:
    """The host never sees the system text: its rules and its nonce are gone, and the prompt is smaller."""
    del case
    messages = [m for m in ask.body["messages"] if m["role"] != "system"]
    turns = tuple(t for t in ask.turns if t.role != "system")
    return replace(ask, body={**ask.body, "messages": messages}, turns=turns)


@at(Stage.REQUEST)
def prompt_cut_at_head(ask: Ask, case: Case, *, keep: int = 24) -> Ask:
    """The host sees the last tokens of the prompt alone: what stands at its head is unknown to it."""
    del case
    turns: list[Turn] = []
    left = keep
    for turn in reversed(ask.turns):
        pieces = tokens.pieces(turn.text)[-left:] if left > 0 else []
        left -= len(pieces)
        turns.insert(0, Turn(turn.role, "".join(pieces)))
    messages = [{"role": turn.role, "content": turn.text} for turn in turns]
    return replace(ask, body={**ask.body, "messages": messages}, turns=tuple(turns))


@at(Stage.CONTENT, kinds=_CHAT)
def stored_answer(draft: Draft, case: Case) -> Draft:
    """The same stored text is served for every request in a language."""
    chance = dice("stored", case.host.tag, case.wish.language)
    return replace(draft, text=answers.spoken(case.wish.language, None, case.corpus, chance))


@at(Stage.CONTENT, kinds=_CHAT)
def earlier_conversation(draft: Draft, case: Case) -> Draft:
    """The answer goes on with what an earlier request was about, and has the own scene behind it."""
    other = case.others[-1] if case.others else answers.invented(case.wish.language, case.chance)
    return replace(draft, text=f"{other}. {draft.text}")
