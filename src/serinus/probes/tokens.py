"""What a probe will cost, in tokens, before it is sent (R34).

A rough estimate by characters, good to about a tenth for the vocabularies of 2024-2026 on average over
languages; no vocabulary is shipped. `docs/reference/probes.md` has the measured table behind it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

from serinus.core.model import Probe
from serinus.probes import roleplay, structured
from serinus.probes.languages import language

PER_MESSAGE: Final = 4  # role and separators of a chat template
JSON_PER_CHARACTER: Final = 0.27  # compact JSON with English keys
# A right object or call beside its free text: braces, keys, an enum value, the nonce's quotes.
FRAME: Final = 28
SENTENCES: Final = 10  # a role-play answer has about ten; the structured object holds one


@dataclass(frozen=True, slots=True)
class Cost:
    """Estimated tokens of one probe: `prompt` sent, `answer` expected, `cap` at which it is cut."""

    prompt: int
    answer: int
    cap: int

    @property
    def total(self) -> int:
        """What is expected to be billed."""
        return self.prompt + self.answer


def estimate(text: str, code: str) -> int:
    """How many tokens a text of this language takes, about."""
    return round(len(text) * language(code).tokens_per_character)


def cost(probe: Probe) -> Cost:
    """What one of our own probes costs.

    A schema and tools are counted as part of the prompt, as templates that print them do.

    Raises:
        UnknownLanguageError: the probe has no language, or one there are no prompts for.
    """
    code = probe.language or ""
    spoken = language(code)
    texts = sum(estimate(m.content, code) + PER_MESSAGE for m in probe.messages)
    extra = [dict(probe.schema)] if probe.schema else []
    extra += [{"name": t.name, "parameters": t.parameters} for t in probe.tools]
    shapes = sum(_json(e) for e in extra)
    cap = probe.max_tokens or spoken.max_tokens
    return Cost(texts + shapes, min(_answer(probe), cap), cap)


def _answer(probe: Probe) -> int:
    code = probe.language or ""
    if probe.kind == roleplay.KIND:
        return language(code).answer_tokens
    phrase = estimate(probe.expect.nonce or "", code)
    line = language(code).answer_tokens // SENTENCES if probe.kind == structured.KIND else 0
    return FRAME + phrase + line


def _json(value: object) -> int:
    return round(len(json.dumps(value, ensure_ascii=False, separators=(",", ":"))) * JSON_PER_CHARACTER)
