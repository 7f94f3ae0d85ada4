"""A value against its JSON schema: the first violation, named as R9 names it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import jsonschema_rs

from serinus.judging.strict_json import cleaned, holds_json

# The keyword that a value breaks, and what that is called. All others are bounds: minItems, pattern, …
_CODES: Final = {
    "additionalProperties": "extra_key",
    "unevaluatedProperties": "extra_key",
    "required": "missing_key",
    "type": "wrong_type",
    "enum": "enum_violation",
    "const": "enum_violation",
}
# Where a value breaks several keywords, the one that explains the others comes first.
_ORDER: Final = (
    "missing_key",
    "wrong_type",
    "double_encoded",
    "enum_violation",
    "extra_key",
    "bound_violation",
)
_CONTAINERS: Final = {"object": dict, "array": list}


@dataclass(frozen=True, slots=True)
class Violation:
    """How a value breaks its schema: a code, where, and what the validator says."""

    code: str
    path: str
    message: str


class UnusableSchemaError(ValueError):
    """The schema itself cannot be used; that is our fault and never the host's."""


@lru_cache(maxsize=32)
def _validator(schema: str) -> Any:
    try:
        return jsonschema_rs.validator_for(json.loads(schema))
    except ValueError as error:
        message = f"the schema cannot be used: {error}"
        raise UnusableSchemaError(message) from None


def violations(schema: Mapping[str, Any], value: Any) -> list[Violation]:
    """Every way in which the value breaks the schema, the one that explains most first.

    Raises:
        UnusableSchemaError: the schema is none, or the value is nested deeper than the validator goes.
    """
    validator = _validator(json.dumps(schema, sort_keys=True))
    try:
        errors = list(validator.iter_errors(cleaned(value)))
    except (ValueError, OverflowError, RecursionError) as error:
        message = f"the value cannot be validated: {error}"
        raise UnusableSchemaError(message) from None
    found = [_violation(error) for error in errors[:50]]
    return sorted(found, key=lambda v: _ORDER.index(v.code))


def _violation(error: Any) -> Violation:
    keyword = error.schema_path[-1] if error.schema_path else ""
    code = _CODES.get(str(keyword), "bound_violation")
    if code == "wrong_type" and isinstance(error.instance, str) and _is_encoded(error):
        code = "double_encoded"
    path = "/".join(str(part) for part in error.instance_path) or "(root)"
    return Violation(code, path, str(error.message)[:200])


def _is_encoded(error: Any) -> bool:
    """Whether a string stands where an object or array belongs, and holds one as JSON text."""
    return any(holds_json(error.instance, kind) for kind in _CONTAINERS.values())
