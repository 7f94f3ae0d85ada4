"""JSON read strictly, and what is wrong with it where it is wrong (R9).

Strict means RFC 8259 as a decoder under a grammar writes it: one value, no second one, no key twice, no
NaN, no raw control characters.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

BLANKS: Final = " \t\r\n"
_FENCE: Final = re.compile(r"```[a-zA-Z0-9_-]*[ \t]*\r?\n?(.*?)(?:```|\Z)", re.DOTALL)
_THOUGHT: Final = re.compile(
    r"\A\s*(?:<(think|thinking|thought|reasoning|analysis)>.*?</\1>|.*?</(?:think|thinking|thought|reasoning)>"
    r"|(?:thought|analysis|reasoning)\s*\n)",
    re.DOTALL | re.IGNORECASE,
)
# `"key":"key":` and `"literal":literal` next to itself, as n-gram speculation leaves it (`faults.md` F109).
_DOUBLED: Final = re.compile(
    r'("[^"\\]{1,60}")\s{0,8}[:,]?\s{0,8}\1\s{0,8}:|\b(true|false|null|-?\d{1,20})\s{0,8}:\s{0,8}\2\b',
)
_OPENING: Final = re.compile(r"[{\[]")
LONGEST: Final = 200_000  # characters that are looked through for what went wrong
_BLANK_LOOP: Final = 40  # blanks in a row that no layout has
_BLANK_SHARE: Final = 0.5


class JsonError(ValueError):
    """Text that is not one strict JSON value: where, and `code` says how."""

    def __init__(self, detail: str, offset: int = 0, code: str = "not_json") -> None:
        super().__init__(detail)
        self.code = code
        self.offset = offset


@dataclass(frozen=True, slots=True)
class Wrapped:
    """What is wrong with a text that is not JSON by itself: a code, a sentence, the place."""

    code: str
    detail: str
    offset: int


def parse(text: str) -> Any:
    """The one value that the text holds.

    Raises:
        JsonError: it is not strict JSON.
    """
    body = text.strip(BLANKS)
    try:
        return json.loads(body, object_pairs_hook=_object, parse_constant=_constant)
    except JsonError:
        raise
    except json.JSONDecodeError as error:
        raise JsonError(error.msg, error.pos) from None
    except (ValueError, RecursionError) as error:
        message = f"{type(error).__name__}: too long a number or too deep a nesting"
        raise JsonError(message) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for key, inner in pairs:
        if key in value:
            message = f"the key {key!r} stands twice"
            raise JsonError(message, code="duplicate_key")
        value[key] = inner
    return value


def _constant(name: str) -> Any:
    message = f"{name} is not JSON"
    raise JsonError(message)


def diagnose(text: str) -> Wrapped:
    """How a text that does not parse went wrong: wrapped, cut off, doubled, or no JSON at all."""
    body = text.strip(BLANKS + "\ufeff")
    if len(body) > LONGEST:
        return Wrapped("not_json", f"{len(body)} characters that are not JSON", 0)
    if body.startswith(("{", "[")) and _loops_in_blanks(text):
        return Wrapped("whitespace_loop", "blanks fill the object until the end", len(text.rstrip(BLANKS)))
    return _wrapped(body) or _damaged(body)


def _wrapped(body: str) -> Wrapped | None:
    thought = _THOUGHT.match(body)
    if thought and _value_at(body[thought.end() :].lstrip(BLANKS)) is not None:
        return Wrapped("reasoning_leak", "reasoning stands before the JSON", 0)
    fence = _FENCE.search(body)
    if fence and _value_at(fence.group(1).strip(BLANKS)) is not None:
        return Wrapped("fenced", "the JSON stands in a code fence", fence.start())
    if not body.startswith(("{", "[", '"')):
        # A bracket in the prose ("[1]", "{sic}") may come first, so a few are tried.
        for opening in islice(_OPENING.finditer(body), 6):
            if _value_at(body[opening.start() :]) is not None:
                return Wrapped("leading_text", f"{opening.start()} characters stand before the JSON", 0)
        return None
    value = _value_at(body)
    if value is not None and value[1] < len(body):
        return Wrapped("trailing_text", "something follows the JSON value", value[1])
    return None


def _value_at(text: str) -> tuple[Any, int] | None:
    """The object, array or string that the text begins with, and where it ends."""
    if not text.startswith(("{", "[", '"')):
        return None
    try:
        return json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None


def _damaged(body: str) -> Wrapped:
    if not body.startswith(("{", "[")):
        return Wrapped("not_json", "the text is not JSON", 0)
    if _is_open(body):
        return Wrapped("truncated", "the JSON ends before it is closed", len(body))
    doubled = _DOUBLED.search(body)
    if doubled:
        return Wrapped("doubled_token", f"{doubled.group()[:60]!r} repeats itself", doubled.start())
    return _by_parser(body)


def _by_parser(body: str) -> Wrapped:
    try:
        json.loads(body)
    except json.JSONDecodeError as error:
        raw = error.msg.startswith("Invalid control character")
        return Wrapped("control_character" if raw else "not_json", error.msg, error.pos)
    except (ValueError, RecursionError):
        return Wrapped("not_json", "too long a number or too deep a nesting", 0)
    return Wrapped("not_json", "NaN and Infinity are not JSON", 0)


def _loops_in_blanks(body: str) -> bool:
    blanks = sum(c in BLANKS for c in body)
    return blanks >= _BLANK_LOOP and blanks > _BLANK_SHARE * len(body) and _is_open(body)


def _is_open(body: str) -> bool:
    """Whether brackets or a string are still open at the end, read token by token."""
    depth, inside, escaped = 0, False, False
    for character in body:
        if inside:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                inside = False
        elif character == '"':
            inside = True
        elif character in "{[":
            depth += 1
        elif character in "}]":
            depth -= 1
    return inside or depth > 0


def holds_json(text: str, kind: type) -> bool:
    """Whether a string holds JSON of that kind itself: a value encoded twice."""
    if not text.strip(BLANKS).startswith(("{", "[")):
        return False
    try:
        return isinstance(parse(text), kind)
    except JsonError:
        return False


def cleaned(value: Any) -> Any:
    """The value with lone surrogates replaced, which no validator takes."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, Mapping):
        return {cleaned(k): cleaned(v) for k, v in value.items()}
    if isinstance(value, list):
        return [cleaned(v) for v in value]
    return value
