"""How long operators wait: `status`, `explain` and start-up on 90 days of history.

    python bench/history.py [--days 90] [--routes 20] [--store FILE]

Builds a store as a canary would have left it (48 rounds a day; one route in ten broken for a tenth of
the time, and 1 % of all findings failing), then measures each step in this process and each command
as a whole, with modules compiled before as an installation has them. With --store the file is kept and
used again.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from serinus.core.model import Offer, Round, Route, Word
from serinus.core.policy import Mode, Policy, State, decide, fold
from serinus.core.policy.journal import from_json
from serinus.service.documents import listing_document
from serinus.service.memory import Memory
from serinus.service.planning import round_name
from serinus.service.storage import ClosedRound, FindingRow, RoundState, Store, TranscriptRow
from serinus.store import open_store

MODEL = "acme/story-70b"
HALF_HOUR = timedelta(minutes=30)
CONTRACTS = (
    "first_token", "filtering", "structured_output", "language", "completion", "leak", "opening",
    "repetition", "stall", "protocol",
)  # fmt: skip
SCORED = frozenset(CONTRACTS) - {"protocol"}
POLICY = Policy(mode=Mode.ENFORCE)


class Past:
    """A canary's life, told to a store round by round."""

    def __init__(self, store: Store, routes: int) -> None:
        self.store = store
        self.tags = [f"p{n}/fp8" for n in range(routes)]
        self.offers = [Offer(Route(MODEL, tag), tag.partition("/")[0], tag.title()) for tag in self.tags]
        self.memory = Memory(store)
        self.chance = Random(1)  # noqa: S311  repeatable, not secret

    def words(self, number: int) -> dict[str, dict[str, Word]]:
        """What each route gave in the round of that number."""
        bad = number % 480 < 48  # noqa: PLR2004  a day in ten
        return {
            tag: {
                c: Word.FAIL
                if self.chance.random() < 0.01 or (bad and n % 10 == 3 and c == "language")  # noqa: PLR2004  as told above
                else Word.PASS
                for c in CONTRACTS
            }
            for n, tag in enumerate(self.tags)
        }

    def round(self, at: datetime, number: int, *, keep: bool) -> None:
        """One round: decided by the policy, written as the canary writes it."""
        words = self.words(number)
        live = frozenset(self.tags)
        results = {tag: {c: w for c, w in said.items() if c in SCORED} for tag, said in words.items()}
        event = Round(at, MODEL, live, results, providers={o.route.tag: o.provider for o in self.offers})
        name = round_name(MODEL, at)
        row = self.store.open_round(name, MODEL, at)
        if row is None:
            return
        found = [_finding(name, at, tag, c, w) for tag, said in words.items() for c, w in said.items()]
        kept = [_transcript(name, at, tag) for tag in self.tags if Word.FAIL in words[tag].values()]
        closed = replace(
            row, state=RoundState.CLOSED, closed_at=at, routes=len(live), cost=0.004, tokens=12_000
        )

        def write(proposal: Any) -> int:
            return self.store.close_round(
                ClosedRound(
                    closed, proposal.seen, proposal.records, found, kept if keep else (),
                    listing=listing_document(self.offers), fold=self.memory.fold_to_keep(proposal),
                )
            )  # fmt: skip

        self.memory.record(lambda state: decide(POLICY, state, event), write)


def _finding(name: str, at: datetime, tag: str, contract: str, word: Word) -> FindingRow:
    bad = word is Word.FAIL
    detail = "Two of three answers switched to another language after the first sentence." if bad else ""
    evidence = {"spans": [[10, 40, "en"]], "share": 0.31, "threshold": 0.2} if bad else {}
    reason = "language_mixed" if bad else "fine"
    return FindingRow(name, at, MODEL, tag, contract, word.value, reason, detail, evidence, "pt", 0.8)


def _transcript(name: str, at: datetime, tag: str) -> TranscriptRow:
    text = [{"at": n / 50, "data": '{"choices":[{"delta":{"content":"word "}}]}'} for n in range(80)]
    return TranscriptRow(name, at, MODEL, tag, "roleplay.pt.0", 0, True, {"version": 1, "events": text})


def build(file: Path, days: int, routes: int) -> None:
    """Write the history, the last round a moment ago."""
    store = open_store(file, create=True)
    past = Past(store, routes)
    rounds = days * 48
    last = datetime.now(UTC).replace(second=0, microsecond=0)  # noqa: TID251  commands compare it with the clock
    last -= timedelta(minutes=last.minute % 30)
    for number in range(rounds):
        at = last - HALF_HOUR * (rounds - 1 - number)
        past.round(at, number, keep=rounds - number < 30 * 48)
    store.close()


def processor() -> float:
    """Processor time of this process and its children so far, in seconds."""
    return sum(os.times()[:4])


def timed(work: Callable[[], Any], times: int = 3) -> tuple[float, float]:
    """The median wall time and the least processor time, in seconds: other work blurs the first."""
    wall, busy = [], []
    for _ in range(times):
        start, before = perf_counter(), processor()
        work()
        wall.append(perf_counter() - start)
        busy.append(processor() - before)
    return median(wall), min(busy)


BEGIN = """
import asyncio, os, sys
from pathlib import Path
import serinus.cli.run, serinus.cli.happenings
from serinus.bootstrap.stage import real_stage

def nothing(*_): ...

async def begin():
    async with real_stage(Path(sys.argv[1]), os.environ).on_duty(nothing, nothing, nothing): ...

asyncio.run(begin())
"""


def steps(file: Path) -> dict[str, tuple[float, float]]:
    """What start-up is made of."""
    store = open_store(file)
    kept = store.fold() or {"seq": 0}
    documents = [logged.document for logged in store.log()]
    entries = [from_json(d) for d in documents]
    found = {
        "open the store": timed(lambda: open_store(file, read_only=True).close()),
        "read the log": timed(lambda: list(store.log())),
        "entries of its documents": timed(lambda: [from_json(d) for d in documents]),
        "fold": timed(lambda: fold(entries, State())),
        f"from the fold kept at {kept['seq']}": timed(lambda: Memory(store).catch_up()),
        f"verify it, up to {len(documents)}": timed(lambda: Memory(store).verify(), times=1),
    }
    store.close()
    return found


def commands(file: Path) -> dict[str, tuple[float, float]]:
    """Whole commands, their interpreter's start included."""
    config = file.with_suffix(".toml")
    config.write_text(
        f'[[model]]\nid = "{MODEL}"\n[gateway]\nbase_url = "http://127.0.0.1:9"\n'
        f'[store]\npath = "{file}"\n[policy]\nmode = "enforce"\n',
        encoding="utf-8",
    )
    serinus = ["-m", "serinus"]
    wanted = {
        "serinus --help": [*serinus, "--help"],
        "serinus config check": [*serinus, "config", "check", str(config)],
        "serinus status": [*serinus, "status", "--config", str(config)],
        "serinus explain": [*serinus, "explain", "p3/fp8", "--config", str(config)],
        "serinus log": [*serinus, "log", "--config", str(config)],
        "serinus observe-report": [*serinus, "observe-report", "--config", str(config)],
        "serinus run, up to its duty": ["-c", BEGIN, str(config)],
    }
    return {name: timed(lambda words=words: python(words, config.parent)) for name, words in wanted.items()}


def python(words: list[str], folder: Path) -> None:
    """One process as an installation would start it."""
    environ = {n: value for n, value in os.environ.items() if n != "PYTHONDONTWRITEBYTECODE"}
    environ |= {"PYTHONPYCACHEPREFIX": str(folder / "compiled"), "OPENROUTER_API_KEY": "sk-or-v1-none"}
    subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, env=environ, check=False)


def main() -> None:
    """Build, measure and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=90)
    parser.add_argument("--routes", type=int, default=20)
    parser.add_argument("--store", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = options.store or Path(folder) / "serinus.sqlite"
        if not file.exists():
            spent, _ = timed(lambda: build(file, options.days, options.routes), times=1)
            print(f"built in {spent:.0f} s")
        size = file.stat().st_size / 1e6
        print("load", *(f"{load:.1f}" for load in os.getloadavg()))
        print(f"{options.days} days, {options.routes} routes, {len(CONTRACTS)} contracts, {size:.0f} MB")
        for name, (wall, busy) in {**steps(file), **commands(file)}.items():
            print(f"  {name:28} {wall:6.2f} s, of the processor {busy:6.2f} s")


if __name__ == "__main__":
    main()
