"""How heavy and how quick the pages are: 50 models with 15 routes, and one model with 90 days.

    python bench/pages.py [--models 50] [--routes 15] [--days 90] [--store FILE]

Builds a store as a canary would have left it: a day of rounds of every model, then `--days` more of the
first; 2 findings in 1,000 fail, and on every tenth model one route in ten is broken. Measures each page in
this process: bytes as they are sent (gzip, which every browser takes) with all that the page loads, and the
server's time when nothing changed since the last look (median of 20) and at the first look of all.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from datetime import timedelta
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import history
from serinus.core.model import Offer, Route
from serinus.engine.clock import now
from serinus.service.desk import Desk
from serinus.service.memory import Memory
from serinus.store import open_store
from serinus.web.app import make_app
from serinus.web.gate import Gate
from serinus.web.live import Changes
from serinus.web.office import Office
from serinus.web.site import Site

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from asgi import Client
from web_page import Page

DAY = 48  # rounds
TIMES = 20


def build(file: Path, models: int, routes: int, days: int) -> None:
    """Write the history, the last round a moment ago."""
    store = open_store(file, create=True)
    memory = Memory(store)
    last = now().replace(second=0, microsecond=0)
    last -= timedelta(minutes=last.minute % 30)
    for number in range(models):
        past = Lively(store, routes, number, memory)
        rounds = DAY * days if number == 0 else DAY
        for n in range(rounds):
            past.round(last - history.HALF_HOUR * (rounds - 1 - n), n, keep=rounds - n < 30 * DAY)
    store.close()


class Lively(history.Past):
    """One model's life; every tenth is in trouble since this morning."""

    def __init__(self, store: object, routes: int, number: int, memory: Memory) -> None:
        history.MODEL = f"acme/story-{number:02d}b"
        super().__init__(store, routes)  # type: ignore[arg-type]
        self.offers = [Offer(Route(history.MODEL, t), t.partition("/")[0], t.title()) for t in self.tags]
        self.memory = memory
        self.ill = number % 10 == 0
        self.chance.seed(number)

    def words(self, number: int) -> dict[str, dict[str, object]]:  # type: ignore[override]
        """What each route gave in the round of that number."""
        word = history.Word
        bad = self.ill and number % 480 > 20  # noqa: PLR2004  since this morning
        return {
            tag: {
                c: word.FAIL
                if self.chance.random() < 0.002 or (bad and n % 10 == 3 and c == "language")  # noqa: PLR2004  as told above
                else word.PASS
                for c in history.CONTRACTS
            }
            for n, tag in enumerate(self.tags)
        }


def main() -> None:
    """Build, measure and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, default=50)
    parser.add_argument("--routes", type=int, default=15)
    parser.add_argument("--days", type=int, default=90)
    parser.add_argument("--store", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = options.store or Path(folder) / "serinus.sqlite"
        if not file.exists():
            begun = perf_counter()
            build(file, options.models, options.routes, options.days)
            print(f"built in {perf_counter() - begun:.0f} s")
        print(
            "load", *(f"{load:.1f}" for load in os.getloadavg()), f"store {file.stat().st_size / 1e6:.0f} MB"
        )
        measure(file)


def measure(file: Path) -> None:
    """Each page, at the first look and later."""
    store = open_store(file, read_only=True)
    policy = history.POLICY
    desk = Desk(store, Memory(store), policy, now, (), history.HALF_HOUR, 10.0)
    app = make_app(Office(desk, Gate(store.access, now), Changes(lambda: 0), Site()))
    first = desk.models()[0]
    query = f"model={first}&tag=p3/fp8"
    print(f"{'page':28} {'page, plain':>11} {'packed':>11} {'with all':>11} {'first look':>11} {'later':>9}")
    for name, address in (
        ("overview", "/"),
        ("model", f"/model?id={first}"),
        ("route, 24 hours", f"/route?{query}"),
        ("route, 7 days", f"/route?{query}&period=7d"),
        ("route, 90 days", f"/route?{query}&period=90d"),
        ("decisions, 7 days", "/decisions"),
        ("decisions of a route, all", f"/decisions?{query.replace('tag', 'route')}&period=all"),
        ("exclusions", "/exclusions"),
        ("observe report", f"/observe?model={first}"),
        ("plan", "/plan"),
    ):
        show(app, name, address)


def show(app: object, name: str, address: str) -> None:
    """One line of the table."""
    client = Client(app, headers={"accept-encoding": "gzip", "accept": "text/html"})
    took: list[float] = []
    answer = None
    for _ in range(TIMES + 1):
        begun = process_time()
        answer = asyncio.run(client.ask("GET", address))
        took.append((process_time() - begun) * 1e3)
    assert answer is not None  # noqa: S101  it was asked
    if answer.status != 200:  # noqa: PLR2004  nothing to measure
        print(f"{name:34} {answer.status} {answer.body[:120]!r}")
        return
    plain = asyncio.run(Client(app, headers={"accept": "text/html"}).ask("GET", address))
    page = Page(plain.text)
    loads = {
        e.attributes.get("href") or e.attributes.get("src") or ""
        for e in page.elements
        if e.tag in {"link", "script", "img"}
    }
    extra = sum(len(asyncio.run(client.ask("GET", at)).body) for at in loads if at.startswith("/static/"))
    sizes = (len(plain.body), len(answer.body), len(answer.body) + extra)
    kilobytes = " ".join(f"{size / 1e3:8.1f} KB" for size in sizes)
    print(f"{name:28} {kilobytes} {took[0]:8.0f} ms {median(took[1:]):6.1f} ms")


if __name__ == "__main__":
    main()
