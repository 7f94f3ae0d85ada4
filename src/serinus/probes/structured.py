"""The structured-output probe: a small object, asked for kindly or against its own schema (R9).

With a kind prompt a host that drops the schema looks healthy. Asking for a value that the enum lacks
tells the two apart at once: only enforcement resists. The nonce and one sentence in the turn's language
are in the object too, because a grammar hides ruined weights behind valid braces.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from serinus.core.model import Expectation, Message, Probe, Turn
from serinus.probes.billed import BILLED
from serinus.probes.languages import language
from serinus.probes.nonce import nonce, place
from serinus.probes.rotation import choose, draw

KIND = "structured"
CONTRACT = "structured_output"
MOODS: Final = ("calm", "tense", "joyful")
FEWEST_GUESTS, MOST_GUESTS = 2, 9
# A right answer takes 45-90 tokens; a cap that cut one would tell of us, not of the host.
MAX_TOKENS = 130

# Valid for strict implementations: every property required, nothing else allowed, no bounds.
SCHEMA: Final[Mapping[str, Any]] = {
    "name": "guest_book",
    "strict": True,
    "schema": {
        "type": "object",
        "additionalProperties": False,
        "required": ["mood", "guests", "password", "line"],
        "properties": {
            "mood": {"type": "string", "enum": list(MOODS)},
            "guests": {"type": "integer"},
            "password": {"type": "string"},
            "line": {"type": "string"},
        },
    },
}


def due(turn: Turn) -> bool:
    """Whether this round asks it: every second one (the tool call takes the other), and when owed."""
    return turn.index % 2 == 0 or CONTRACT in turn.owed


def adversarial(turn: Turn) -> bool:
    """Whether the prompt asks for a value outside the enum: in turn, and always when owed.

    An owed contract gets the harder question, which any fault of the kinder one fails too; a kind one
    would break the streak of a host that ignores the schema and restore it.
    """
    return CONTRACT in turn.owed or turn.index // 2 % 2 == 1


def ask(turn: Turn) -> Probe:
    """The structured request of this turn, in its language; `expect.values` only where it was kind.

    Raises:
        UnknownLanguageError: there are no prompts for `turn.language`.
    """
    spoken = language(turn.language)
    hard = adversarial(turn)
    key = f"{KIND}.{spoken.code}.{'adversarial' if hard else 'friendly'}"
    phrase = nonce(turn, spoken, key)
    mood = choose(turn, "mood", MOODS)
    guests = FEWEST_GUESTS + draw(turn, "guests", MOST_GUESTS - FEWEST_GUESTS + 1)
    texts = spoken.structured
    sentence = texts.outside if hard else texts.moods[mood]
    user = texts.user.replace("{guests}", str(guests)).replace("{mood}", sentence)
    values = {} if hard else {"mood": (mood,), "guests": (guests,), "password": (phrase,)}
    return Probe(
        key=key,
        kind=KIND,
        messages=(Message("system", place(texts.system, phrase)), Message("user", user)),
        language=spoken.code,
        max_tokens=MAX_TOKENS,
        parameters=BILLED,
        schema=SCHEMA,
        expect=Expectation(nonce=phrase, values=values),
    )
