"""How often the language judges are right on sets of passages, and what an answer costs them.

    python bench/judges_language.py [CASES]

CASES holds `language/{clean,benign,mix,corrupt,opening}.jsonl` and `transcripts/*.jsonl`. A row counts by the
worst word of `language`, `opening`, `leak` and `repetition`. The interval behind each share is Wilson's, at
95 %. Without CASES only load, memory and speed are measured, on the passages of the tests.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from serinus.contracts import by_name
from serinus.core.intervals import wilson
from serinus.core.model import Probe, Word
from serinus.core.transcript import Answer, Transcript
from serinus.judging.contract import Contract
from serinus.judging.judge import judge

Row = Mapping[str, Any]
CONTRACTS = tuple(by_name(name) for name in ("language", "opening", "leak", "repetition"))
SETS = ("clean", "benign", "mix", "corrupt", "opening")
BANDS = ((0.15, "05-15 %"), (0.27, "15-27 %"), (0.42, "27-42 %"), (1.1, "42 % +"))
FIT = {
    "ok": {"ok"},
    "fail": {"fail"},
    "not_fail": {"ok", "inconclusive"},
    "ok_or_inconclusive": {"ok", "inconclusive"},
    "fail_or_inconclusive": {"fail", "inconclusive"},
    "any": {"ok", "inconclusive", "fail"},
}
HEALTHY = frozenset({"g-healthy", "s-healthy", "v-healthy", "s-header-no-newline"})
LONG = 25  # words from which a benign row should be decided
PASSAGES = Path(__file__).parents[1] / "tests/passages.toml"
# What a process that judges in all languages takes, beside what importing the contracts took.
LOAD = """
import sys, time, tomllib
from serinus.contracts import by_name
from serinus.core.model import Probe
from serinus.core.transcript import Answer, Transcript
contract = by_name("language")
texts = tomllib.loads(open(sys.argv[1], encoding="utf-8").read())
def pages():
    try:
        return int(open("/proc/self/statm").read().split()[1]) * 4
    except OSError:
        return 0
before = pages()
for lang, text in texts.items():
    started = time.perf_counter()
    contract.judge(Transcript(Probe("p", "roleplay", language=lang), Answer(text=text), status=200))
    print(lang, time.perf_counter() - started)
print("kb", pages() - before)
"""


def transcript(text: str, lang: str, finish: str | None = "stop") -> Transcript:
    """A complete answer without times."""
    probe = Probe(key="case", kind="roleplay", language=lang)
    return Transcript(probe=probe, answer=Answer(text=text, finish_reason=finish), timed=False, status=200)


def state(words: Iterable[Word]) -> str:
    """The worst word: `fail`, `inconclusive` or `ok`."""
    found = set(words)
    return "fail" if Word.FAIL in found else "inconclusive" if Word.INCONCLUSIVE in found else "ok"


def said(row: Row) -> str:
    """The state of one row."""
    return state(judge(c, transcript(row["text"], row["lang"])).word for c in CONTRACTS)


def share(right: int, count: int) -> str:
    """A share with its interval."""
    if not count:
        return "-"
    low, high = wilson(right, count)
    return f"{right / count:6.3f} [{low:.3f}, {high:.3f}]"


def rows(file: Path) -> Iterator[Row]:
    """The rows of a file of JSON lines."""
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def band(row: Row) -> str:
    """The share of foreign text, as a band."""
    ratio = row.get("actual_ratio")
    return "" if ratio is None else next(name for limit, name in BANDS if ratio < limit)


def key_of(name: str, row: Row) -> tuple[str, ...]:
    """The line of the table that a row belongs to."""
    if name == "mix":
        return (row["kind"], row.get("granularity") or "", band(row))
    return (row["expected"],)


def measure(folder: Path) -> bool:
    """Print a table for each set; whether no healthy row failed."""
    print(f"{'set':10}{'rows of':34}{'n':>6}  {'fail':24}  {'fail or inconclusive':24}")
    clean = True
    for name in SETS:
        tally: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        fit = false = long_unsure = long_all = count = 0
        for row in rows(folder / f"language/{name}.jsonl"):
            got = said(row)
            tally[key_of(name, row)][got] += 1
            count += 1
            fit += got in FIT[row["expected"]]
            healthy = "fail" not in FIT[row["expected"]]
            if healthy and got == "fail":
                false += 1
                print(f"  false fail: {row['id']}")
            if name == "benign" and len(row["text"].split()) >= LONG:
                long_all += 1
                long_unsure += got == "inconclusive"
        for key, states in sorted(tally.items()):
            n = sum(states.values())
            unsure = states["fail"] + states["inconclusive"]
            print(f"{name:10}{' '.join(key):34}{n:6}  {share(states['fail'], n):24}  {share(unsure, n):24}")
        print(f"{name:10}as expected {fit}/{count}, false fails {false}")
        if long_all:
            print(f"{name:10}inconclusive of rows with {LONG} words or more: {share(long_unsure, long_all)}")
        clean &= false == 0
    return clean


def hosts(folder: Path) -> None:
    """Print how many answers of each recorded host fail."""
    found: defaultdict[str, Counter[bool]] = defaultdict(Counter)
    for file in sorted((folder / "transcripts").glob("*.jsonl")):
        for row in rows(file):
            if row.get("status") == 200 and row.get("kind") == "roleplay":  # noqa: PLR2004  HTTP's own number
                asked = transcript(row.get("text") or "", row["lang"], row.get("finish_reason"))
                found[row["host"]][state(judge(c, asked).word for c in CONTRACTS) == "fail"] += 1
    print("recorded hosts (failed of all): ", end="")
    print(
        ", ".join(
            f"{h}{'*' if h in HEALTHY else ''} {c[True]}/{sum(c.values())}" for h, c in sorted(found.items())
        )
    )
    print("  * healthy")


def timed(work: Callable[[str, str], object], texts: Sequence[tuple[str, str]]) -> str:
    """Median and 99th percentile in milliseconds of processor time."""
    for lang, text in texts[:40]:
        work(lang, text)
    spent = []
    for lang, text in texts:
        started = process_time()
        work(lang, text)
        spent.append((process_time() - started) * 1000)
    spent.sort()
    return f"median {spent[len(spent) // 2]:6.2f} ms, 99 % {spent[int(len(spent) * 0.99)]:6.2f} ms"


def _ask(asked: Sequence[Contract], lang: str, text: str) -> None:
    answer = transcript(text, lang)
    for contract in asked:
        contract.judge(answer)


def costs(texts: Sequence[tuple[str, str]]) -> None:
    """Print load, memory and speed, with lingua's multiple detection in the same run if it is there."""
    ran = subprocess.run(
        [sys.executable, "-c", LOAD, str(PASSAGES)], capture_output=True, text=True, check=True
    )
    lines = [line.split() for line in ran.stdout.splitlines()]
    first = {lang: float(seconds) for lang, seconds in lines[:-1]}
    print(f"load: first answer {first['en']:.2f} s (Latin tables), {first['ru']:.2f} s more (Cyrillic)")
    print(f"memory: {int(lines[-1][1]) / 1024:.0f} MB for all languages")
    for contract in CONTRACTS:
        print(f"{contract.name:12}{timed(partial(_ask, (contract,)), texts)}")
    print(f"{'all four':12}{timed(partial(_ask, CONTRACTS), texts)}")
    started = perf_counter()
    try:
        from lingua import LanguageDetectorBuilder  # noqa: PLC0415  an optional rival
    except ImportError:
        print("lingua      not installed: uv pip install lingua-language-detector (96 MB) to compare")
        return
    detector = LanguageDetectorBuilder.from_all_spoken_languages().build()
    detector.detect_multiple_languages_of(texts[0][1])
    print(f"lingua      ready after {perf_counter() - started:.2f} s")
    few = texts[:: max(1, len(texts) // 60)]
    print(f"{'  multiple':12}{timed(lambda _, text: detector.detect_multiple_languages_of(text), few)}")


def main() -> int:
    """Print everything; 1 if a healthy row failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("cases", nargs="?", type=Path, help="folder with language/ and transcripts/")
    cases = parser.parse_args().cases
    if cases is None:
        print("no folder of cases was named: only costs are measured")
        costs(list(tomllib.loads(PASSAGES.read_text(encoding="utf-8")).items()) * 10)
        return 0
    clean = measure(cases)
    hosts(cases)
    costs([(row["lang"], row["text"]) for row in rows(cases / "language/clean.jsonl")][::4])
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
