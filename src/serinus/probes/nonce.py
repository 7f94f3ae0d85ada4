"""Two odd words at the very front of a prompt: they make it cold, and the answer must hold them.

Corrupted openings are a fault of cold prefill: a fixed prompt is warm after its first round and sees
nothing (44 of 44 bad when cold, 0 of 19 when warm, in the best documented public report). A cached
prompt also answers in 9-60 ms where a cold one takes 230-600, so it falsifies the first token. A nonce
of one probe in the answer to another tells of answers that crossed.
"""

from __future__ import annotations

from serinus.core.model import Turn
from serinus.probes.languages import Language
from serinus.probes.rotation import choose


def nonce(turn: Turn, language: Language, key: str) -> str:
    """The phrase for one probe of this turn; it depends on round, tag, attempt and key alone."""
    words = language.nonces
    return words.pattern.format(
        quality=choose(turn, f"{key} quality", words.qualities),
        thing=choose(turn, f"{key} thing", words.things),
    )


def place(text: str, phrase: str) -> str:
    """The text with the phrase in place of `{nonce}`; no other brace has a meaning."""
    return text.replace("{nonce}", phrase)
