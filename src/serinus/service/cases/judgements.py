"""Cases to judgements: which contracts are asked, and how each verdict is written down."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, Final

from serinus.core.exact import fisher
from serinus.core.model import Verdict, Word
from serinus.judging.contract import Contract, Measurement
from serinus.judging.judge import judge, judge_samples, raised
from serinus.judging.transport import Transport
from serinus.service.cases.case import ALL, SIDES, Case
from serinus.service.cases.problems import reject

PLACES: Final = 3  # decimals of every number printed
TRANSPORT: Final = Transport()


def judgements(case: Case, contracts: Sequence[Contract]) -> Iterator[tuple[str, Verdict]]:
    """The name of each contract that was asked, with its verdict.

    A named contract judges whatever it is given; `*` asks those that read this kind of probe and keeps
    what applies.

    Raises:
        CaseError: the named contract is unknown.
    """
    if case.contract == TRANSPORT.name:
        yield TRANSPORT.name, TRANSPORT.settle(case.answers)
    elif case.contract != ALL:
        yield case.contract, _verdict(case, _named(case.contract, contracts))
    else:
        for contract in contracts:
            if case.measurement is None and case.probe.kind not in contract.kinds:
                continue
            verdict = _verdict(case, contract)
            if verdict.word is not Word.NOT_APPLICABLE:
                yield contract.name, verdict


def _named(name: str, contracts: Sequence[Contract]) -> Contract:
    found = next((c for c in contracts if c.name == name), None)
    if found is None:
        known = ", ".join([*(c.name for c in contracts), TRANSPORT.name])
        reject(f"contract is {name!r}, allowed is * or one of {known}")
    return found


def _verdict(case: Case, contract: Contract) -> Verdict:
    if case.measurement is not None:
        return _weighed(case, contract, case.measurement)
    if case.together:
        return judge_samples(contract, case.answers)
    return judge(contract, case.answers[0])


def _weighed(case: Case, contract: Contract, measurement: Measurement) -> Verdict:
    try:
        verdict = contract.weigh(case.probe, measurement)
    except Exception as error:  # noqa: BLE001  as in `judge`: a bug of ours is no fault of a host
        return raised(contract, error)
    if verdict.word is not Word.NOT_APPLICABLE or measurement.type != "pair":
        return verdict
    return _paired(contract, case.sides) if case.sides is not None else _counted(measurement)


def _counted(measurement: Measurement) -> Verdict:
    """A pair of counts: a side of which most answers are bad fails (`faults.md` F180)."""
    (warm_bad, warm_ok), (cold_bad, cold_ok) = (_bad_and_ok(measurement.values[side]) for side in SIDES)
    p = fisher(warm_bad, warm_ok, cold_bad, cold_ok)
    evidence = {"p": f"{p:.3g}", **measurement.values}
    told = f"Bad: {cold_bad} of {cold_bad + cold_ok} cold, {warm_bad} of {warm_bad + warm_ok} warm answers."
    for bad, ok, side in ((cold_bad, cold_ok, "cold"), (warm_bad, warm_ok, "warm")):
        if bad > ok:
            return Verdict(Word.FAIL, "most_answers_bad", f"With a {side} prefix: {told}", evidence)
    return Verdict(Word.PASS, "few_answers_bad", told, evidence)


def _bad_and_ok(counts: Mapping[str, int]) -> tuple[int, int]:
    """Bad and good answers, whatever the good ones are called."""
    bad = sum(n for name, n in counts.items() if name.startswith(("bad", "fail", "corrupt")))
    return bad, sum(n for name, n in counts.items() if name not in ("n", "total")) - bad


def _paired(contract: Contract, sides: Mapping[str, Sequence[Any]]) -> Verdict:
    """A pair fails if either side does: users meet cold prefixes as well as warm ones (`faults.md` F180)."""
    verdicts = {side: judge_samples(contract, answers) for side, answers in sides.items()}
    words = {side: verdict.word.value for side, verdict in verdicts.items()}
    for wanted in (Word.FAIL, Word.INCONCLUSIVE, Word.TRANSPORT, Word.VOID, Word.WARN):
        for side, verdict in verdicts.items():
            if verdict.word is wanted:
                detail = f"With a {side} prefix: {verdict.detail}"
                return Verdict(verdict.word, verdict.reason, detail, {**verdict.evidence, "sides": words})
    first = next(iter(verdicts.values()))
    return Verdict(first.word, first.reason, first.detail, {"sides": words})


def line(case_id: Any, contract: str, verdict: Verdict) -> bytes:
    """One output line: keys sorted, numbers to three places, the same bytes for the same judgement.

    A lone surrogate in evidence is written as its escape, which is what JSON has for it.
    """
    record = {
        "id": case_id,
        "contract": contract,
        "verdict": verdict.word.value,
        "reason": verdict.reason,
        "detail": verdict.detail,
        "evidence": verdict.evidence,
    }
    text = json.dumps(plain(record), ensure_ascii=False, sort_keys=True, separators=(", ", ": "))
    return text.encode("utf-8", "backslashreplace") + b"\n"


def plain(value: Any) -> Any:
    """A value as JSON has it: numbers rounded, sets sorted, nothing that is not finite."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, float):
        return round(value, PLACES) + 0.0 if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, set | frozenset):
        return [plain(v) for v in sorted(value, key=str)]
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    return value if value is None or isinstance(value, str | int | bool) else str(value)
