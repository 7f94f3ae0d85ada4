"""Turns that the model wrote for somebody else, and talk about its task."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from serinus.text.mentions import asks_for_script
from serinus.text.phrases import alternatives, phrase
from serinus.text.signs import Sign

ANSWERED: Final = 40  # characters of answer before a role label can begin somebody else's turn
OPENING: Final = 240  # characters in which talk about the task begins and names it
TASK_WORDS: Final = 2  # words of the task that make talk about it certain

# Glued to the end of a sentence, where the line end was lost with the control token.
_GLUED: Final = re.compile(
    r"(?<=[.!?。！？…\"“”’»」』*।۔؟])(?:user|human|assistant)(?=[^\s\W]|[\"“«「*—])(?![a-z])"
)


@cache
def _labels() -> tuple[re.Pattern[str], ...]:
    """A label alone on its line, and one before a colon."""
    words = alternatives("label")
    flags = re.MULTILINE | re.IGNORECASE
    return (
        re.compile(rf"^[ \t]*(?:>{{1,4}}[ \t]*)?(?:{words})[ \t]*[:：]?[ \t]*$", flags),
        re.compile(rf"^[ \t]*(?:\*\*|>{{1,4}} ?|#+ ?)?(?:{words})(?:\*\*)?[ \t]*[:：]", flags),
    )


@cache
def _monologue() -> re.Pattern[str]:
    ponder = rf"(?:(?:{alternatives('pondering')})[,，、.:!—…\s]*){{0,3}}"
    return re.compile(rf"\A\W{{0,4}}{ponder}(?:{alternatives('monologue')})", re.IGNORECASE)


def find_turns(text: str, prompt: str = "") -> Iterator[Sign]:
    """Turns of others written into the answer."""
    if asks_for_script(prompt):
        return
    patterns = (*_labels(), _GLUED)
    spans = [m.span() for pattern in patterns for m in pattern.finditer(text) if m.start() >= ANSWERED]
    if spans:
        detail = "The answer goes on with somebody else's turn."
        yield Sign("leak_foreign_turn", True, detail, sorted(spans)[:1])


def find_monologue(text: str) -> Iterator[Sign]:
    """Talk about the task in the place of the answer."""
    body = text.lstrip()
    head = body[:OPENING]
    match = _monologue().match(head)
    if match is None:
        return
    shift = len(text) - len(body)
    words = {m.group().lower() for m in phrase("task").finditer(head)}
    yield Sign(
        "leak_monologue",
        len(words) >= TASK_WORDS,
        "The answer talks about its task instead of doing it.",
        [(match.start() + shift, match.end() + shift)],
        {"task_words": sorted(words)[:5], "needed": TASK_WORDS},
    )
