"""The reference page of the API, from its own description."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from serinus.bootstrap.canary import plans_of
from serinus.bootstrap.desk import desk_of
from serinus.config import Settings
from serinus.engine.clock import now
from serinus.service.access import Scope
from serinus.service.memory import Memory
from serinus.store import open_store
from serinus.web.access import Needs
from serinus.web.app import make_app
from serinus.web.gate import Gate
from serinus.web.live import Changes
from serinus.web.office import Office
from serinus.web.site import Site

HEAD: Final = """# The API

`serinus serve`, and `serinus run` with it, answers JSON under `/v1`. How to come in is in
[Serve pages and API](../howto/serve.md). The description for programs is at `/v1/openapi.json`.

Each route names the scope that a token or an operator needs. Every error is an object of
`application/problem+json` (RFC 9457) with `type`, `title`, `status` and a `detail` that says what to do;
`type` is `about:blank` or one of these:

| type | what it is |
| --- | --- |
"""
KINDS: Final = {
    "below_floor": "409: a model would fall below its floor; `capacity` has the numbers, `confirm` does it",
    "busy": "409: a comparison runs already",
    "comparison": "409: the comparison cannot be held so, or may not be paid for",
    "csrf": "403: a browser's request without the token of its session",
    "end": "409, 422: an end that is past, or two ends",
    "host": "421: a name by which serinus is not reached",
    "log_moved": "409: others wrote again and again meanwhile; try again",
    "no_gateway": "409: nothing can be asked from this process",
    "no_such_exclusion": "404: nothing of that name and model to take back",
    "not_running": "409: no such comparison runs in this process",
    "observed_too_little": "409: enforcing what was observed for less than a week needs `confirm`",
    "operator": "403: a proxy named somebody who is no operator",
    "origin": "403: a page of another site sent this",
    "proxy": "403: a peer that is no trusted proxy named an operator",
    "report": "422: the report cannot be understood",
    "scope": "403: what was come in with does not allow this",
    "setup": "403, 422: the set-up link is wrong or was used, or nobody can be made so",
    "unknown_name": "404: the name covers no known route",
}


def page() -> str:
    """The page as Markdown."""
    app = described()
    api = app.openapi()
    scopes = dict(_scopes(app))
    kinds = "".join(f"| `urn:serinus:{kind}` | {what} |\n" for kind, what in KINDS.items())
    parts = [HEAD + kinds]
    for path, methods in api["paths"].items():
        for method, operation in methods.items():
            parts.append(_operation(method.upper(), path, operation, scopes.get((method.upper(), path))))
    shapes = api["components"]["schemas"]
    parts.append("## Shapes\n")
    parts += [_shape(name, shape) for name, shape in sorted(shapes.items()) if "properties" in shape]
    return "\n".join(parts)


def described() -> FastAPI:
    """The application over nothing, only to be described."""
    settings = Settings.model_validate({"model": [{"id": "author/model"}]})
    store = open_store("sqlite://")
    desk = desk_of(settings, Memory(store), now)
    gate = Gate(store.access, now)
    return make_app(Office(desk, gate, Changes(lambda: 0), Site(), plans_of(settings)))


def _scopes(app: FastAPI) -> Iterator[tuple[tuple[str, str], Scope]]:
    for route in iter_route_contexts(app.routes):
        pending = [dependant] if (dependant := getattr(route, "dependant", None)) else []
        while pending:
            found = pending.pop()
            pending += found.dependencies
            if isinstance(found.call, Needs):
                path = route.path.replace(":path}", "}")
                yield from (((method, path), found.call.scope) for method in route.methods or ())


def _operation(method: str, path: str, operation: dict[str, Any], scope: Scope | None) -> str:
    need = f"Scope: `{scope}`." if scope else "It needs no credential."
    lines = [
        f"## `{method} {path}`\n",
        f"{operation.get('description', operation['summary'])}\n",
        need + "\n",
    ]
    parameters = [p for p in operation.get("parameters", ()) if p["in"] != "cookie"]
    if parameters:
        lines += ["| parameter | in | what |", "| --- | --- | --- |"]
        lines += [f"| `{p['name']}`{_star(p)} | {p['in']} | {_what(p['schema'], p)} |" for p in parameters]
        lines.append("")
    if body := operation.get("requestBody"):
        lines.append(f"Body: {_kind(next(iter(body['content'].values()))['schema'])}.\n")
    answers = operation["responses"]
    good = {status: answer for status, answer in answers.items() if status < "4"}
    lines += [f"- {status}: {_answer(answer)}" for status, answer in good.items()]
    problems = [status for status in answers if status not in good]
    lines += [f"- problems: {', '.join(problems)}"] if problems else []
    return "\n".join(lines) + "\n"


def _star(parameter: dict[str, Any]) -> str:
    return " (required)" if parameter.get("required") else ""


def _answer(answer: dict[str, Any]) -> str:
    schema = next(iter(answer.get("content", {}).values()), {}).get("schema")
    return f"{_kind(schema)}" if schema else answer["description"].rstrip(".")


def _shape(name: str, shape: dict[str, Any]) -> str:
    lines = [f"### {name}\n"]
    lines += [f"{shape['description']}\n"] if shape.get("description") else []
    lines += ["| key | kind | what |", "| --- | --- | --- |"]
    for key, field in shape["properties"].items():
        needed = "" if key in shape.get("required", ()) else " (optional)"
        lines.append(f"| `{key}`{needed} | {_kind(field)} | {_plain(field.get('description', ''))} |")
    return "\n".join(lines) + "\n"


def _what(schema: dict[str, Any], parameter: dict[str, Any]) -> str:
    said = _plain(parameter.get("description") or schema.get("description") or "")
    default = schema.get("default")
    tail = f"; `{default}` when absent" if default not in (None, []) else ""
    return f"{_kind(schema)}{tail}{'. ' + said if said else ''}"


def _kind(schema: dict[str, Any]) -> str:  # noqa: PLR0911  one for each form that a schema has
    """What a schema takes, in a phrase."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_kind(s) for s in schema["anyOf"]))
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return " or ".join(f"`{word}`" for word in schema["enum"])
    kind = schema.get("type", "any")
    if kind == "array":
        return f"a list of {_kind(schema['items'])}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"an object of {_kind(schema['additionalProperties'])}"
    return "time" if schema.get("format") == "date-time" else str(kind)


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    print(page(), end="")
