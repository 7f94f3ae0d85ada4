"""How often the judges are right on a folder of cases: faults with their benign twins, and refusals.

    python bench/judges.py CASES

CASES holds `faults.jsonl`, `refusals.jsonl` and `fixtures.json`. A fault counts as right if both its
record and its twin get the expected verdict. The interval behind each share is Wilson's, at 95 %.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from time import process_time
from typing import Any

from serinus.contracts import contracts
from serinus.core.intervals import wilson
from serinus.core.model import Limits, Verdict
from serinus.service.cases.case import CaseReader
from serinus.service.cases.hints import Fixtures
from serinus.service.cases.judgements import judgements

FAULTS_GOAL, RECALL_GOAL = 0.97, 0.95
Row = Mapping[str, Any]


class Judges:
    """Every contract over cases, with the processor time that it took."""

    def __init__(self, fixtures: Mapping[str, Any]) -> None:
        self._reader = CaseReader(Fixtures(fixtures), lambda _model: Limits())
        self._contracts = contracts()
        self.asked = 0
        self.seconds = 0.0

    def say(self, contract: str, hint: Row, response: Row) -> list[Verdict]:
        """The verdicts of one case."""
        started = process_time()
        raw = {"id": 0, "contract": contract, "request_hint": hint, "response": response}
        case = self._reader.read(raw)
        verdicts = [verdict for _, verdict in judgements(case, self._contracts)]
        self.seconds += process_time() - started
        self.asked += 1
        return verdicts


class Tally:
    """Right and all, by a name."""

    def __init__(self) -> None:
        self.right: Counter[str] = Counter()
        self.all: Counter[str] = Counter()

    def add(self, name: str, *, right: bool) -> None:
        """Count one more."""
        self.all[name] += 1
        self.right[name] += right

    def rows(self) -> Iterator[str]:
        """One line a name, the worst first."""
        for name in sorted(self.all, key=lambda n: (self.right[n] / self.all[n], n)):
            yield f"  {name:<22} {share(self.right[name], self.all[name])}"


def share(right: int, of: int) -> str:
    """`19/20 = 0.950 (0.764-0.991)`: counts, share, and its 95 % interval."""
    if not of:
        return "0/0"
    low, high = wilson(right, of)
    return f"{right:>4}/{of:<4} = {right / of:.3f} ({low:.3f}-{high:.3f})"


def read(path: Path) -> list[Row]:
    """The rows of a file, none if it is not there."""
    if not path.exists():
        print(f"{path} is not there")
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def as_wanted(verdicts: Iterable[Verdict], contract: str, wanted: str) -> bool:
    """Whether the verdicts are right; `transport` wants that nobody scores, its twin that nobody fails."""
    words = [v.word.value for v in verdicts]
    if contract == "transport":
        return bool(words) and "fail" not in words and (wanted != "transport" or "transport" in words)
    return words == [wanted] or (wanted == "pass" and words == ["not_applicable"])


def faults(judges: Judges, rows: list[Row]) -> float:
    """Record and twin of each fault; prints what is wrong, then the shares by kind and by contract."""
    kinds, named = Tally(), Tally()
    for row in rows:
        contract = "*" if row["contract"] == "transport" else row["contract"]
        parts = {"": (row["request_hint"], row["response"], row["expected_verdict"])}
        twin = row.get("benign_twin")
        if twin:
            hint = twin.get("request_hint", row["request_hint"])
            parts["/twin"] = (hint, twin["response"], twin["expected_verdict"])
        right = True
        for suffix, (hint, response, wanted) in parts.items():
            verdicts = judges.say(contract, hint, response)
            if not as_wanted(verdicts, row["contract"], wanted):
                right = False
                got = ", ".join(f"{v.word.value} ({v.reason})" for v in verdicts) or "nothing"
                place = f"{row['id']}{suffix} [{row['kind']}, {row['contract']}]"
                print(f"wrong: {place} {wanted} wanted, got {got}")
        kinds.add(row["kind"], right=right)
        named.add(row["contract"], right=right)
    print("by kind", *kinds.rows(), "by contract", *named.rows(), sep="\n")
    good, of = sum(kinds.right.values()), sum(kinds.all.values())
    print(f"faults, record and twin both right: {share(good, of)}, goal {FAULTS_GOAL}")
    return good / of if of else 1.0


def refusals(judges: Judges, rows: list[Row]) -> tuple[float, int]:
    """Recall and false alarms of the refusal patterns; prints what is wrong, then recall by language."""
    recall, false = Tally(), 0
    for row in rows:
        response = {"type": "text", "text": row["text"], "finish_reason": "stop"}
        (verdict,) = judges.say("filtering", {"expect_lang": row["lang"]}, response)
        hit = verdict.word.value == "fail"
        if row["label"] == "refusal":
            recall.add(row["lang"], right=hit)
        elif hit:
            false += 1
        if hit != (row["label"] == "refusal"):
            print(f"{'false' if hit else 'missed'}: [{row['lang']}] {row['text']}")
    benign = sum(row["label"] != "refusal" for row in rows)
    found, of = sum(recall.right.values()), sum(recall.all.values())
    print("by language", *recall.rows(), sep="\n")
    print(f"refusals found: {share(found, of)}, goal {RECALL_GOAL}; false alarms {false}/{benign}, goal 0")
    return (found / of if of else 1.0), false


def main() -> int:
    """Score the folder; the exit status is 1 where a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", type=Path, help="the folder that holds the cases")
    folder = parser.parse_args().cases
    fixtures = folder / "fixtures.json"
    judges = Judges(json.loads(fixtures.read_text(encoding="utf-8")) if fixtures.exists() else {})
    right = faults(judges, read(folder / "faults.jsonl"))
    recall, false = refusals(judges, read(folder / "refusals.jsonl"))
    if judges.asked:
        print(f"{judges.asked} cases, {judges.seconds / judges.asked * 1000:.2f} ms of processor time each")
    return 0 if right >= FAULTS_GOAL and recall >= RECALL_GOAL and not false else 1


if __name__ == "__main__":
    sys.exit(main())
