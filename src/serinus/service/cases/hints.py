"""What a case says was asked: `request_hint` to a probe and to what is known of its route."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

from serinus.core.model import Expectation, Message, Probe, Tool
from serinus.service.cases.problems import mapping, reject, wrong

SPECIAL: Final = frozenset(
    {
        "rate",
        "needle",
        "ladder",
        "choice",
        "vantage",
        "endpoint_meta",
        "peer_usage",
        "production_route",
        "pair",
        "wrong_name",
    },
)
# Hints that are no parameters of the request itself.
_ASIDE: Final = frozenset(
    {
        "type",
        "expect_lang",
        "prompt",
        "system",
        "messages",
        "pin",
        "provider",
        "model",
        "nonce",
        "cold_nonce",
        "control",
        "response_format",
        "tools",
        "tool_choice",
        "max_tokens",
        "stream",
        "stop",
        "direct",
        "proof",
        "needle",
        "expect_values",
        "expect_call",
        "other_nonces",
        "previous_nonces",
        "seen_hashes",
        "model_meta",
        "empty_allowed",
        "sent_tokens_est",
        "peers_prompt_tokens",
    },
)


@dataclass(frozen=True, slots=True)
class Asked:
    """The probe, and what is known of the route that it was pinned to."""

    probe: Probe
    model: str | None = None
    pin: str | None = None
    direct: bool = False
    proof: str | None = None
    control: bool = False
    reasoning_mandatory: bool = False
    claims: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Fixtures:
    """Schemas and tools that cases name (`--fixtures`)."""

    entries: Mapping[str, Any] = field(default_factory=dict)

    def schema(self, name: str) -> Mapping[str, Any]:
        """The response format of that name.

        Raises:
            CaseError: there is none.
        """
        entry = self.entries.get(name)
        if not isinstance(entry, dict):
            self._missing(
                "response_format", name, (k for k, v in self.entries.items() if isinstance(v, dict))
            )
        return entry

    def tools(self, name: str) -> tuple[Tool, ...]:
        """The tool of that name, or all tools of a list of that name.

        Raises:
            CaseError: there is none.
        """
        listed = self.entries.get(name)
        if isinstance(listed, list):
            return tuple(_tool(t, f"fixture {name!r}") for t in listed)
        known = [
            _tool(t, f"fixture {key!r}") for key, v in self.entries.items() if isinstance(v, list) for t in v
        ]
        chosen = tuple(t for t in known if t.name == name)
        if not chosen:
            self._missing("tools", name, (t.name for t in known))
        return chosen[:1]

    @staticmethod
    def _missing(key: str, name: str, known: Iterable[str]) -> NoReturn:
        names = ", ".join(sorted(known)) or "none (is --fixtures given?)"
        reject(f"request_hint.{key} names {name!r}, which is not in the fixtures; known: {names}")


def read_hint(hint: Mapping[str, Any], fixtures: Fixtures) -> Asked:
    """What was asked.

    Raises:
        CaseError: a value has a wrong type, or names a fixture that is not there.
    """
    schema = _schema(hint.get("response_format"), fixtures)
    tools = _tools(hint.get("tools"), fixtures)
    choice = hint.get("tool_choice")
    meta = mapping(hint.get("model_meta") or {}, "request_hint.model_meta")
    claims = meta.get("supported_parameters", meta.get("claims"))
    parameters = {k: v for k, v in hint.items() if k not in _ASIDE}
    if isinstance(choice, dict):
        parameters["tool_choice"] = choice
    probe = Probe(
        key="case",
        kind=_kind(hint, schema, tools),
        messages=_messages(hint),
        language=_optional(hint, "expect_lang", str),
        max_tokens=_optional(hint, "max_tokens", int),
        stream=hint.get("stream") is not False,
        schema=schema,
        tools=tools,
        tool_choice="required" if isinstance(choice, dict) else _optional(hint, "tool_choice", str),
        stop=_words(hint, "stop"),
        parameters=parameters,
        expect=_expectation(hint),
    )
    return Asked(
        probe=probe,
        model=_optional(hint, "model", str),
        pin=_pin(hint),
        direct=hint.get("direct") is True,
        proof=_optional(hint, "proof", str),
        control=hint.get("control") is True,
        reasoning_mandatory=meta.get("reasoning_mandatory") is True,
        claims=frozenset(map(str, claims)) if isinstance(claims, list) else None,
    )


def _kind(hint: Mapping[str, Any], schema: Any, tools: tuple[Tool, ...]) -> str:
    """The kind of probe: a special one by its name, else by what it asks for."""
    special = hint.get("type")
    if special is not None:
        if special not in SPECIAL:
            wrong("request_hint.type", special, "one of " + ", ".join(sorted(SPECIAL)))
        return str(special)
    if schema is not None:
        return "structured"
    return "tool_call" if tools else "roleplay"


def _expectation(hint: Mapping[str, Any]) -> Expectation:
    values = mapping(hint.get("expect_values") or {}, "request_hint.expect_values")
    call = hint.get("expect_call")
    return Expectation(
        nonce=_optional(hint, "nonce", str),
        needle=_optional(hint, "needle", str),
        other_nonces=_words(hint, "other_nonces"),
        previous_nonces=_words(hint, "previous_nonces"),
        values={str(k): tuple(v) if isinstance(v, list) else (v,) for k, v in values.items()},
        call=call if isinstance(call, bool) else None,
        empty_allowed=hint.get("empty_allowed") is True,
        seen_hashes=frozenset(_words(hint, "seen_hashes")),
        sent_tokens=_counts(hint, "sent_tokens_est"),
        peer_prompt_tokens=_counts(hint, "peers_prompt_tokens"),
    )


def _messages(hint: Mapping[str, Any]) -> tuple[Message, ...]:
    given = hint.get("messages")
    if isinstance(given, list):
        pairs = [(m.get("role"), m.get("content")) for m in given if isinstance(m, dict)]
    else:
        pairs = [("system", hint.get("system")), ("user", hint.get("prompt"))]
    return tuple(
        Message(str(role), content) for role, content in pairs if isinstance(content, str) and content
    )


def _schema(given: Any, fixtures: Fixtures) -> Mapping[str, Any] | None:
    """`{"name", "strict", "schema"}`, by name, as such, or inside the request's own `response_format`."""
    if given is None:
        return None
    if isinstance(given, str):
        return fixtures.schema(given)
    if not isinstance(given, dict):
        wrong("request_hint.response_format", given, "a name from the fixtures, or an object")
    inner = given.get("json_schema")
    if isinstance(inner, dict):
        return inner
    if given.get("type") == "json_object" and "schema" not in given:
        return {"name": "json_object", "schema": {"type": "object"}}
    return None if given.get("type") == "text" else given


def _tools(given: Any, fixtures: Fixtures) -> tuple[Tool, ...]:
    if given is None:
        return ()
    entries = given if isinstance(given, list) else [given]
    tools: list[Tool] = []
    for entry in entries:
        if isinstance(entry, str):
            tools.extend(fixtures.tools(entry))
        else:
            tools.append(_tool(entry, "request_hint.tools"))
    return tuple(tools)


def _tool(entry: Any, where: str) -> Tool:
    function = entry.get("function", entry) if isinstance(entry, dict) else None
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        wrong(where, entry, "the name of a fixture, or an object with function.name")
    name, parameters = function["name"], function.get("parameters")
    return Tool(name, parameters if isinstance(parameters, dict) else {})


def _pin(hint: Mapping[str, Any]) -> str | None:
    pin: str | None = _optional(hint, "pin", str)
    provider = hint.get("provider")
    only = provider.get("only") if isinstance(provider, dict) else None
    if pin is None and isinstance(only, list) and only and isinstance(only[0], str):
        return only[0]
    return pin


def _optional(hint: Mapping[str, Any], key: str, kind: type) -> Any:
    value = hint.get(key)
    if value is None:
        return None
    if not isinstance(value, kind) or isinstance(value, bool):
        wrong(f"request_hint.{key}", value, {str: "a string", int: "a whole number"}[kind])
    return value


def _words(hint: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = hint.get(key)
    if value is None:
        return ()
    words = [value] if isinstance(value, str) else value
    if not isinstance(words, list) or not all(isinstance(w, str) for w in words):
        wrong(f"request_hint.{key}", value, "a string or a list of strings")
    return tuple(words)


def _counts(hint: Mapping[str, Any], key: str) -> tuple[int, ...]:
    value = hint.get(key)
    if value is None:
        return ()
    counts = value if isinstance(value, list) else [value]
    if not all(isinstance(n, int | float) and not isinstance(n, bool) for n in counts):
        wrong(f"request_hint.{key}", value, "a number or a list of numbers")
    return tuple(round(n) for n in counts)
