"""Our own cap against what came: was the answer short because we allowed no more? (`faults.md` §1).

Also whether the request asked for reasoning, which may eat the cap.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from serinus.core.model import Probe
from serinus.core.transcript import Answer, Transcript
from serinus.judging.finish import Finish, finish_of

# A host that stops under this share of our cap was not stopped by it (`faults.md` F088).
REACHED: Final = 0.9
# From this cap on, an answer that is all reasoning is the host's fault and not the cap's (F077).
GENEROUS: Final = 1000
SAMPLE: Final = 20_000  # characters that the estimate looks at; a longer text is taken to go on alike


def at_cap(answer: Answer, cap: int | None) -> bool | None:
    """Whether the answer used up our cap; None where that is not known."""
    tokens = answer.usage.completion_tokens if answer.usage else None
    if cap is None or tokens is None:
        return None
    return tokens >= REACHED * cap


def cut_by_own_cap(transcript: Transcript, generous: int) -> bool:
    """Whether a cap of our own, smaller than `generous`, explains that the answer ends where it does."""
    cap = transcript.probe.max_tokens
    if cap is None or cap >= generous:
        return False
    reached = at_cap(transcript.answer, cap)
    return finish_of(transcript.answer) is Finish.LENGTH if reached is None else reached


def asked_to_think(transcript: Transcript) -> bool:
    """Whether the request asked for reasoning, or the model cannot do without."""
    return transcript.reasoning_mandatory or _switch(transcript.probe) is True


def told_not_to_think(transcript: Transcript) -> bool:
    """Whether the request switched reasoning off and the model allows that."""
    return not transcript.reasoning_mandatory and _switch(transcript.probe) is False


def _switch(probe: Probe) -> bool | None:
    """What the request says of reasoning: on, off, or nothing (`openrouter-facts.md` §7)."""
    asked = probe.parameters.get("reasoning")
    fields = asked if isinstance(asked, dict) else {"enabled": asked}
    template = probe.parameters.get("chat_template_kwargs")
    switches = (
        fields.get("enabled"),
        template.get("enable_thinking") if isinstance(template, dict) else None,
        probe.parameters.get("enable_thinking"),
        probe.parameters.get("include_reasoning"),
    )
    switch = next((value for value in switches if isinstance(value, bool)), None)
    effort = fields.get("effort", probe.parameters.get("reasoning_effort"))
    if switch is None and isinstance(effort, str):
        return effort != "none"
    return switch if switch is not None or not fields.get("max_tokens") else True


def likely_tokens(text: str) -> float:
    """How many tokens a text has at most by a generous local estimate (`faults.md` F164).

    One for three characters of Latin letters and ASCII, one for two of other alphabets, and one and a half
    for each character of scripts that tokenizers cut finer than letters (Han, kana, Hangul, Thai, emoji).
    """
    sample = text[:SAMPLE]
    ascii_like = others = dense = 0
    for character in sample:
        if character < "\u0250":
            ascii_like += 1
        elif character >= "\u0e00" and unicodedata.category(character)[0] in "LMSC":
            dense += 1
        else:
            others += 1
    return (ascii_like / 3 + others / 2 + dense * 1.5) * len(text) / max(1, len(sample))
