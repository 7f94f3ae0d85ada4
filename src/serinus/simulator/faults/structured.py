"""Objects that are not the JSON that was promised."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from serinus.simulator.ask import Ask
from serinus.simulator.draft import Draft
from serinus.simulator.faults.registry import Case, Stage, at

_KIND = ("structured",)
Json = dict[str, Any]


def _edited(draft: Draft, edit: Callable[[Json], Json]) -> Draft:
    document = json.loads(draft.text or "{}")
    return replace(draft, text=json.dumps(edit(document), ensure_ascii=False))


@at(Stage.REQUEST, kinds=_KIND)
def response_format_dropped(ask: Ask, case: Case) -> Ask:
    """The host never sees the response format: it answers as the prompt alone makes it answer."""
    del case
    body = {name: value for name, value in ask.body.items() if name != "response_format"}
    return replace(ask, body=body, schema=None, json_only=False)


@at(Stage.CONTENT, kinds=_KIND)
def json_fenced(draft: Draft, case: Case) -> Draft:
    """The object stands in a Markdown fence."""
    del case
    pretty = json.dumps(json.loads(draft.text or "{}"), ensure_ascii=False, indent=2)
    return replace(draft, text=f"```json\n{pretty}\n```")


@at(Stage.CONTENT, kinds=_KIND)
def json_leading_text(
    draft: Draft, case: Case, *, text: str = "Here is the JSON you asked for:\n\n"
) -> Draft:
    """A sentence stands before the object."""
    del case
    return replace(draft, text=f"{text}{draft.text}")


@at(Stage.CONTENT, kinds=_KIND)
def json_trailing_text(draft: Draft, case: Case, *, text: str = "\n\nLet me know if you need more.") -> Draft:
    """A sentence stands after the object."""
    del case
    return replace(draft, text=f"{draft.text}{text}")


@at(Stage.CONTENT, kinds=_KIND)
def json_think_prefix(draft: Draft, case: Case) -> Draft:
    """Reasoning in tags stands before the object."""
    del case
    return replace(draft, text=f"<think>\nThe schema wants four keys.\n</think>\n{draft.text}")


@at(Stage.CONTENT, kinds=_KIND)
def json_wrong_type(draft: Draft, case: Case) -> Draft:
    """A number is written as a string, or a string as a number."""
    del case

    def edit(document: Json) -> Json:
        name = next((k for k, v in document.items() if isinstance(v, int)), next(iter(document), "value"))
        value = document.get(name)
        return {**document, name: str(value) if isinstance(value, int) else 7}

    return _edited(draft, edit)


@at(Stage.CONTENT, kinds=_KIND)
def json_missing_key(draft: Draft, case: Case) -> Draft:
    """A required key is missing."""
    required = (case.ask.schema or {}).get("required") or []

    def edit(document: Json) -> Json:
        gone = case.chance.choice(list(required) or list(document))
        return {k: v for k, v in document.items() if k != gone}

    return _edited(draft, edit)


@at(Stage.CONTENT, kinds=_KIND)
def json_extra_key(draft: Draft, case: Case, *, key: str = "comment") -> Draft:
    """A key stands in the object that the schema does not allow."""
    del case
    return _edited(draft, lambda document: {**document, key: "generated"})


@at(Stage.CONTENT, kinds=_KIND)
def json_double_encoded(draft: Draft, case: Case) -> Draft:
    """The object is a JSON string that holds JSON."""
    del case
    return replace(draft, text=json.dumps(draft.text, ensure_ascii=False))


@at(Stage.ANSWER, kinds=_KIND)
def json_truncated(draft: Draft, case: Case, *, share: float = 0.6, finish: str = "stop") -> Draft:
    """The object is cut off, and the finish reason says that it is whole."""
    del case
    text = draft.text or ""
    return replace(draft, text=text[: int(len(text) * share)], finish=finish, native=finish)


@at(Stage.CONTENT, kinds=_KIND)
def json_duplicate_key(draft: Draft, case: Case) -> Draft:
    """A key stands twice in the object."""
    del case
    document = json.loads(draft.text or "{}")
    name = next(iter(document), "value")
    pair = f"{json.dumps(name)}: {json.dumps(document.get(name), ensure_ascii=False)}"
    return replace(draft, text=f"{{{pair}, {(draft.text or '{}')[1:]}")


@at(Stage.CONTENT, kinds=_KIND)
def json_control_characters(draft: Draft, case: Case) -> Draft:
    """A raw line break stands inside a string."""
    del case
    head, _, tail = (draft.text or "").rpartition(" ")
    return replace(draft, text=f"{head}\n{tail}")


@at(Stage.CONTENT, kinds=_KIND)
def json_schema_echo(draft: Draft, case: Case) -> Draft:
    """The schema comes back instead of data."""
    return replace(draft, text=json.dumps(case.ask.schema or {"type": "object"}))


@at(Stage.CONTENT, kinds=_KIND)
def json_foreign_schema(draft: Draft, case: Case) -> Draft:
    """The object belongs to another request's schema."""
    del case
    return replace(draft, text='{"city": "Lisbon", "temperature": 21.5, "unit": "celsius"}')


@at(Stage.CONTENT, kinds=_KIND)
def json_whitespace_loop(draft: Draft, case: Case) -> Draft:
    """Inside the object the host writes blanks until the cap."""
    head = (draft.text or "{").partition(",")[0]
    return replace(draft, text=head + ", " + "\n" * ((case.ask.max_tokens or 256) + 8))


@at(Stage.ANSWER, kinds=_KIND)
def json_in_reasoning(draft: Draft, case: Case) -> Draft:
    """The object lands in the reasoning field, and the content is empty."""
    del case
    return replace(draft, text="", reasoning=draft.text or "")


@at(Stage.CONTENT, kinds=_KIND)
def schema_ignored(draft: Draft, case: Case, *, value: str = "furious") -> Draft:
    """The enum is not enforced: a value that it lacks is written when the prompt asks for one."""
    properties = (case.ask.schema or {}).get("properties", {})
    name = next((k for k, v in properties.items() if "enum" in v), None)
    if name is None or not case.wish.outside:
        return draft
    return _edited(draft, lambda document: {**document, name: value})


@at(Stage.CONTENT, kinds=_KIND)
def enum_broken(draft: Draft, case: Case, *, value: str = "furious") -> Draft:
    """A value outside the enum is written, whatever the prompt asks for."""
    properties = (case.ask.schema or {}).get("properties", {})
    name = next((k for k, v in properties.items() if "enum" in v), None)
    return draft if name is None else _edited(draft, lambda document: {**document, name: value})


@at(Stage.CONTENT, kinds=_KIND)
def json_other_language(draft: Draft, case: Case, *, language: str = "zh-Hans") -> Draft:
    """The object is valid, and its sentences are in another language than the prompt's."""
    language = language if language != case.wish.language else "en"
    line = case.chance.choice(list(case.corpus.of(language).lines))
    own = set(case.corpus.of(case.wish.language).lines)
    return _edited(draft, lambda d: {k: line if isinstance(v, str) and v in own else v for k, v in d.items()})


@at(Stage.CONTENT, kinds=_KIND)
def json_garbage_values(draft: Draft, case: Case) -> Draft:
    """The object is valid, and its strings are noise: a grammar hides ruined weights."""

    def noise(value: Any, schema: Any) -> Any:
        if isinstance(value, str) and "enum" not in schema:
            return " ".join("".join(case.chance.choices("qxzkvjwpfg", k=5)) for _ in range(5))
        return value

    properties = (case.ask.schema or {}).get("properties", {})
    return _edited(draft, lambda d: {k: noise(v, properties.get(k, {})) for k, v in d.items()})
