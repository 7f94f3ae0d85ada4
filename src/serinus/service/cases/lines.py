"""A stream of case lines to a stream of output lines, in bounded memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from serinus.judging.contract import Contract
from serinus.service.cases.case import CaseReader
from serinus.service.cases.judgements import judgements, line
from serinus.service.cases.problems import CaseError, reject

Tell = Callable[[str], None]


class JudgedLines:
    """Judges lines of one file after another; `bad` counts those that were no case."""

    def __init__(self, reader: CaseReader, contracts: Sequence[Contract], tell: Tell) -> None:
        self._reader = reader
        self._contracts = contracts
        self._tell = tell
        self.bad = 0

    def judge(self, lines: Iterable[bytes], source: str) -> Iterator[bytes]:
        """One output line a judgement, in order; what is wrong with a line is told with its number."""
        for number, raw in enumerate(lines, start=1):
            if raw.strip():
                yield from self._judged(raw, f"{source}, line {number}")

    def _judged(self, raw: bytes, where: str) -> list[bytes]:
        try:
            case = self._reader.read(_value(raw))
            return [line(case.id, name, verdict) for name, verdict in judgements(case, self._contracts)]
        except CaseError as error:
            self.bad += 1
            self._tell(f"error: {where}: {error}")
            return []
        finally:
            for warning in self._reader.warnings():
                self._tell(f"warning: {where}: {warning}")


def _value(raw: bytes) -> Any:
    try:
        return json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        reject(f"not UTF-8 at byte {error.start}")
    except json.JSONDecodeError as error:
        reject(f"not JSON: {error}")
    except RecursionError:
        reject("the JSON nests too deeply, allowed are some hundred levels")
    except ValueError:  # what is left of it: Python reads no number of more than 4300 digits
        reject("a whole number of thousands of digits, allowed are 4300")
