"""Tool calls: a call comes as a call, with a listed name and valid arguments (R30)."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from serinus.core.exact import fisher
from serinus.core.model import Probe, Tool, Turn, Verdict, Word
from serinus.core.transcript import ToolCall, Transcript
from serinus.judging.budget import cut_by_own_cap
from serinus.judging.call_markup import call_in_text, repeated, unpolluted
from serinus.judging.contract import Contract, Measurement, Reason
from serinus.judging.finish import Finish, finish_of
from serinus.judging.schema import UnusableSchemaError, violations
from serinus.judging.significance import counts_of
from serinus.judging.strict_json import JsonError, diagnose, holds_json, parse
from serinus.probes import tool_call

CLAIM: Final = "tools"
GENEROUS: Final = 100  # tokens; a call takes 20-40
LEAST_PROMPTS: Final = 30  # prompts from which a rate says anything (`faults.md` F132)
SIGNIFICANT: Final = 0.001
_FORCED: Final = frozenset({"required", "any"})
_ESCAPES: Final = (("\\n", "\n"), ("\\t", "\t"), ('\\"', '"'))


class ToolCalls(Contract):
    """A route that claims tools calls them so that any client can."""

    name = "tool_call"
    promise = "A needed tool is called as a structured call: listed name, own id, valid arguments."
    kinds = frozenset({tool_call.KIND})
    reads_reasoning = True
    blind_fault = "tool_call_as_text"
    reasons = (
        Reason("valid_call", Word.PASS, "Every call is well-formed and valid."),
        Reason("no_call_needed", Word.PASS, "No tool was needed, and none was called."),
        Reason("rate_as_peers", Word.PASS, "Tools are called as often as on the reference hosts."),
        Reason(
            "call_as_text",
            Word.FAIL,
            "The call is written into the content.",
            "<tool_call>…",
            "asked-for markup",
        ),
        Reason(
            "call_in_reasoning",
            Word.FAIL,
            "The call stands in the reasoning.",
            "",
            "a plan, then a real call",
        ),
        Reason("finish_without_call", Word.FAIL, "The finish reason says tools, and there is no call."),
        Reason(
            "required_ignored", Word.FAIL, "A call was mandatory and did not come.", "", "tool_choice auto"
        ),
        Reason(
            "name_missing",
            Word.FAIL,
            "A call has no name.",
            '"name": null for ever',
            "a name that comes late",
        ),
        Reason("name_not_text", Word.FAIL, "A name is no string.", '"name": {"value": …}'),
        Reason(
            "name_repeated",
            Word.FAIL,
            "The name is glued from repetitions.",
            "open_dooropen_door",
            "equal deltas",
        ),
        Reason(
            "name_polluted",
            Word.FAIL,
            "Control tokens or a prefix stand in the name.",
            "functions.open_door",
            "ids of the form functions.name:0",
        ),
        Reason("unknown_tool", Word.FAIL, "A tool is called that was not offered."),
        Reason("orphan_entry", Word.FAIL, "An entry has neither name nor id."),
        Reason("id_missing", Word.FAIL, "A call has no id.", "", "ids only in the first delta"),
        Reason("id_duplicate", Word.FAIL, "Two calls share an id.", "", "functions.open_door:0 and :1"),
        Reason("index_collision", Word.FAIL, "Two calls stream under one index, so that clients glue them."),
        Reason("index_missing", Word.FAIL, "Several calls stream without indices."),
        Reason("index_missing_once", Word.WARN, "The only call streams without an index."),
        Reason(
            "arguments_missing",
            Word.FAIL,
            "A call lacks its required arguments.",
            '""',
            "a tool without parameters",
        ),
        Reason(
            "arguments_not_json",
            Word.FAIL,
            "Arguments are no JSON.",
            "{'door': 'north'}",
            "blanks, key order",
        ),
        Reason("arguments_truncated", Word.FAIL, "Arguments are cut off though the call is called complete."),
        Reason("arguments_glued", Word.FAIL, "Arguments hold two values.", "{…}{…}"),
        Reason(
            "double_encoded", Word.FAIL, "Arguments are JSON inside a string.", "", "a string that holds JSON"
        ),
        Reason(
            "arguments_invalid",
            Word.FAIL,
            "Arguments break the tool's schema.",
            '"door": "west"',
            "optional keys",
        ),
        Reason(
            "escaped_argument",
            Word.FAIL,
            "A value is escaped where the prompt fixed it.",
            "&amp;&amp;",
            "\\u0026",
        ),
        Reason(
            "values_differ", Word.WARN, "The call is valid, but its values are not those the prompt fixed."
        ),
        Reason("needless_call", Word.WARN, "A tool was called though none was needed."),
        Reason(
            "rate_differs", Word.WARN, "Tools are called far more or less often than on the reference hosts."
        ),
        Reason("no_call", Word.INCONCLUSIVE, "No call came, and none was mandatory: one sample of a rate."),
        Reason("own_cap", Word.INCONCLUSIVE, "Our own small cap cut the call.", "max_tokens 12"),
        Reason("unusable_schema", Word.INCONCLUSIVE, "The tool's schema is beyond the validator."),
        Reason("too_few_prompts", Word.INCONCLUSIVE, "Too few prompts for a rate."),
        Reason("not_claimed", Word.NOT_APPLICABLE, "The route does not claim tools."),
        Reason("not_asked", Word.NOT_APPLICABLE, "No tool was offered."),
        Reason("no_rate", Word.NOT_APPLICABLE, "These are no counts of calls."),
    )

    def probes(self, turn: Turn) -> tuple[Probe, ...]:
        """Every second round, and when owed; nothing of a route that does not claim tools."""
        if turn.claims is not None and CLAIM not in turn.claims:
            return ()
        return (tool_call.ask(turn),) if tool_call.due(turn) else ()

    def judge(self, transcript: Transcript) -> Verdict:
        """Each call by its form, then by its schema; without a call, where it went."""
        probe, answer = transcript.probe, transcript.answer
        if not probe.tools:
            return self.say("not_asked", "No tool was offered.")
        if transcript.claims is not None and CLAIM not in transcript.claims:
            return self.say("not_claimed", "The route does not claim tools.")
        if not answer.tool_calls:
            return self._without_call(transcript)
        wrong = self._wire(transcript) or self._ids(answer.tool_calls)
        for call in answer.tool_calls:
            wrong = wrong or self._named(call, probe) or self._argued(call, transcript)
        return wrong or self._fits(transcript)

    def weigh(self, probe: Probe, measurement: Measurement) -> Verdict:
        """How often tools were called over many prompts, against the reference hosts."""
        host, reference = (counts_of(measurement.values.get(side)) for side in ("host", "reference"))
        if measurement.type != "counts" or probe.kind != "rate" or "called" not in host:
            return self.say("no_rate", "These are no counts of calls.")
        own, peers = (side.get("called", 0) + side.get("not_called", 0) for side in (host, reference))
        if min(own, peers) < LEAST_PROMPTS:
            return self.say("too_few_prompts", f"{own} and {peers} prompts are too few for a rate.")
        p = fisher(
            host["called"],
            host.get("not_called", 0),
            reference.get("called", 0),
            reference.get("not_called", 0),
        )
        evidence = {"p": f"{p:.3g}", "threshold": SIGNIFICANT, "host": host, "reference": reference}
        told = f"Called in {host['called']} of {own} prompts; peers {reference.get('called', 0)} of {peers}."
        return self.say("rate_differs" if p < SIGNIFICANT else "rate_as_peers", told, **evidence)

    def _without_call(self, transcript: Transcript) -> Verdict:
        probe, answer = transcript.probe, transcript.answer
        if probe.expect.call is False or probe.tool_choice == "none":
            return self.say("no_call_needed", "No tool was needed, and none was called.")
        names = [tool.name for tool in probe.tools]
        written = call_in_text(transcript.text, names)
        if written is not None:
            return self.say("call_as_text", "The call is written into the content.", text=written)
        if finish_of(answer) is Finish.TOOLS:
            return self.say("finish_without_call", "The finish reason says tools, and there is no call.")
        hidden = call_in_text(answer.reasoning or "", names)
        if hidden is not None:
            return self.say("call_in_reasoning", "The call stands in the reasoning.", text=hidden)
        return self._uncalled(transcript)

    def _uncalled(self, transcript: Transcript) -> Verdict:
        """Nothing that is a call in any form."""
        probe, shown = transcript.probe, transcript.text[:120]
        if finish_of(transcript.answer) is Finish.LENGTH and cut_by_own_cap(transcript, GENEROUS):
            return self.say("own_cap", f"Our own cap of {probe.max_tokens} tokens came before any call.")
        if probe.tool_choice in _FORCED:
            return self.say("required_ignored", "A call was mandatory and did not come.", text=shown)
        return self.say("no_call", "No call came, and none was mandatory.", text=shown)

    def _wire(self, transcript: Transcript) -> Verdict | None:
        """What the stream did to the calls before they could be read."""
        codes = dict(transcript.answer.oddities)
        if "tool_index_collision" in codes:
            return self.say(
                "index_collision", f"Two calls stream under one index: {codes['tool_index_collision']}."
            )
        if "tool_index_missing" in codes and len(transcript.answer.tool_calls) > 1:
            return self.say("index_missing", "Several calls stream without indices.")
        return None

    def _ids(self, calls: tuple[ToolCall, ...]) -> Verdict | None:
        if any(not c.id and not c.name and c.name_is_text for c in calls) and len(calls) > 1:
            return self.say("orphan_entry", "An entry has neither name nor id.", calls=len(calls))
        if any(not c.id for c in calls):
            return self.say("id_missing", "A call has no id.")
        ids = [c.id for c in calls]
        if len(set(ids)) < len(ids):
            return self.say("id_duplicate", f"Calls share an id: {', '.join(map(str, ids))}.", ids=ids)
        return None

    def _named(self, call: ToolCall, probe: Probe) -> Verdict | None:
        names = [tool.name for tool in probe.tools]
        if not call.name_is_text:
            return self.say("name_not_text", "A name is no string.", index=call.index)
        if not call.name:
            return self.say("name_missing", "A call has no name.", index=call.index)
        if call.name in names:
            return None
        if repeated(call.name, names):
            return self.say(
                "name_repeated", f"The name is glued from repetitions: {call.name}.", name=call.name
            )
        if unpolluted(call.name) in names:
            return self.say("name_polluted", f"The name is not clean: {call.name}.", name=call.name)
        return self.say("unknown_tool", f"{call.name} was not offered.", name=call.name[:100], offered=names)

    def _argued(self, call: ToolCall, transcript: Transcript) -> Verdict | None:
        tool = next(t for t in transcript.probe.tools if t.name == call.name)
        written = call.arguments or ""
        if not written.strip() or written.strip() in ("{}", "null"):
            if not tool.parameters.get("required"):
                return None
            return self.say(
                "arguments_missing", f"{tool.name} lacks its required arguments.", arguments=written[:40]
            )
        try:
            value = parse(written)
        except JsonError as error:
            return self._malformed(tool, written, error, transcript)
        return self._valid(tool, value, transcript)

    def _malformed(self, tool: Tool, written: str, error: JsonError, transcript: Transcript) -> Verdict:
        wrong = diagnose(written)
        evidence = {"tool": tool.name, "arguments": written[:200], "offset": wrong.offset}
        if wrong.code in ("truncated", "whitespace_loop"):
            if finish_of(transcript.answer) is Finish.LENGTH and cut_by_own_cap(transcript, GENEROUS):
                return self.say(
                    "own_cap",
                    f"Our own cap of {transcript.probe.max_tokens} tokens cut the call.",
                    **evidence,
                )
            return self.say("arguments_truncated", "The arguments are cut off.", **evidence)
        if wrong.code == "trailing_text" and written[wrong.offset :].lstrip().startswith(("{", "[")):
            return self.say("arguments_glued", "The arguments hold two values.", **evidence)
        return self.say("arguments_not_json", f"The arguments are no JSON: {error}", **evidence)

    def _valid(self, tool: Tool, value: Any, transcript: Transcript) -> Verdict | None:
        if isinstance(value, str) and holds_json(value, dict):
            return self.say("double_encoded", "The arguments are a string that holds JSON.", tool=tool.name)
        try:
            found = violations(tool.parameters, value) if tool.parameters else []
        except UnusableSchemaError as error:
            return self.say("unusable_schema", str(error))
        if found:
            first = found[0]
            code = "double_encoded" if first.code == "double_encoded" else "arguments_invalid"
            told = f"{tool.name} at {first.path}: {first.message}"
            return self.say(code, told, path=first.path, how=first.code, arguments=_short(value))
        escaped = next(_escaped(value, transcript.probe), None)
        if escaped is not None:
            return self.say(
                "escaped_argument", f"A value is escaped: {escaped[:100]!r}.", value=escaped[:100]
            )
        return None

    def _fits(self, transcript: Transcript) -> Verdict:
        """Well-formed and valid; what is left is whether it was this call that was wanted."""
        probe, calls = transcript.probe, transcript.answer.tool_calls
        if probe.expect.call is False or probe.tool_choice == "none":
            return self.say("needless_call", f"{calls[0].name} was called though no tool was needed.")
        if any(code == "tool_index_missing" for code, _ in transcript.answer.oddities):
            return self.say("index_missing_once", "The only call streams without an index.")
        first = _values(calls[0])
        wrong = [k for k, allowed in probe.expect.values.items() if k in first and first[k] not in allowed]
        if wrong:
            told = f"Valid, but the values of {', '.join(wrong)} are not those that the prompt fixed."
            return self.say("values_differ", told, found={k: first[k] for k in wrong})
        return self.say("valid_call", f"{len(calls)} valid call(s).", names=[c.name for c in calls])


def _values(call: ToolCall) -> Mapping[str, Any]:
    try:
        value = parse(call.arguments or "{}")
    except JsonError:
        return {}
    return value if isinstance(value, dict) else {}


def _escaped(value: Any, probe: Probe) -> Iterator[str]:
    """Strings among the arguments that are escaped where the prompt has them plain (`faults.md` F133)."""
    wanted = [str(v) for allowed in probe.expect.values.values() for v in allowed]
    asked = "\n".join([*(m.content for m in probe.messages), *wanted])
    for text in _strings(value):
        plain = html.unescape(text)
        if plain != text and text not in asked and plain in asked:
            yield text
        for written, meant in _ESCAPES:
            if written in text and text not in asked and text.replace(written, meant) in asked:
                yield text


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def _short(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)[:200]
