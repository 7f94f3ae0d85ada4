"""Tool calls put together from their deltas, as the reference clients do it: by index."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from serinus.core.transcript import ToolCall
from serinus.wire.json_text import as_count, as_mapping


@dataclass(slots=True)
class _Draft:
    """A call while its deltas still come."""

    index: int
    id: str | None = None
    type: str | None = None
    name: str | None = None
    name_parts: list[str] = field(default_factory=list)
    name_is_text: bool = True
    arguments: list[str] = field(default_factory=list)

    def done(self) -> ToolCall:
        return ToolCall(
            index=self.index,
            id=self.id,
            type=self.type,
            name=self.name,
            arguments="".join(self.arguments) if self.arguments else None,
            name_parts=tuple(self.name_parts),
            name_is_text=self.name_is_text,
        )


class ToolCalls:
    """Takes the entries of `tool_calls` in order of arrival; `oddities` tell what was irregular.

    `tool_index_missing`: an entry of a stream without index; it joins the call of its id, or the
    latest one. `tool_index_collision`: a second id under an index that is taken, so that clients glue
    two calls together. A name that comes again equal is kept once; a differing one is appended.
    """

    __slots__ = ("_drafts", "_latest", "oddities")

    def __init__(self) -> None:
        self._drafts: dict[int, _Draft] = {}
        self._latest: _Draft | None = None
        self.oddities: list[tuple[str, str]] = []

    def take(self, entry: Any, position: int | None = None) -> None:
        """Add one entry; `position` is its place in a whole message, where no index is owed."""
        if not isinstance(entry, dict):
            self.oddities.append(("unknown_shape", f"a tool call that is {type(entry).__name__}"))
            return
        call_id = entry.get("id")
        draft = self._draft(as_count(entry.get("index")), call_id, position)
        if isinstance(call_id, str) and call_id:
            if draft.id and draft.id != call_id:
                self.oddities.append(
                    ("tool_index_collision", f"index {draft.index}: {draft.id}, then {call_id}")
                )
            else:
                draft.id = call_id
        elif isinstance(call_id, str) and draft.id is None:
            draft.id = call_id
        if isinstance(entry.get("type"), str):
            draft.type = entry["type"]
        self._function(draft, as_mapping(entry.get("function")))
        self._latest = draft

    def calls(self) -> tuple[ToolCall, ...]:
        """The calls so far, by index."""
        return tuple(draft.done() for _, draft in sorted(self._drafts.items()))

    def _draft(self, index: int | None, call_id: Any, position: int | None) -> _Draft:
        if index is None:
            index = position
        if index is None:
            self.oddities.append(("tool_index_missing", f"a tool call delta without index, id {call_id!r}"))
            index = self._index_of(call_id)
        return self._drafts.setdefault(index, _Draft(index))

    def _index_of(self, call_id: Any) -> int:
        """Where a delta without index belongs: to the call of its id, else to the latest or a new one."""
        for draft in self._drafts.values():
            if call_id and draft.id == call_id:
                return draft.index
        if self._latest is None:
            return 0
        if call_id and self._latest.id:
            return max(self._drafts) + 1
        return self._latest.index

    @staticmethod
    def _function(draft: _Draft, function: dict[str, Any]) -> None:
        name = function.get("name")
        if isinstance(name, str) and name:
            draft.name_parts.append(name)
            if name != draft.name:
                draft.name = name if draft.name is None else draft.name + name
        elif isinstance(name, str) and draft.name is None:
            draft.name = ""
        elif name is not None and not isinstance(name, str):
            draft.name_is_text = False
        arguments = function.get("arguments")
        if isinstance(arguments, str):
            draft.arguments.append(arguments)
        elif arguments is not None:
            # Some hosts send the object itself; written out, it can be judged like any other.
            draft.arguments.append(json.dumps(arguments, ensure_ascii=False))
