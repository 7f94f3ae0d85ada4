"""Whatever call to the database fails in a round: it is written whole or not at all; the next one goes on.

The way SQLite tests itself (https://www.sqlite.org/testing.html): the n-th call fails, for n = 1, 2, …
until the round gets through.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from serinus.core.model import Listing
from serinus.core.policy import Mode, Policy, State, evolve
from serinus.core.policy.journal import from_json
from serinus.core.transcript import Usage
from serinus.service.canary import Canary
from serinus.service.courier import Courier
from serinus.service.duty import Duty, Happening
from serinus.service.planning import ModelPlan
from serinus.service.storage import Notice
from serinus.store import open_store
from store.rows import dumped
from world import MODEL, Played, Spoken, Unpaced, offers

START = datetime(2026, 11, 30, 0, 0, tzinfo=UTC)
HALF_HOUR = timedelta(minutes=30)
# Who fails in each round: beta is suspended in the second, gamma in the third, beta restored in the fourth.
BAD = ({"beta"}, {"beta", "gamma"}, {"gamma"}, {"gamma"}, {"gamma"})
OUT = ((), (), ("beta",), ("beta", "gamma"), ("gamma",), ("gamma",))  # before each round
TOLD = "the store cannot be used: The store {path} failed to read or write its disk"


class Failing:
    """Fails the n-th call after it was armed; with `for_good`, each one after it too."""

    def __init__(self, *, for_good: bool = False) -> None:
        self.for_good = for_good
        self.left: int | None = None
        self.failed = 0

    def arm(self, n: int) -> None:
        self.left, self.failed = n, 0

    def disarm(self) -> None:
        self.left = None

    def __call__(self, statement: str) -> None:
        if self.left is None:
            return
        self.left -= 1
        if self.left == 0 or (self.left < 0 and self.for_good):
            self.failed += 1
            error = sqlite3.OperationalError(f"it broke at {statement}")
            error.sqlite_errorname = "SQLITE_IOERR_WRITE"
            raise error


@dataclass
class Ear:
    """A channel that remembers what it was told."""

    name: str = "ops"
    heard: list[str] = field(default_factory=list)

    async def send(self, notices: list[Notice]) -> None:
        self.heard += [n.key for n in notices]


class Town(Played):
    """A gateway of four hosts whose every answer costs a cent."""

    async def discover(self, model: str) -> Listing:
        return Listing(model, offers("alpha", "beta", "gamma", "delta/fp8"))

    async def ask(self, offer, probe, *, session, limits):
        transcript = await super().ask(offer, probe, session=session, limits=limits)
        return replace(transcript, answer=replace(transcript.answer, usage=Usage(total_tokens=9, cost=0.01)))


class Watch:
    """A canary on duty over a file, opened as a process opens it; rounds are held by number."""

    def __init__(self, path: Path, number: int, on_call: Callable[[str], None] | None = None) -> None:
        self.store = open_store(path, create=True, on_call=on_call)
        self.number = number
        self.happened: list[Happening] = []
        self.ear = Ear()
        town = Town(lambda tag, _probe: "bad" if tag in BAD[self.number] else "hello")
        self.canary = Canary(
            store=self.store,
            gateway=town,
            pace=Unpaced(),
            policy=Policy(mode=Mode.ENFORCE),
            plans={MODEL: ModelPlan(MODEL, ("en", "pt"), (Spoken(),))},
            clock=self.now,
        )
        self.canary.take_over(lambda _model: self.now())

    def now(self) -> datetime:
        return START + self.number * HALF_HOUR

    def round(self, number: int) -> Happening:
        """The round of that number and what follows it, until everything was told."""
        self.number = number

        async def day() -> None:
            courier = Courier(self.store, (self.ear,), self.now)
            duty = Duty(self.canary, courier, self.happened.append)
            await duty.round(MODEL, self.now())
            duty.end()
            await duty.follow()

        asyncio.run(day())
        return self.happened[-1]

    def ignored(self) -> tuple[str, ...]:
        return self.canary.ignore(MODEL).ignore

    def fold(self) -> State:
        state = State()
        for logged in self.store.log():
            state = evolve(state, from_json(logged.document))
        return state


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The store before each round of an undisturbed day."""
    folder = tmp_path_factory.mktemp("lived")
    paths = [folder / f"{n}.sqlite" for n in range(len(BAD) + 1)]
    open_store(paths[0], create=True).close()
    for n, (before, after) in enumerate(pairwise(paths)):
        shutil.copy(before, after)
        watch = Watch(after, n)
        assert watch.round(n).outcome is not None
        watch.store.close()
    return paths


def kept(path: Path) -> dict[str, list]:
    """What a store holds beside rounds, which messages were noted as sent, and how far its fold was kept."""
    tables = dumped(path)
    tables["standing"] = [row for row in tables["standing"] if row[1] != "fold"]
    return {table: rows for table, rows in tables.items() if table not in {"delivery", "round"}}


def rounds(path: Path) -> list[str]:
    return [row[5] for row in dumped(path)["round"]]


# Together they fail every call; each by itself does too, which takes three times as long.
@pytest.mark.parametrize(
    ("number", "for_good", "first"),
    [(2, False, 1), (3, False, 2), (2, True, 3)],
    ids=["a round that suspends", "a round that restores", "for good"],
)
def test_a_round_whose_store_fails_anywhere_is_written_whole_or_not_at_all(
    lived, tmp_path, number, for_good, first
):
    before, after = kept(lived[number]), kept(lived[number + 1])
    assert before != after
    failing, outcomes = Failing(for_good=for_good), set()
    for n in range(first, 300, 3):
        path = Path(shutil.copy(lived[number], tmp_path / f"{n}.sqlite"))
        watch = Watch(path, number, failing)
        assert watch.ignored() == OUT[number], "a canary that starts knows what it left out"
        failing.arm(n)
        happening = watch.round(number)
        failing.disarm()
        written = kept(path) == after
        assert written or kept(path) == before, f"half done after call {n} failed"
        assert rounds(path)[-1] == ("closed" if written else "open") or len(rounds(path)) == number
        if happening.outcome is None:
            assert (happening.trouble or "").startswith(TOLD.format(path=path))
        assert watch.ignored() in {OUT[number], OUT[number + 1]}
        outcomes.add((written, happening.outcome is not None))
        goes_on(watch, number + 1)
        watch.store.close()
        if not failing.failed:
            break
    assert {(False, False), (True, True)} <= outcomes
    assert n > 60


def goes_on(watch: Watch, number: int) -> None:
    """The next round is held, decides on what was written and tells all of it; nothing is left open."""
    happening = watch.round(number)
    assert happening.outcome is not None, happening.trouble
    assert watch.store.left_open() == []
    assert watch.canary.memory.state == watch.fold()
    assert watch.ignored() == happening.outcome.ignore.ignore
    assert "gamma" in watch.ignored()
    assert {n.key for _, n in watch.store.outbox("nobody")} <= {*watch.ear.heard, *told_before(watch, number)}


def told_before(watch: Watch, number: int) -> set[str]:
    """Notices of the rounds before the one that failed, which were told then."""
    return {n.key for _, n in watch.store.outbox("nobody") if n.at < START + (number - 1) * HALF_HOUR}


def test_a_round_whose_end_cannot_be_written_is_abandoned_with_what_it_cost(lived, tmp_path):
    full = False

    def on_call(statement: str) -> None:
        if full and "INTO finding" in statement:
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorname = "SQLITE_FULL"
            raise error

    watch = Watch(Path(shutil.copy(lived[2], tmp_path / "s.sqlite")), 2, on_call)
    spent = watch.store.spent(START.date())
    full = True
    assert "the disk is full" in (watch.round(2).trouble or "")
    assert watch.store.spent(START.date()) == spent
    full = False
    assert watch.round(3).outcome is not None
    two = [r for r in watch.store.rounds(MODEL, since=START) if r.at >= START + 2 * HALF_HOUR]
    assert [(r.state.value, r.cost) for r in two] == [
        ("abandoned", pytest.approx(0.06)),
        ("closed", two[1].cost),
    ]
    assert watch.store.spent(START.date()) == pytest.approx(spent + sum(r.cost for r in two))
    watch.store.close()
