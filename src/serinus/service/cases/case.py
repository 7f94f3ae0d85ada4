"""One case: who is asked, what was asked, and the answers or statistics that came back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from serinus.core.model import Limits, Probe
from serinus.core.transcript import Transcript
from serinus.judging.contract import Measurement
from serinus.service.cases.hints import Asked, Fixtures, read_hint
from serinus.service.cases.problems import Warnings, mapping, reject, wrong
from serinus.service.cases.responses import KEYS, STATISTICS, kind_of, read_answer

ALL: Final = "*"
SIDES: Final = ("warm", "cold")
_KNOWN: Final = frozenset({"id", "contract", "request_hint", "response"})

LimitsOf = Callable[[str | None], Limits]


@dataclass(frozen=True, slots=True)
class Case:
    """A case as read. `contract` is `*` for all that apply; `answers` is empty for statistics.

    `together` says that the answers are several to one probe. `sides` holds the warm and the cold
    answers of a pair.
    """

    id: Any
    contract: str
    probe: Probe
    answers: tuple[Transcript, ...] = ()
    together: bool = False
    measurement: Measurement | None = None
    sides: Mapping[str, tuple[Transcript, ...]] | None = None


class CaseReader:
    """Reads cases; keeps in mind which unknown keys were told already."""

    def __init__(self, fixtures: Fixtures, limits_of: LimitsOf) -> None:
        self._fixtures = fixtures
        self._limits_of = limits_of
        self._warnings = Warnings()
        self._ignored: list[str] = []

    def read(self, raw: Any) -> Case:
        """The case of a line's value; what was ignored in it is kept for `warnings`.

        Raises:
            CaseError: it is no case.
        """
        fields = mapping(raw, "the line")
        self._ignored += self._warnings.unknown("", fields, _KNOWN)
        contract = fields.get("contract", ALL)
        if not isinstance(contract, str):
            wrong("contract", contract, "a contract's name, or *")
        asked = read_hint(mapping(fields.get("request_hint") or {}, "request_hint"), self._fixtures)
        if "response" not in fields:
            reject("the case has no response")
        response = mapping(fields["response"], "response")
        self._ignored += self._warnings.unknown("response.", response, KEYS[kind_of(response)])
        return self._case(fields.get("id"), contract, asked, response)

    def warnings(self) -> list[str]:
        """What was ignored since this was asked last, each key once."""
        told, self._ignored = self._ignored, []
        return told

    def _case(self, id_: Any, contract: str, asked: Asked, response: Mapping[str, Any]) -> Case:
        kind = kind_of(response)
        limits = self._limits_of(asked.model)
        if kind == "samples":
            items = response.get("items")
            if not isinstance(items, list) or not items:
                wrong("response.items", items, "a list of at least one answer")
            answers = tuple(
                read_answer(mapping(item, f"response.items[{n}]"), asked, limits)
                for n, item in enumerate(items)
            )
            return Case(id_, contract, asked.probe, answers, together=True)
        if kind not in STATISTICS:
            return Case(id_, contract, asked.probe, (read_answer(response, asked, limits),))
        values = {k: v for k, v in response.items() if k != "type"}
        sides = None
        if kind == "pair" and not all(_is_counts(response.get(side)) for side in SIDES):
            sides = {side: _side(response.get(side), side, asked, limits) for side in SIDES}
        return Case(id_, contract, asked.probe, measurement=Measurement(kind, values), sides=sides)


def _is_counts(given: Any) -> bool:
    """Whether a side is counts of answers and not answers: `{"bad": 44, "ok": 0}`."""
    return isinstance(given, dict) and bool(given) and all(isinstance(v, int) for v in given.values())


def _side(given: Any, side: str, asked: Asked, limits: Limits) -> tuple[Transcript, ...]:
    """The answers of one side of a pair: a text, a response, or a list of either."""
    if isinstance(given, dict) and given.get("type") == "samples":
        given = given.get("items")
    entries = given if isinstance(given, list) else [given]
    if not entries or given is None:
        wrong(f"response.{side}", given, "an answer or a list of answers")
    responses = [
        {"type": "text", "text": e, "finish_reason": "stop"} if isinstance(e, str) else e for e in entries
    ]
    return tuple(read_answer(mapping(r, f"response.{side}"), asked, limits) for r in responses)
