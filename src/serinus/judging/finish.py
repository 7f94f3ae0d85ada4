"""The finish-reason table: many words of many engines, seven meanings (`faults.md` §4).

The gateway's mapped word may read `stop` while the host's own says `sensitive`; so both are asked, and
the host's word decides when it names a filter or an error.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from serinus.core.transcript import Answer
from serinus.judging.vocabulary import words


class Finish(StrEnum):
    """What a finish reason means."""

    STOP = "stop"  # the model ended by itself
    LENGTH = "length"  # a limit ended it
    TOOLS = "tools"  # it ended to have tools called
    FILTER = "filter"  # moderation ended it
    ERROR = "error"  # something broke
    UNKNOWN = "unknown"  # a word that no table knows
    MISSING = "missing"  # no word at all


# Reported words, in lower case with underscores. Sources: faults.md §4, openrouter-facts.md §4, Gemini's
# and Bedrock's published lists.
_WORDS: Final[dict[Finish, frozenset[str]]] = {
    Finish.STOP: words(
        """
        stop stopped eos eos_token end_turn end stop_sequence stop_str eot finished finish done complete
        completed success pause_turn
        """,
    )
    | {""},
    Finish.LENGTH: words(
        """
        length max_tokens max_length model_length max_output_tokens max_new_tokens limit token_limit
        model_context_window_exceeded context_length_exceeded context_window_exceeded
        """,
    ),
    Finish.TOOLS: words("tool_calls tool_call function_call tool_use"),
    Finish.FILTER: words(
        """
        content_filter content_filtered contentfilter filtered filter sensitive safety model_armor
        prohibited_content blocklist refusal refused recitation spii image_safety content_policy
        content_policy_violation policy_violation guardrail_intervened moderation moderated
        blocked data_inspection_failed risk_control
        """,
    ),
    Finish.ERROR: words(
        """
        error network_error abort aborted cancelled canceled insufficient_system_resource
        malformed_response internal_error internal_server_error server_error engine_error
        connection_error upstream_error provider_error timeout timed_out failed failure overloaded
        engine_overloaded service_unavailable unavailable rate_limit
        """,
    ),
}
_TABLE: Final = {word: finish for finish, known in _WORDS.items() for word in known}
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def meaning(word: str | None) -> Finish:
    """What one finish word means; `FINISH_REASON_SAFETY`, `maxTokens` and `end turn` are understood."""
    if word is None:
        return Finish.MISSING
    plain = _CAMEL.sub("_", word.strip()).lower().replace("-", "_").replace(" ", "_")
    return _TABLE.get(plain.removeprefix("finish_reason_"), Finish.UNKNOWN)


def finish_of(answer: Answer) -> Finish:
    """How the answer ended: the native word where it names a filter or an error, else the mapped one."""
    native, mapped = meaning(answer.native_finish_reason), meaning(answer.finish_reason)
    for grave in (Finish.FILTER, Finish.ERROR):
        if grave in (native, mapped):
            return grave
    if mapped in (Finish.MISSING, Finish.UNKNOWN) and native not in (Finish.MISSING, Finish.UNKNOWN):
        return native
    # "stop" with a native "max_tokens" was cut, whatever the gateway's table says.
    if mapped is Finish.STOP and native is Finish.LENGTH:
        return native
    return mapped
