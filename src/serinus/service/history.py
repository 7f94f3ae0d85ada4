"""Reading a history: one event a line (`formats.md` §2). A bad line never stops the good ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from serinus.core.exclusions import STANDING, Layer
from serinus.core.model import Control, Round, Word
from serinus.core.policy.events import Event, Exclude, Include, Lift, Mode, SetMode, Tick
from serinus.service.fields import FieldError, Fields, named, shown

WORDS: Final = {word.value: word for word in Word}  # looked up some 60 times a round
LONGEST_GRACE: Final = timedelta(days=3660)  # ten years; more is a slip of the unit


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that holds no event, with its number and what is wrong with it."""

    number: int
    problem: str


@dataclass(frozen=True, slots=True)
class GoodLine:
    """A line and its event."""

    number: int
    event: Event


def read_history(lines: Iterable[bytes]) -> Iterator[GoodLine | BadLine]:
    """Each line's event or problem, in order; empty lines are skipped. Reads one line at a time."""
    for number, line in enumerate(lines, start=1):
        text = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        if not text.strip():
            continue
        try:
            yield GoodLine(number, parse_event(text))
        except FieldError as error:
            yield BadLine(number, str(error))


def parse_event(line: bytes) -> Event:
    """The event that one line writes.

    Raises:
        FieldError: it is no event; the message says where, what was found and what is allowed.
    """
    fields = Fields(_object(line))
    kind = fields.word("event", READERS)
    event: Event = READERS[kind](fields)
    fields.done(kind)
    return event


def _object(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line.decode("utf-8"), object_pairs_hook=_once, parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        message = f"found bytes that are no UTF-8 (at byte {error.start}), allowed is UTF-8"
        raise FieldError(message) from None
    except json.JSONDecodeError as error:
        message = f"found no JSON ({error.msg} at character {error.pos}), allowed is one JSON object a line"
        raise FieldError(message) from None
    except FieldError:
        raise
    except ValueError as error:  # a number of more digits than Python converts
        message = f"found a number that cannot be read ({error}), allowed is a number"
        raise FieldError(message) from None
    except RecursionError:
        message = "found JSON nested too deeply, allowed is one flat event a line"
        raise FieldError(message) from None
    if not isinstance(value, dict):
        message = f"found {shown(value)}, allowed is one JSON object a line"
        raise FieldError(message)
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys stand once each: of two results of one route, neither may be lost."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        again = next(key for key in keys if keys.count(key) > 1)
        message = f"found the key {shown(again)} twice, allowed is once"
        raise FieldError(message)
    return found


def _no_constant(text: str) -> Any:
    message = f"found {text}, allowed is a number"
    raise FieldError(message)


def _round(fields: Fields) -> Round:
    live = frozenset(fields.texts("live"))
    results = {tag: _words(tag, words, live) for tag, words in fields.table("results", required=True).items()}
    controls = {
        named(tag, "controls"): fields.choice(said, f"controls.{tag}", Control)
        for tag, said in fields.table("controls").items()
    }
    providers = {
        named(tag, "providers"): fields.text_of(name, f"providers.{tag}")
        for tag, name in fields.table("providers").items()
    }
    return Round(fields.instant("at"), fields.text("model"), live, results, controls, providers)


def _words(tag: str, words: Any, live: frozenset[str]) -> Mapping[str, Word]:
    where = f"results.{tag}"
    if tag not in live:
        message = f"{where}: found a result for a route outside live, allowed is {listing(live)}"
        raise FieldError(message)
    if not isinstance(words, dict):
        message = f"{where}: found {shown(words)}, allowed is an object of contract and verdict"
        raise FieldError(message)
    return {named(contract, where): _word(where, contract, word) for contract, word in words.items()}


def _word(where: str, contract: str, word: Any) -> Word:
    known = WORDS.get(word) if isinstance(word, str) else None
    return known if known is not None else Fields.choice(word, f"{where}.{contract}", Word)


def listing(live: frozenset[str]) -> str:
    """The routes of a round, as an error names them: all of a few, the first of many."""
    few = 8
    shown_first = ", ".join(shown(tag) for tag in sorted(live)[:few])
    more = f" and {len(live) - few} more" if len(live) > few else ""
    return f"one of {shown_first}{more}" if live else "none, since live is empty"


def _exclude(fields: Fields) -> Exclude:
    return Exclude(
        fields.instant("at"),
        Layer(fields.word("layer", STANDING)),
        fields.text("route"),
        fields.text_or_none("model"),
        fields.text_or_none("by"),
        fields.text_or_none("why"),
        fields.instant_or_none("until"),
    )


def _include(fields: Fields) -> Include:
    return Include(
        fields.instant("at"),
        Layer(fields.word("layer", STANDING)),
        fields.text("route"),
        fields.text_or_none("model"),
        fields.text_or_none("by"),
        fields.text_or_none("why"),
    )


def _lift(fields: Fields) -> Lift:
    return Lift(
        fields.instant("at"),
        fields.text("model"),
        fields.text("route"),
        fields.text_or_none("by"),
        fields.text_or_none("why"),
        fields.seconds("grace", LONGEST_GRACE),
        fields.switch("forget"),
    )


def _mode(fields: Fields) -> SetMode:
    return SetMode(
        fields.instant("at"),
        Mode(fields.word("mode", Mode)),
        fields.text_or_none("model"),
        fields.text_or_none("contract"),
        fields.text_or_none("by"),
        fields.text_or_none("why"),
    )


def _tick(fields: Fields) -> Tick:
    return Tick(fields.instant("at"))


READERS: Final[Mapping[str, Callable[[Fields], Event]]] = {
    "round": _round,
    "exclude": _exclude,
    "include": _include,
    "lift": _lift,
    "mode": _mode,
    "tick": _tick,
}
