"""Contract 3, structured output: the object that the schema asks for, and nothing else (R9)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from serinus.core.model import Probe, Turn, Verdict, Word
from serinus.core.transcript import Transcript
from serinus.judging.budget import cut_by_own_cap
from serinus.judging.contract import Contract, Reason
from serinus.judging.precedence import asks_about
from serinus.judging.schema import UnusableSchemaError, Violation, violations
from serinus.judging.strict_json import JsonError, diagnose, holds_json, parse
from serinus.judging.visible import has_visible
from serinus.probes import structured

CLAIMS: Final = frozenset({"structured_outputs", "response_format"})
# A small object takes 40-90 tokens; under a cap of this size a cut proves nothing of the host.
GENEROUS: Final = 200
_FORMAT_WORDS: Final = (
    "response_format",
    "json_schema",
    "structured output",
    "structured_output",
    "json mode",
    "schema",
)
_SCHEMA_KEYS: Final = ("properties", "required", "$schema", "additionalProperties")


class StructuredOutput(Contract):
    """A route that claims the response format answers with one strict JSON value of that schema."""

    name = "structured_output"
    promise = "A requested JSON schema is obeyed exactly: one object, valid, with nothing around it."
    kinds = frozenset({structured.KIND})
    about_errors = True
    reads_reasoning = True
    blind_fault = "json_fenced"
    reasons = (
        Reason("valid", Word.PASS, "The answer is one JSON value that obeys the schema."),
        Reason(
            "fenced",
            Word.FAIL,
            "The JSON stands in a Markdown fence.",
            "```json\n{…}\n```",
            "no format was asked",
        ),
        Reason(
            "leading_text",
            Word.FAIL,
            "Text stands before the JSON.",
            "Sure! Here it is: {…}",
            "leading blanks",
        ),
        Reason(
            "trailing_text",
            Word.FAIL,
            "Something follows the JSON.",
            "{…}\n\nThis object …",
            "a trailing newline",
        ),
        Reason("reasoning_leak", Word.FAIL, "Reasoning stands before the JSON.", "<think>…</think>{…}"),
        Reason("reasoning_field", Word.FAIL, "The JSON stands in the reasoning field, the content is empty."),
        Reason("tool_call_instead", Word.FAIL, "A tool call came in place of the content."),
        Reason(
            "not_json", Word.FAIL, "The answer is no JSON.", "{'mood': 'calm'}", "escaped non-ASCII letters"
        ),
        Reason(
            "control_character",
            Word.FAIL,
            "A raw line break or tab stands inside a string.",
            "",
            "an escaped \\n",
        ),
        Reason(
            "duplicate_key", Word.FAIL, "A key stands twice in one object.", '{"mood":"calm","mood":"calm"}'
        ),
        Reason(
            "doubled_token", Word.FAIL, "A key or literal repeats next to itself.", '{"mood":"mood":"calm"}'
        ),
        Reason(
            "truncated",
            Word.FAIL,
            "The JSON is cut off.",
            '{"mood":"calm","n',
            "a cap of ours too small for it",
        ),
        Reason("whitespace_loop", Word.FAIL, "Blanks fill the object until the end.", "", "a wide layout"),
        Reason(
            "double_encoded",
            Word.FAIL,
            "JSON stands inside a string.",
            '"{\\"mood\\":…}"',
            "a text field with JSON",
        ),
        Reason(
            "schema_echoed", Word.FAIL, "The answer is the schema itself.", '{"type":"object","properties":…}'
        ),
        Reason("other_schema", Word.FAIL, "The object has no key of the schema.", '{"title":…} for a scene'),
        Reason("missing_key", Word.FAIL, "A required key is absent.", "", "an optional key that is absent"),
        Reason(
            "extra_key",
            Word.FAIL,
            "A key stands there that the schema forbids.",
            "",
            "a schema that allows it",
        ),
        Reason(
            "wrong_type", Word.FAIL, "A value has another type.", '"npc_count": "one"', "1.0 for an integer"
        ),
        Reason("enum_violation", Word.FAIL, "A value is none of those allowed.", '"mood": "gloomy"'),
        Reason(
            "bound_violation", Word.FAIL, "A value breaks a bound or pattern.", '"exits": [] with minItems 1'
        ),
        Reason(
            "refused_format",
            Word.FAIL,
            "The route claims the format in its listing and refuses it with an error.",
            "400 response_format is not supported, claimed in supported_parameters",
        ),
        Reason(
            "values_differ", Word.WARN, "The object is valid, but values that the prompt fixed are not there."
        ),
        Reason(
            "nonce_missing",
            Word.WARN,
            "The object is valid, but the word that it should repeat is not in it.",
        ),
        Reason(
            "format_unsupported",
            Word.INCONCLUSIVE,
            "The host refuses the format; whether it claims it is unknown.",
        ),
        Reason(
            "own_error", Word.INCONCLUSIVE, "Our own request was refused for another reason than its format."
        ),
        Reason("own_cap", Word.INCONCLUSIVE, "Our own small cap cut the object.", "max_tokens 16"),
        Reason("reasoning_only", Word.INCONCLUSIVE, "There is reasoning and no answer."),
        Reason("unusable_schema", Word.INCONCLUSIVE, "The schema or the value is beyond the validator."),
        Reason("not_claimed", Word.NOT_APPLICABLE, "The route does not claim structured output."),
        Reason("not_asked", Word.NOT_APPLICABLE, "No schema was requested."),
    )

    def probes(self, turn: Turn) -> tuple[Probe, ...]:
        """Every second round, and when owed; nothing of a route that does not claim it."""
        if turn.claims is not None and not turn.claims & CLAIMS:
            return ()
        return (structured.ask(turn),) if structured.due(turn) else ()

    def judge(self, transcript: Transcript) -> Verdict:
        """Parsed and validated strictly, with the exact reason."""
        if transcript.probe.schema is None:
            return self.say("not_asked", "No schema was requested.")
        claims = transcript.claims
        if claims is not None and not claims & CLAIMS:
            return self.say("not_claimed", "The route does not claim structured output.")
        if asks_about(self, transcript):
            return self._refused(transcript)
        if not has_visible(transcript.text):
            return self._no_content(transcript)
        try:
            value = parse(transcript.text)
        except JsonError as error:
            return self._malformed(transcript, error)
        return self._against_schema(transcript, value)

    def _refused(self, transcript: Transcript) -> Verdict:
        failure = transcript.answer.failure
        message = failure.message if failure else ""
        told = f"{message} {failure.raw if failure else ''}".lower()
        if not any(word in told for word in _FORMAT_WORDS):
            return self.say(
                "own_error", f"Our request was refused: {message[:200]}", status=transcript.status
            )
        code = "refused_format" if transcript.claims is not None else "format_unsupported"
        return self.say(code, f"The format was refused: {message[:200]}", status=transcript.status)

    def _no_content(self, transcript: Transcript) -> Verdict:
        answer = transcript.answer
        if answer.tool_calls:
            return self.say("tool_call_instead", "A tool call came in place of the content.")
        reasoning = (answer.reasoning or "").strip()
        if holds_json(reasoning, dict) or holds_json(reasoning, list):
            return self.say(
                "reasoning_field", "The JSON stands in the reasoning field.", reasoning=reasoning[:200]
            )
        return self.say("reasoning_only", "There is reasoning and no answer.")

    def _malformed(self, transcript: Transcript, error: JsonError) -> Verdict:
        if error.code == "duplicate_key":
            return self.say("duplicate_key", f"In the JSON {error}.", offset=error.offset)
        wrong = diagnose(transcript.text)
        if wrong.code == "truncated" and cut_by_own_cap(transcript, GENEROUS):
            cap = transcript.probe.max_tokens
            return self.say("own_cap", f"Our own cap of {cap} tokens cut the object.", max_tokens=cap)
        shown = transcript.text[max(0, wrong.offset - 40) : wrong.offset + 40]
        return self.say(wrong.code, f"Not the JSON alone: {wrong.detail}.", offset=wrong.offset, around=shown)

    def _against_schema(self, transcript: Transcript, value: Any) -> Verdict:
        if isinstance(value, str) and (holds_json(value, dict) or holds_json(value, list)):
            return self.say("double_encoded", "The JSON is a string that holds the JSON.")
        schema = _schema(transcript.probe)
        try:
            found = violations(schema, value)
        except UnusableSchemaError as error:
            return self.say("unusable_schema", str(error))
        if found:
            return self._violated(schema, value, found)
        return self._values(transcript, value)

    def _violated(self, schema: Mapping[str, Any], value: Any, found: list[Violation]) -> Verdict:
        keys = schema.get("properties", {})
        if isinstance(value, dict) and keys and not set(value) & set(keys):
            code = "schema_echoed" if any(k in value for k in _SCHEMA_KEYS) else "other_schema"
            return self.say(
                code, f"The object has none of the keys {', '.join(sorted(keys))}.", keys=sorted(value)[:20]
            )
        first = found[0]
        places = [f"{v.path}: {v.code}" for v in found[:5]]
        return self.say(first.code, f"At {first.path}: {first.message}", path=first.path, violations=places)

    def _values(self, transcript: Transcript, value: Any) -> Verdict:
        expect = transcript.probe.expect
        wrong = [key for key, allowed in expect.values.items() if not _fits(value, key, allowed)]
        if wrong:
            got = {key: value.get(key) if isinstance(value, dict) else None for key in wrong}
            told = f"Valid, but the values of {', '.join(wrong)} are not those that the prompt fixed."
            return self.say(
                "values_differ", told, found=got, wanted={k: list(expect.values[k]) for k in wrong}
            )
        nonce = (expect.nonce or "").casefold()
        if nonce not in transcript.text.casefold() and nonce not in str(value).casefold():
            told = "Valid, but the word that it should repeat is not in it."
            return self.say("nonce_missing", told, nonce=expect.nonce)
        return self.say("valid", "One JSON value that obeys the schema.")


def _schema(probe: Probe) -> Mapping[str, Any]:
    """The schema itself, out of `{"name", "strict", "schema"}` or as it stands."""
    given = probe.schema or {}
    inner = given.get("schema")
    return inner if isinstance(inner, Mapping) else given


def _fits(value: Any, key: str, allowed: tuple[Any, ...]) -> bool:
    """Whether the value of a key is one that the prompt fixed; a list must hold exactly those."""
    found = value.get(key) if isinstance(value, dict) else None
    if isinstance(found, list):
        return sorted(map(str, found)) == sorted(map(str, allowed))
    if isinstance(found, str):
        return any(isinstance(a, str) and a.casefold() == found.strip().casefold() for a in allowed)
    return found in allowed
