"""A valid value for a JSON schema, as a model under a grammar would write one."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

Json = Any
_DEEP = 12  # schemas that refer to themselves end here


def value_of(
    schema: Mapping[str, Json], words: Callable[[str], str], wish: Mapping[str, Json], chance: random.Random
) -> Json:
    """A value that the schema allows.

    `words(name)` writes the string of a property; `wish` are values by property name that the
    prompt asked for, taken wherever the schema allows them.
    """
    return _Writer(schema, words, wish, chance).value(schema, "", 0)


class _Writer:
    def __init__(
        self,
        root: Mapping[str, Json],
        words: Callable[[str], str],
        wish: Mapping[str, Json],
        chance: random.Random,
    ) -> None:
        self.root, self.words, self.wish, self.chance = root, words, wish, chance

    def value(self, schema: Mapping[str, Json], name: str, depth: int) -> Json:
        schema = self._resolved(schema)
        allowed = schema["enum"] if "enum" in schema else [schema["const"]] if "const" in schema else None
        if allowed is not None:
            wished = self.wish.get(name)
            return wished if wished in allowed else self.chance.choice(allowed)
        if depth > _DEEP:
            return None
        kind = schema.get("type") or ("object" if "properties" in schema else "string")
        if isinstance(kind, list):
            kind = next((k for k in kind if k != "null"), "null")
        return self._typed(kind, schema, name, depth)

    def _typed(self, kind: str, schema: Mapping[str, Json], name: str, depth: int) -> Json:
        if kind == "object":
            return self._object(schema, depth)
        if kind == "array":
            return self._array(schema, name, depth)
        if kind == "string":
            return self._string(schema, name)
        if kind in {"integer", "number"}:
            return self._number(schema, name)
        wished = self.wish.get(name)
        return {"boolean": wished if isinstance(wished, bool) else True}.get(kind)

    def _object(self, schema: Mapping[str, Json], depth: int) -> dict[str, Json]:
        required = set(schema.get("required", ()))
        properties = schema.get("properties", {})
        chosen = {k: v for k, v in properties.items() if k in required or depth == 0 or k in self.wish}
        return {name: self.value(part, name, depth + 1) for name, part in chosen.items()}

    def _array(self, schema: Mapping[str, Json], name: str, depth: int) -> list[Json]:
        wished = self.wish.get(name)
        if isinstance(wished, list):
            return wished
        low = int(schema.get("minItems", 1))
        high = int(schema.get("maxItems", max(low, 2)))
        items = schema.get("items", {"type": "string"})
        return [self.value(items, f"{name}.{i}", depth + 1) for i in range(min(max(low, 2), high))]

    def _string(self, schema: Mapping[str, Json], name: str) -> str:
        wished = self.wish.get(name)
        text = wished if isinstance(wished, str) else self.words(name)
        while len(text) < int(schema.get("minLength", 0)):
            text = f"{text} {text}" if text else "…"
        limit = schema.get("maxLength")
        return text if limit is None else text[: int(limit)]

    def _number(self, schema: Mapping[str, Json], name: str) -> float | int:
        low = schema.get("minimum", schema.get("exclusiveMinimum", 0) + ("exclusiveMinimum" in schema))
        high = schema.get(
            "maximum", schema.get("exclusiveMaximum", low + 10) - ("exclusiveMaximum" in schema)
        )
        wished = self.wish.get(name)
        if isinstance(wished, int | float) and not isinstance(wished, bool) and low <= wished <= high:
            return wished
        return self.chance.randint(int(low), max(int(low), int(high)))

    def _resolved(self, schema: Mapping[str, Json]) -> Mapping[str, Json]:
        for _ in range(_DEEP):
            if "$ref" in schema:
                schema = self._at(str(schema["$ref"]))
            elif any(word in schema for word in ("anyOf", "oneOf", "allOf")):
                word = next(word for word in ("anyOf", "oneOf", "allOf") if word in schema)
                rest = {k: v for k, v in schema.items() if k != word}
                schema = {**rest, **schema[word][0]}
            else:
                return schema
        return {"type": "null"}

    def _at(self, pointer: str) -> Mapping[str, Json]:
        found: Json = self.root
        for part in pointer.removeprefix("#").strip("/").split("/"):
            found = found.get(part.replace("~1", "/").replace("~0", "~"), {}) if part else found
        return found if isinstance(found, Mapping) else {}
