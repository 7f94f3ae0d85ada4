"""Text that neither the model nor the user wrote: footers, acknowledgements, the prompt itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from serinus.text.phrases import alternatives, phrase
from serinus.text.scripts import LETTERS
from serinus.text.signs import Sign
from serinus.text.spans import Span

FOOTER: Final = 300  # characters at the end in which a footer stands
# Tokens of the prompt in a row (words; characters where no blanks part them) that nobody repeats by chance.
ECHO_WORDS: Final = 12
ECHO_LETTERS: Final = 24
# A whole prompt at the very start of the answer is an echo when it is shorter, too; a few words are quoted.
LEAST_WHOLE: Final = 6
AT_START: Final = 3  # characters before it
ECHO_SHARE: Final = 0.6  # of the whole answer

_RULED: Final = re.compile(
    r"(?:\n[ \t]*(?:-{3,}|\*{3,}|_{3,}|—{2,})[ \t]*\n|\n\n)(?P<foot>[^\n]*(?:\n[^\n]+)*)\s*\Z"
)
_LINK: Final = re.compile(r"https?://\S+|www\.\S+|\]\(\S+\)", re.IGNORECASE)
_TOKEN: Final = re.compile(rf"[{LETTERS['Hani']}{LETTERS['Kana']}{LETTERS['Thai']}]|[^\W_]+")


@cache
def _status() -> re.Pattern[str]:
    return re.compile(rf"\A\W{{0,4}}(?:{alternatives('status')})", re.IGNORECASE)


def find_footer(text: str) -> Iterator[Sign]:
    """An advertisement set off at the end, with a link or the word for it."""
    match = _RULED.search(text, max(0, len(text) - FOOTER))
    if match is None or not match["foot"]:
        return
    foot = match["foot"]
    if phrase("sponsor").search(foot) and _LINK.search(foot):
        yield Sign(
            "leak_injected_footer", True, "An advertisement is set off at the end.", [match.span("foot")]
        )


def find_acknowledgement(text: str) -> Sign | None:
    """A service's status sentence before the answer."""
    match = _status().match(text)
    if match is None:
        return None
    return Sign(
        "service_acknowledgement", True, "A status sentence of a service precedes the text.", [match.span()]
    )


def _least(prompt: str) -> int:
    """How many tokens in a row are an echo of this prompt."""
    tokens = _TOKEN.findall(prompt)
    letters = sum(len(token) == 1 for token in tokens)
    return ECHO_LETTERS if letters * 2 > len(tokens) else ECHO_WORDS


def longest_echo(text: str, prompt: str, least: int) -> tuple[int, Span] | None:
    """The longest run of the prompt's tokens in the text, if it has at least so many, and where it stands."""
    asked = [m.group().lower() for m in _TOKEN.finditer(prompt)]
    if len(asked) < least:
        return None
    found = [(m.group().lower(), m.start(), m.end()) for m in _TOKEN.finditer(text)]
    starts: dict[tuple[str, ...], int] = {}
    for i in range(len(asked) - least + 1):
        starts.setdefault(tuple(asked[i : i + least]), i)
    best: tuple[int, Span] | None = None
    words = [word for word, _, _ in found]
    j = 0
    while j <= len(found) - least:
        at = starts.get(tuple(words[j : j + least]))
        if at is None:
            j += 1
            continue
        length = _common(asked, at, words, j)
        if best is None or length > best[0]:
            best = (length, (found[j][1], found[j + length - 1][2]))
        j += length
    return best


def _common(asked: Sequence[str], i: int, found: Sequence[str], j: int) -> int:
    length = 0
    while i + length < len(asked) and j + length < len(found) and asked[i + length] == found[j + length]:
        length += 1
    return length


def find_echo(text: str, prompt: str) -> Iterator[Sign]:
    """The prompt, word for word, as the answer or before it."""
    if not prompt:
        return
    least = _least(prompt)
    asked = len(_TOKEN.findall(prompt))
    echo = longest_echo(text, prompt, min(least, max(LEAST_WHOLE * least // ECHO_WORDS, 1)))
    if echo is None:
        return
    length, span = echo
    whole = len(_TOKEN.findall(text))
    at_start = span[0] <= AT_START and length >= asked
    if length >= least or at_start or length >= whole * ECHO_SHARE:
        yield Sign(
            "leak_prompt_echo",
            True,
            f"{length} words of the prompt stand in the answer in a row.",
            [span],
            {"words": length, "needed": least},
        )
