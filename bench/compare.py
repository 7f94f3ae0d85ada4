"""How often a comparison blames a host wrongly, and how small a fault it finds.

    python bench/compare.py [--seeds 200] [--answers 20] [--routes 15]

Counts are drawn as routes would give them and concluded from as in earnest (`core/comparison/`). "fisher"
is how often Fisher's test with Holm's correction alone would have blamed somebody. Where prompts agree
with themselves, each route and prompt has an error rate of its own, beta-distributed about the route's,
so that two answers of one route to one prompt correlate by 0.1. Exit status 1 if a verdict blamed healthy
or equally sick hosts in more than 5 % of comparisons for sure, in any world.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import dataclass, replace
from multiprocessing import get_context
from random import Random

from serinus.core.comparison.conclusion import Conclusion, Kind, conclude
from serinus.core.comparison.counts import Count, RouteCounts
from serinus.core.comparison.standing import ALPHA
from serinus.core.exact import clopper_pearson

BAR = 0.05
RHO = 0.1


@dataclass(frozen=True)
class World:
    """Routes whose answers fail at these rates; `prompts` are asked in turn; the first may be the suspect."""

    name: str
    rates: tuple[float, ...]
    answers: int
    prompts: int
    rho: float = 0.0
    precisions: tuple[str | None, ...] = ()
    named: bool = False
    guilty: frozenset[int] = frozenset()

    def routes(self, chance: Random) -> list[RouteCounts]:
        """One draw."""
        return [self._route(n, rate, chance) for n, rate in enumerate(self.rates)]

    def _route(self, n: int, rate: float, chance: Random) -> RouteCounts:
        each, cells = self.answers // self.prompts, {}
        for prompt in range(self.prompts):
            own = spread(rate, self.rho, chance)
            cells[f"p{prompt}"] = Count(sum(chance.random() < own for _ in range(each)), each)
        precision = self.precisions[n] if self.precisions else None
        return RouteCounts(f"h{n}", f"h{n}", precision, suspect=self.named and n == 0, by_prompt=cells)


def spread(rate: float, rho: float, chance: Random) -> float:
    """A rate drawn about its mean, so that draws from it correlate by `rho`."""
    if not rho or rate in (0.0, 1.0):
        return rate
    size = 1 / rho - 1
    return chance.betavariate(rate * size, (1 - rate) * size)


def main() -> int:
    """Draw in two processes and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--answers", type=int, default=20)
    parser.add_argument("--routes", type=int, default=15)
    asked = parser.parse_args()
    worlds = [*alike(asked.answers, asked.routes), *sick(asked.answers, asked.routes)]
    names = f"{'world':<58}{'fisher':>8}{'blamed':>8}{'wrongly':>9}   verdicts"
    print(
        f"{asked.seeds} comparisons each, {asked.answers} answers of each of {asked.routes} routes\n{names}"
    )
    bad = False
    with get_context("spawn").Pool(2) as pool:
        for world, found in zip(worlds, pool.imap(draw, [(w, asked.seeds) for w in worlds]), strict=True):
            wrongly = clopper_pearson(found["wrongly"], asked.seeds)
            bad |= wrongly.low > BAR
            print(line(world, found, asked.seeds), flush=True)
    print("\nnobody wrongly blamed in more than 5 %" if not bad else "\nblamed wrongly in more than 5 %")
    return int(bad)


def line(world: World, found: Counter[str], seeds: int) -> str:
    """One world's line."""
    shares = {kind: found[kind] / seeds for kind in Kind if found[kind]}
    kinds = ", ".join(f"{kind} {share:.1%}" for kind, share in sorted(shares.items(), key=lambda s: -s[1]))
    counts = "".join(f"{found[what] / seeds:>{width}.1%}" for what, width in COLUMNS)
    return f"{world.name:<58}{counts}   {kinds}"


COLUMNS = (("fisher", 8), ("blamed", 8), ("wrongly", 9))


def draw(work: tuple[World, int]) -> Counter[str]:
    """Many comparisons in one world, counted."""
    world, seeds = work
    counted: Counter[str] = Counter()
    for seed in range(seeds):
        chance = Random(f"{world.name}/{seed}")  # noqa: S311  a simulation, no secret
        found = conclude(world.routes(chance), chance.randrange)
        counted[found.kind] += 1
        counted["fisher"] += fisher_alone(found)
        blamed = {int(tag[1:]) for tag in found.blamed} if found.kind is Kind.ENDPOINT else set()
        counted["blamed"] += bool(blamed & world.guilty) if world.guilty else bool(blamed)
        counted["wrongly"] += bool(blamed - world.guilty)
    return counted


def fisher_alone(found: Conclusion) -> bool:
    """Whether the test alone would have blamed somebody."""
    asked = [s for s in found.standings if s.route.suspect] or found.standings
    return any(s.above and s.corrected is not None and s.corrected <= ALPHA for s in asked)


def alike(answers: int, routes: int) -> list[World]:
    """Worlds in which every route errs alike: whoever is blamed is blamed wrongly."""
    worlds = []
    for rate in (0.0, 0.01, 0.05, 0.2):
        each = (rate,) * routes
        worlds += [
            World(f"alike at {rate:.0%}, each prompt once", each, answers, answers),
            World(f"alike at {rate:.0%}, each prompt once, one suspect", each, answers, answers, named=True),
        ]
        if rate:
            worlds += [
                World(f"alike at {rate:.0%}, 4 prompts", each, answers, 4),
                World(f"alike at {rate:.0%}, 4 prompts that agree by 0.1", each, answers, 4, RHO),
                World(
                    f"alike at {rate:.0%}, 4 prompts that agree by 0.1, one suspect",
                    each,
                    answers,
                    4,
                    RHO,
                    named=True,
                ),
                World(f"alike at {rate:.0%}, 10 prompts that agree by 0.1", each, answers, 10, RHO),
                World(f"alike at {rate:.0%}, 2 prompts that agree by 0.1", each, answers, 2, RHO),
            ]
    each = (0.5,) * routes
    return [*worlds, World("the model fails at 50 %", each, answers, answers)]


def sick(answers: int, routes: int) -> list[World]:
    """Worlds with one sick route, or a sick precision class, among healthy ones that err at 1 %."""
    worlds = []
    for rate in (0.1, 0.2, 0.5, 0.95):
        each = (rate, *(0.01,) * (routes - 1))
        one = World(f"one at {rate:.0%}, each prompt once", each, answers, answers, guilty=frozenset({0}))
        four = replace(one, name=f"one at {rate:.0%}, 4 prompts that agree by 0.1", prompts=4, rho=RHO)
        worlds += [one, replace(one, name=f"{one.name}, one suspect", named=True), four]
    for rate in (0.3, 0.95):
        three = ("fp4",) * 3 + ("fp8",) * (routes - 3)
        each = (*(rate,) * 3, *(0.01,) * (routes - 3))
        worlds.append(World(f"a class of three at {rate:.0%}", each, answers, answers, precisions=three))
    return worlds


if __name__ == "__main__":
    sys.exit(main())
