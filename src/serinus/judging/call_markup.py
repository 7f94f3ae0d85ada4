"""Tool calls written as text: the markup of model families, and bare JSON (`faults.md` F114, F134)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_MARKUP: Final = re.compile(
    r"</?tool_calls?\b|<\|?tool_calls?_?|<function(?:_calls?)?[=>\s]|<parameter[=\s]|<invoke\s+name=|\[TOOL_CALLS?\]"
    r"|tool_calls?_(?:section_)?(?:begin|start)|tool_call_argument_begin|<\|python_tag\|>|<\|plugin\|>"
    r"|\bto=functions\.|<｜tool|[|｜]DSML[|｜]|functools\[|<start_function_call>|<\|channel\|>commentary",
    re.IGNORECASE,
)


def call_in_text(text: str, tools: Sequence[str]) -> str | None:
    """The piece of a text that is a call of one of these tools in some family's own writing, or None."""
    markup = _MARKUP.search(text)
    if markup is not None:
        return text[markup.start() : markup.start() + 80]
    for name in tools:
        bare = re.search(_bare(name), text)
        if bare is not None:
            return text[bare.start() : bare.start() + 80]
    return None


def _bare(name: str) -> str:
    """`{"name": "open_door", "arguments": {…}}`, `functions.open_door:0`, `open_door(door="north")`."""
    tool = re.escape(name)
    json_call = (
        rf'\{{[^{{}}]{{0,80}}"(?:name|function|tool|tool_name)"\s{{0,4}}:\s{{0,4}}"{tool}"'
        r'[^{}]{0,40}"(?:arguments|parameters|input|args)"'
    )
    by_key = rf'\{{\s{{0,8}}"{tool}"\s{{0,4}}:\s{{0,4}}\{{'
    native = rf"\bfunctions\.{tool}\b"
    python = rf"\b{tool}\s?\(\s{{0,4}}(?:\w{{1,40}}\s?=|\{{|[\"'])"
    xml = rf"<{tool}>"
    return f"{json_call}|{by_key}|{native}|{python}|{xml}"


_POLLUTION: Final = re.compile(
    r"<\|.*|<｜.*|\A(?:functions?|default_api|tools?|multi_tool_use)[.:]|:\d+\Z|[\s\"'`<>|]+\Z|\A[\s\"'`<]+",
    re.DOTALL,
)


def unpolluted(name: str) -> str:
    """A tool's name without control tokens, prefixes and quotes around it."""
    cleaned = name
    for _ in range(3):
        cleaned = _POLLUTION.sub("", cleaned)
    return cleaned


def repeated(name: str, tools: Sequence[str]) -> int:
    """How often a listed name stands in a row: 2 for `open_dooropen_door`; 0 if it is something else."""
    for tool in tools:
        if tool and len(name) > len(tool) and name == tool * (len(name) // len(tool)):
            return len(name) // len(tool)
    return 0
