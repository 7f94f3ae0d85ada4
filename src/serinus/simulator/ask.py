"""A chat request as the gateway reads it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from serinus.simulator.tokens import count_json, count_prompt

Json = Any


class BadRequestError(Exception):
    """A field of the request cannot be read; the message is what a gateway says with status 400."""

    def __init__(self, *, field: str, wanted: str) -> None:
        super().__init__(f"{field}: {wanted}")


@dataclass(frozen=True, slots=True)
class Turn:
    """One message: who speaks, and the text of all its parts."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Ask:
    """What is asked of a host, and how the gateway shall treat it.

    `kind` is `structured` with a response format, `tool_call` with tools, else `roleplay`. `key`
    names the request for all chance about it: its session id, or else a hash of its body, so that
    the same question is answered alike whatever was asked before. `prompt_key` names the prompt
    alone, shared by all hosts that are asked it. `body` is the request as it came.
    """

    model: str
    turns: tuple[Turn, ...]
    body: Mapping[str, Json]
    kind: str
    key: str
    prompt_key: str
    stream: bool = False
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    schema: Mapping[str, Json] | None = None
    json_only: bool = False
    tools: tuple[Mapping[str, Json], ...] = ()
    tool_choice: Json = None
    reasoning: bool | None = None
    provider: Mapping[str, Json] = field(default_factory=dict)
    plugins: Mapping[str, bool] = field(default_factory=dict)
    wants_metadata: bool = False

    @property
    def prompt(self) -> str:
        """The last thing the user says."""
        return next((t.text for t in reversed(self.turns) if t.role == "user"), "")

    @property
    def prompt_tokens(self) -> int:
        """The size of the conversation, with the schema and tools that a template adds to it."""
        shapes = [dict(self.schema)] if self.schema else []
        shapes += [dict(tool) for tool in self.tools]
        return count_prompt([t.text for t in self.turns]) + sum(map(count_json, shapes))


def read(body: Json, headers: Mapping[str, str]) -> Ask:
    """The request out of its JSON body.

    Raises:
        BadRequestError: it is no object, or a field that decides the answer has a wrong type.
    """
    if not isinstance(body, Mapping):
        raise BadRequestError(field="body", wanted="expected a JSON object")
    model = body.get("model")
    if not isinstance(model, str) or not model:
        raise BadRequestError(field="model", wanted="a model id is required")
    turns = _turns(body.get("messages"))
    provider = _object(body, "provider")
    schema, json_only = _format(_object(body, "response_format"))
    tools = _list(body, "tools")
    prompt_key = hashlib.sha256("\x1e".join(f"{t.role}:{t.text}" for t in turns).encode()).hexdigest()
    return Ask(
        model=model,
        turns=turns,
        body=body,
        kind="structured" if schema is not None or json_only else "tool_call" if tools else "roleplay",
        key=_key(body, headers),
        prompt_key=prompt_key,
        stream=body.get("stream") is True,
        max_tokens=_cap(body),
        stop=_stop(body.get("stop")),
        schema=schema,
        json_only=json_only,
        tools=tuple(tools),
        tool_choice=body.get("tool_choice"),
        reasoning=_reasoning(_object(body, "reasoning")),
        provider=provider,
        plugins=_plugins(_list(body, "plugins")),
        wants_metadata=_switch(headers, "X-OpenRouter-Metadata", "X-OpenRouter-Experimental-Metadata")
        is True,
    )


def _turns(messages: Json) -> tuple[Turn, ...]:
    if not isinstance(messages, list) or not messages:
        raise BadRequestError(field="messages", wanted="at least one message is required")
    turns = []
    for index, message in enumerate(messages):
        if not isinstance(message, Mapping) or not isinstance(message.get("role"), str):
            raise BadRequestError(field=f"messages[{index}]", wanted="an object with a role is required")
        turns.append(Turn(message["role"], _content(message.get("content"))))
    return tuple(turns)


def _content(content: Json) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(part.get("text", "") for part in content if isinstance(part, Mapping))
    return ""


def _object(body: Mapping[str, Json], name: str) -> Mapping[str, Json]:
    value = body.get(name)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise BadRequestError(field=name, wanted=f"expected an object, received {type(value).__name__}")
    return value


def _list(body: Mapping[str, Json], name: str) -> list[Mapping[str, Json]]:
    value = body.get(name)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(v, Mapping) for v in value):
        raise BadRequestError(field=name, wanted="expected a list of objects")
    return value


def _format(wanted: Mapping[str, Json]) -> tuple[Mapping[str, Json] | None, bool]:
    kind = wanted.get("type")
    if kind == "json_schema":
        schema = wanted.get("json_schema")
        if not isinstance(schema, Mapping) or not isinstance(schema.get("schema"), Mapping):
            raise BadRequestError(field="response_format.json_schema.schema", wanted="an object is required")
        return schema["schema"], False
    if kind in (None, "text"):
        return None, False
    if kind == "json_object":
        return None, True
    raise BadRequestError(
        field="response_format.type", wanted=f"expected text, json_object or json_schema, received {kind!r}"
    )


def _cap(body: Mapping[str, Json]) -> int | None:
    value = body.get("max_tokens", body.get("max_completion_tokens"))
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise BadRequestError(
            field="max_tokens", wanted=f"expected an integer of at least 1, received {value!r}"
        )
    return value


def _stop(stop: Json) -> tuple[str, ...]:
    if isinstance(stop, str):
        return (stop,)
    return tuple(s for s in stop if isinstance(s, str)) if isinstance(stop, list) else ()


def _reasoning(wanted: Mapping[str, Json]) -> bool | None:
    if not wanted:
        return None
    return wanted.get("enabled") is not False and wanted.get("effort") != "none"


def _plugins(plugins: list[Mapping[str, Json]]) -> dict[str, bool]:
    return {str(p.get("id")): p.get("enabled") is not False for p in plugins}


def _switch(headers: Mapping[str, str], *names: str) -> bool | None:
    for name in names:
        if name in headers:
            return headers[name].strip().lower() in {"enabled", "true", "1"}
    return None


def _key(body: Mapping[str, Json], headers: Mapping[str, str]) -> str:
    session = body.get("session_id") or headers.get("X-Session-Id")
    if session:
        return str(session)
    shape = json.dumps(body, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(shape.encode("utf-8", "surrogatepass")).hexdigest()[:32]
