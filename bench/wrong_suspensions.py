"""How often healthy hosts are suspended.

    python bench/wrong_suspensions.py [--host-days 100000] [--contracts 12] [--errs 0.01]

Twelve hosts that err in 1 % of the answers to each contract, and lose 2 % of rounds to transport
errors, under the votes and the policy as they are, half an hour a round. A contract that fails asks
twice more, so a round is lost with about p * (1 - (1 - p)^2) = 0.0002, and two in a row suspend:
0.0019 a contract per 1,000 host-days (`performance-research.md` §4.2). Exit status 1 if more than 0.05
per 1,000 were wronged for sure.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from random import Random

from drill import SURE, rate
from serinus.core.model import Round, Verdict, Word
from serinus.core.policy import Decision, Kind, Mode, Policy, State, decide, evolve
from serinus.judging.votes import MORE_VOTES, settle_round

HOSTS = 12
ROUNDS_A_DAY = 48
BEGAN = datetime(2026, 1, 5, tzinfo=UTC)
BAR = 0.05  # per 1,000 host-days
BAD, GOOD = Verdict(Word.FAIL, "slip"), Verdict(Word.PASS, "fine")


def main() -> int:
    """Simulate in two processes and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--host-days", type=int, default=100_000)
    parser.add_argument("--contracts", type=int, default=12)
    parser.add_argument("--errs", type=float, default=0.01)
    asked = parser.parse_args()
    rounds = asked.host_days * ROUNDS_A_DAY // HOSTS
    shares = [(seed, rounds // 8, asked.contracts, asked.errs) for seed in range(8)]
    counted: Counter[str] = Counter()
    with get_context("spawn").Pool(2) as pool:
        for found in pool.imap(wronged, shares):
            counted.update(found)
    days = counted["rounds"] * HOSTS / ROUNDS_A_DAY
    low, high = rate(counted["suspended"], days / 1000)
    p = asked.errs
    failed = p * (1 - (1 - p) ** MORE_VOTES)
    forecast = 1000 * ROUNDS_A_DAY * asked.contracts * failed**2
    expected = failed * days * ROUNDS_A_DAY * asked.contracts
    suspended = counted["suspended"]
    print(f"{days:,.0f} host-days, {asked.contracts} contracts, errors in {p:.1%} of answers")
    print(f"rounds of a contract that failed {counted['failed']:>8,} (expected {expected:,.0f})")
    print(f"wrong suspensions                {suspended:>8,}")
    print(f"per 1,000 host-days              {suspended / days * 1000:>8.4f}", end=" ")
    print(f"({low:.4f} to {high:.4f}, exact, {SURE:.0%}; forecast {forecast:.4f}, bar {BAR})")
    return int(low > BAR)


def wronged(share: tuple[int, int, int, float]) -> Counter[str]:
    """Hold so many rounds; how many contracts failed in one, and how many hosts were suspended."""
    seed, rounds, contracts, errs = share
    chance = Random(seed)  # noqa: S311  repeatable, not secret
    tags = [f"host{n}" for n in range(HOSTS)]
    names = [f"contract{n}" for n in range(contracts)]
    policy, state, counted = Policy(mode=Mode.ENFORCE), State(), Counter(rounds=rounds)
    for n in range(rounds):
        words = {tag: _words(chance, names, errs) for tag in tags}
        counted["failed"] += sum(w is Word.FAIL for said in words.values() for w in said.values())
        at = BEGAN + n * timedelta(days=1) / ROUNDS_A_DAY
        held = Round(at, "acme/story-70b", frozenset(tags), words, providers={tag: tag for tag in tags})
        for entry in decide(policy, state, held):
            state = evolve(state, entry)
            counted["suspended"] += isinstance(entry, Decision) and entry.kind is Kind.SUSPENDED
    return counted


def _words(chance: Random, names: list[str], errs: float) -> dict[str, Word]:
    """What a healthy host's contracts settle to in a round."""
    if chance.random() < 0.02:  # noqa: PLR2004  told above
        return dict.fromkeys(names, Word.TRANSPORT)
    return {name: _settled(chance, errs) if chance.random() < errs else Word.PASS for name in names}


def _settled(chance: Random, errs: float) -> Word:
    """A first answer was bad: what it and two more come to."""
    more = [BAD if chance.random() < errs else GOOD for _ in range(MORE_VOTES)]
    return settle_round([BAD, *more]).word


if __name__ == "__main__":
    sys.exit(main())
