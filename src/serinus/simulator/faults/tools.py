"""Tool calls that no client can use."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from serinus.simulator import tokens
from serinus.simulator.ask import Ask
from serinus.simulator.draft import Call, Draft
from serinus.simulator.faults.registry import Case, Stage, at
from serinus.simulator.faults.streams import delta
from serinus.simulator.steps import Chunk, Step

_KIND = ("tool_call",)


def _each(draft: Draft, edit: Callable[[Call], Call]) -> Draft:
    return replace(draft, calls=tuple(edit(call) for call in draft.calls))


def _spoken(draft: Draft, text: str) -> Draft:
    return replace(draft, text=text, calls=(), finish="stop", native="stop")


@at(Stage.REQUEST, kinds=_KIND)
def tools_dropped(ask: Ask, case: Case) -> Ask:
    """The host never sees the tools: it answers in prose."""
    del case
    body = {name: value for name, value in ask.body.items() if name not in {"tools", "tool_choice"}}
    return replace(ask, body=body, tools=(), tool_choice=None)


@at(Stage.CONTENT, kinds=_KIND)
def tool_call_as_text(draft: Draft, case: Case, *, style: str = "xml") -> Draft:
    """The call stands in the text as markup (`style` xml or kimi), and there is none in the field."""
    del case
    call = draft.calls[0]
    body = json.dumps({"name": call.name, "arguments": json.loads(call.arguments)}, ensure_ascii=False)
    if style == "kimi":
        sections = ("tool_calls_section_begin", "tool_call_begin", "tool_call_end", "tool_calls_section_end")
        opened, begin, end, closed = (f"<|{name}|>" for name in sections)
        return _spoken(draft, f"{opened}{begin}functions.{call.name}:0{call.arguments}{end}{closed}")
    return _spoken(draft, f"<tool_call>\n{body}\n</tool_call>")


@at(Stage.CONTENT, kinds=_KIND)
def tool_call_bad_arguments(draft: Draft, case: Case) -> Draft:
    """The arguments are not JSON."""
    del case
    return _each(draft, lambda call: replace(call, arguments=call.arguments.replace('"', "'")))


@at(Stage.CONTENT, kinds=_KIND)
def tool_arguments_off_schema(draft: Draft, case: Case, *, value: str = "up") -> Draft:
    """The arguments are JSON that the tool's schema does not allow."""
    del case

    def edit(call: Call) -> Call:
        arguments = json.loads(call.arguments)
        first = next(iter(arguments), "value")
        return replace(call, arguments=json.dumps({**arguments, first: value}, ensure_ascii=False))

    return _each(draft, edit)


@at(Stage.CONTENT, kinds=_KIND)
def tool_arguments_double_encoded(draft: Draft, case: Case) -> Draft:
    """The arguments are a JSON string that holds JSON."""
    del case
    return _each(draft, lambda call: replace(call, arguments=json.dumps(call.arguments, ensure_ascii=False)))


@at(Stage.CONTENT, kinds=_KIND)
def tool_missing_id(draft: Draft, case: Case) -> Draft:
    """The call has no id."""
    del case
    return _each(draft, lambda call: replace(call, id=None))


@at(Stage.CONTENT, kinds=_KIND)
def tool_empty_id(draft: Draft, case: Case) -> Draft:
    """The call's id is the empty string."""
    del case
    return _each(draft, lambda call: replace(call, id=""))


@at(Stage.CONTENT, kinds=_KIND)
def tool_unknown_name(draft: Draft, case: Case, *, name: str = "unlock_portal") -> Draft:
    """A tool is called that was never offered."""
    del case
    return _each(draft, lambda call: replace(call, name=name))


@at(Stage.CONTENT, kinds=_KIND)
def tool_name_polluted(draft: Draft, case: Case, *, pollution: str = "<|channel|>commentary") -> Draft:
    """A control token is glued to the tool's name."""
    del case
    return _each(draft, lambda call: replace(call, name=f"{call.name}{pollution}"))


@at(Stage.CONTENT, kinds=_KIND)
def tool_name_null(draft: Draft, case: Case) -> Draft:
    """The tool's name is null."""
    del case
    return _each(draft, lambda call: replace(call, name=None))


@at(Stage.CONTENT, kinds=_KIND)
def tool_call_truncated(draft: Draft, case: Case, *, keep: float = 0.5) -> Draft:
    """The arguments end in the middle, and the finish reason says that the call is whole."""
    del case
    return _each(
        draft, lambda call: replace(call, arguments=call.arguments[: int(len(call.arguments) * keep)])
    )


@at(Stage.CONTENT, kinds=_KIND)
def tool_finish_without_call(draft: Draft, case: Case) -> Draft:
    """The finish reason is tool_calls, and there is no call."""
    del case
    return replace(draft, text="", calls=())


@at(Stage.CONTENT, kinds=_KIND, harmless=True)
def tool_finish_stop(draft: Draft, case: Case) -> Draft:
    """A valid call ends with finish reason stop (harmless)."""
    del case
    return replace(draft, finish="stop", native="stop")


@at(Stage.CONTENT, kinds=_KIND)
def tool_call_in_reasoning(draft: Draft, case: Case) -> Draft:
    """The call stands in the reasoning field as text."""
    del case
    call = draft.calls[0]
    thought = f'<tool_call>{{"name": "{call.name}", "arguments": {call.arguments}}}</tool_call>'
    return replace(_spoken(draft, ""), reasoning=thought, reasoning_tokens=tokens.count(thought))


@at(Stage.CONTENT, kinds=_KIND)
def tool_arguments_escaped(draft: Draft, case: Case) -> Draft:
    """HTML entities stand in the arguments' strings."""
    del case
    return _each(
        draft,
        lambda call: replace(call, arguments=call.arguments.replace(" ", "&#32;").replace("a", "&#97;", 1)),
    )


@at(Stage.CONTENT, kinds=_KIND)
def tool_prose_instead(draft: Draft, case: Case) -> Draft:
    """The host answers in prose that it will call the tool."""
    return _spoken(draft, case.corpus.of(case.wish.language).lines[0])


@at(Stage.CONTENT, kinds=_KIND)
def tool_arguments_glued(draft: Draft, case: Case) -> Draft:
    """The arguments are the same object twice, one behind the other."""
    del case
    return _each(draft, lambda call: replace(call, arguments=call.arguments * 2))


@at(Stage.CONTENT, kinds=_KIND)
def tool_call_as_list(draft: Draft, case: Case) -> Draft:
    """The call stands in the text as a list behind a prefix token, and there is none in the field."""
    del case
    call = draft.calls[0]
    body = [{"name": call.name, "arguments": json.loads(call.arguments)}]
    return _spoken(draft, f"[TOOL_CALLS]{json.dumps(body, ensure_ascii=False)}")


@at(Stage.CONTENT, kinds=_KIND)
def tool_second_call_empty(draft: Draft, case: Case) -> Draft:
    """A second entry has neither name nor id, and no arguments."""
    del case
    return replace(draft, calls=(*draft.calls, Call(None, None, "")))


@at(Stage.STREAM, kinds=_KIND, bodies=False)
def tool_name_repeated(steps: list[Step], case: Case) -> list[Step]:
    """The tool's name comes again in every piece of the call, so that naive readers glue it."""
    name = next((c["function"].get("name") for s in steps for c in delta(s).get("tool_calls") or ()), None)
    del case
    return _pieces(steps, lambda call: {**call, "function": {**call["function"], "name": name}})


@at(Stage.STREAM, kinds=_KIND, bodies=False)
def tool_index_missing(steps: list[Step], case: Case) -> list[Step]:
    """The pieces of the call do not say to which call they belong."""
    del case
    return _pieces(steps, lambda call: {k: v for k, v in call.items() if k != "index"})


@at(Stage.STREAM, kinds=_KIND, bodies=False, harmless=True)
def tool_name_late(steps: list[Step], case: Case) -> list[Step]:
    """The tool's name comes with the second piece of the call (odd, and whole in the end)."""
    del case
    seen: list[Any] = []

    def later(call: dict[str, Any]) -> dict[str, Any]:
        function = dict(call["function"])
        if not seen:
            seen.append(function.pop("name", None))
        elif len(seen) == 1:
            function["name"] = seen[0]
            seen.append(None)
        return {**call, "function": function}

    return _pieces(steps, later)


def _pieces(steps: list[Step], edit: Callable[[dict[str, Any]], dict[str, Any]]) -> list[Step]:
    """The steps with every piece of a call changed."""
    found: list[Step] = []
    for step in steps:
        calls = delta(step).get("tool_calls")
        if not calls or not isinstance(step, Chunk):
            found.append(step)
            continue
        choice = dict(step.data["choices"][0])
        choice["delta"] = {**choice["delta"], "tool_calls": [edit(dict(call)) for call in calls]}
        found.append(Chunk({**step.data, "choices": [choice]}))
    return found
