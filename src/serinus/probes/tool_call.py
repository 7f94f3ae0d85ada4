"""The tool probe: two small tools and a wish that only one of them fulfils.

`tool_choice` stays `auto`: it is what applications send, every route that claims tools takes it, and a
host whose parser is missing shows itself by prose. `required` is refused by some and ignored by others.
"""

from __future__ import annotations

from typing import Final

from serinus.core.model import Expectation, Message, Probe, Tool, Turn
from serinus.probes.billed import BILLED
from serinus.probes.languages import language
from serinus.probes.nonce import nonce, place
from serinus.probes.rotation import choose

KIND = "tool_call"
GATES: Final = ("north", "east", "south")
MAX_TOKENS = 120

TOOLS: Final = (
    Tool(
        "open_gate",
        {
            "type": "object",
            "additionalProperties": False,
            "required": ["gate", "password"],
            "properties": {
                "gate": {"type": "string", "enum": list(GATES)},
                "password": {"type": "string"},
            },
        },
    ),
    # The distractor has nothing to fill in: it is there to be left alone, and costs ten tokens.
    Tool("ring_bell", {"type": "object", "properties": {}}),
)


def due(turn: Turn) -> bool:
    """Whether this round asks it: every second one (the structured object takes the other), and when owed."""
    return turn.index % 2 == 1 or KIND in turn.owed


def ask(turn: Turn) -> Probe:
    """The tool request of this turn, in its language; the right call opens the gate of `expect.values`.

    Raises:
        UnknownLanguageError: there are no prompts for `turn.language`.
    """
    spoken = language(turn.language)
    key = f"{KIND}.{spoken.code}"
    phrase = nonce(turn, spoken, key)
    gate = choose(turn, "gate", GATES)
    return Probe(
        key=key,
        kind=KIND,
        messages=(
            Message("system", place(spoken.tool_call.system, phrase)),
            Message("user", spoken.tool_call.gates[gate]),
        ),
        language=spoken.code,
        max_tokens=MAX_TOKENS,
        parameters=BILLED,
        tools=TOOLS,
        tool_choice="auto",
        expect=Expectation(nonce=phrase, call=True, values={"gate": (gate,), "password": (phrase,)}),
    )
