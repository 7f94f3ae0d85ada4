"""How often healthy hosts are suspended.

    python bench/wrong_suspensions.py [--host-days 100000] [--contracts 12] [--errs 0.01] [--correlation 0]

Twelve hosts that err in 1 % of the answers to each contract, and lose 2 % of rounds to transport
errors, under the votes and the policy as they are, half an hour a round. A contract that fails asks
twice more, so a round is lost with about p * (1 - (1 - p)^2) = 0.0002, and two in a row suspend:
0.0019 a contract per 1,000 host-days (`performance-research.md` §4.2).

With `--correlation` errors come with the prompt: each prompt of each contract has a rate of its own,
drawn from a Beta distribution with mean p and that intraclass correlation. Votes are asked with other
prompts of the same language (R13), and a contract that is judged by language is asked the same language
again in the next round (R14), with others of its eight prompts. With a, b, c the prompts of a round's
three attempts (`rotation.another`),

    F(language, place) = p_a * (1 - (1 - p_b) * (1 - p_c))

is the chance to lose a round, and the forecast of a contract is 48 a host-day times the mean of
F(language, place) * F(language, next place) where it is judged by language (after each pass through the
pool the next place is any), and of mean F(one language) * mean F(the next) where it is not.
A third of the contracts is judged by language, as four of the twelve scored ones are. The rates are
drawn anew for each world of `--world` host-days, and the forecast is that of the rates drawn: what must
agree is the count of suspensions. The pool loses prompts that trip healthy routes; here it does not.

Exit status 1 if more than 0.05 per 1,000 host-days were wronged for sure (independent errors), or if the
count does not have the forecast in its 95 % interval (correlated ones).
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from random import Random
from statistics import fmean

from drill import SURE, rate
from serinus.core.model import Round, Verdict, Word
from serinus.core.policy import Decision, Kind, Mode, Policy, State, decide, evolve
from serinus.judging.votes import MORE_VOTES, settle_round
from serinus.probes.rotation import another

HOSTS = 12
ROUNDS_A_DAY = 48
LANGUAGES, PROMPTS = 17, 8  # of the rotation, and of each language
STRIDE = another(0, PROMPTS, 1) - another(0, PROMPTS, 0)
LOST = 0.02  # of rounds, to transport errors
BEGAN = datetime(2026, 1, 5, tzinfo=UTC)
BAR = 0.05  # per 1,000 host-days
BAD, GOOD = Verdict(Word.FAIL, "slip"), Verdict(Word.PASS, "fine")


def main() -> int:
    """Simulate in two processes and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--host-days", type=int, default=100_000)
    parser.add_argument("--contracts", type=int, default=12)
    parser.add_argument("--errs", type=float, default=0.01)
    parser.add_argument("--correlation", type=float, default=0.0)
    parser.add_argument("--world", type=int, default=500, help="host-days for which rates stand")
    asked = parser.parse_args()
    if asked.correlation:
        return correlated(asked)
    return independent(asked)


def independent(asked: argparse.Namespace) -> int:
    """Errors that have nothing to do with each other."""
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


def correlated(asked: argparse.Namespace) -> int:
    """Errors that come with the prompt."""
    worlds = max(1, asked.host_days // asked.world)
    rounds = asked.world * ROUNDS_A_DAY // HOSTS
    shares = [(seed, rounds, asked.contracts, asked.errs, asked.correlation) for seed in range(worlds)]
    counted: Counter[str] = Counter()
    with get_context("spawn").Pool(2) as pool:
        for found in pool.imap(wronged_by_prompts, shares, chunksize=4):
            counted.update(found)
    days = counted["rounds"] * HOSTS / ROUNDS_A_DAY
    suspended, forecast = counted["suspended"], counted["micro"] / 1e6
    low, high = rate(suspended, 1.0)
    print(
        f"{days:,.0f} host-days, {asked.contracts} contracts, errors in {asked.errs:.1%} of answers", end=", "
    )
    print(f"correlation by prompt {asked.correlation:g}, {worlds} worlds")
    interval = f"{low:.1f} to {high:.1f}, exact, {SURE:.0%}"
    print(f"wrong suspensions    {suspended:>8,} ({interval}; forecast {forecast:.1f})")
    print(f"per 1,000 host-days  {suspended / days * 1000:>8.3f} (forecast {forecast / days * 1000:.3f})")
    spoken = f"{counted['by language']:>8,} (forecast {counted['micro by language'] / 1e6:.1f})"
    print(f"of them by language  {spoken}")
    return int(not low <= forecast <= high)


Rates = list[list[list[float]]]  # by contract, language and prompt


def wronged_by_prompts(share: tuple[int, int, int, float, float]) -> Counter[str]:
    """Hold so many rounds of a world with rates of its own; the suspensions, and the forecast."""
    seed, rounds, contracts, errs, correlation = share
    chance = Random(seed)  # noqa: S311  repeatable, not secret
    a, b = errs * (1 / correlation - 1), (1 - errs) * (1 / correlation - 1)
    rates = [
        [[chance.betavariate(a, b) for _ in range(PROMPTS)] for _ in range(LANGUAGES)]
        for _ in range(contracts)
    ]
    tags, names = [f"host{n}" for n in range(HOSTS)], [f"contract{n}" for n in range(contracts)]
    policy, state, counted = Policy(mode=Mode.ENFORCE), State(), Counter(rounds=rounds)
    owed: dict[str, int] = {}
    for n in range(rounds):
        words = {tag: _turn(chance, rates, n, tag, owed) for tag in tags}
        at = BEGAN + n * timedelta(days=1) / ROUNDS_A_DAY
        results = {tag: dict(zip(names, said, strict=True)) for tag, said in words.items()}
        held = Round(at, "acme/story-70b", frozenset(tags), results, providers={tag: tag for tag in tags})
        for entry in decide(policy, state, held):
            state = evolve(state, entry)
            if isinstance(entry, Decision) and entry.kind is Kind.SUSPENDED:
                counted["suspended"] += 1
                counted["by language"] += any(_by_language(names.index(c)) for c in entry.contracts or ())
    for contract in range(contracts):
        expected = round(
            1e6 * rounds * HOSTS * (1 - LOST) * _twice(rates[contract], by_language=_by_language(contract))
        )
        counted["micro"] += expected
        counted["micro by language"] += expected * _by_language(contract)
    return counted


def _by_language(contract: int) -> bool:
    return contract % 3 == 0


def _twice(rates: list[list[float]], *, by_language: bool) -> float:
    """The chance of a round that two failing ones in a row begin with it."""
    lost = [[_lost(pool, place) for place in range(PROMPTS)] for pool in rates]
    means = [fmean(places) for places in lost]
    if not by_language:
        return fmean(means[n] * means[(n + 1) % LANGUAGES] for n in range(LANGUAGES))
    within = [fmean(p * after for p, after in zip(f, f[1:] + f[:1], strict=True)) for f in lost]
    return fmean(
        (pair * (PROMPTS - 1) + mean * mean) / PROMPTS for pair, mean in zip(within, means, strict=True)
    )


def _lost(pool: list[float], place: int) -> float:
    a, b, c = (pool[(place + STRIDE * attempt) % PROMPTS] for attempt in range(MORE_VOTES + 1))
    return a * (1 - (1 - b) * (1 - c))


def _turn(chance: Random, rates: Rates, index: int, tag: str, owed: dict[str, int]) -> list[Word]:
    """One host's turn: what each contract settles to; a language that failed is owed."""
    language = owed.get(tag, index % LANGUAGES)
    if chance.random() < LOST:
        return [Word.TRANSPORT] * len(rates)
    order = [another(index, PROMPTS, attempt) for attempt in range(MORE_VOTES + 1)]
    said = []
    failed = False
    for contract, by_language in enumerate(rates):
        pool = by_language[language]
        bad = [chance.random() < pool[prompt] for prompt in order[:1]]
        if bad[0]:
            bad += [chance.random() < pool[prompt] for prompt in order[1:]]
        word = settle_round([BAD if b else GOOD for b in bad]).word if bad[0] else Word.PASS
        failed |= bad[0] and _by_language(contract)
        said.append(word)
    if failed:
        owed[tag] = language
    else:
        owed.pop(tag, None)
    return said


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
    if chance.random() < LOST:
        return dict.fromkeys(names, Word.TRANSPORT)
    return {name: _settled(chance, errs) if chance.random() < errs else Word.PASS for name in names}


def _settled(chance: Random, errs: float) -> Word:
    """A first answer was bad: what it and two more come to."""
    more = [BAD if chance.random() < errs else GOOD for _ in range(MORE_VOTES)]
    return settle_round([BAD, *more]).word


if __name__ == "__main__":
    sys.exit(main())
