"""Random histories for the policy, and a policy to go with each: the same seed, the same history.

Steps are half-hours, ladders are short and in the same steps, so that suspensions run out at the
very instants of rounds, lifts and modes.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

START = datetime(2026, 11, 30, tzinfo=UTC)
CONTRACTS = ("filtering", "first_token", "language", "structured_output")
TAGS = (
    "deepinfra",
    "deepinfra/fp8",
    "deepinfra/turbo",
    "novita",
    "novita/bf16",
    "acme/x",
    "zeta",
    "omega",
    "kilo",
)
WORDS = ("inconclusive", "transport", "void", "warn", "not_applicable", "weak", "alarm")


def policy(chance: Random) -> dict:
    """A policy: the defaults half of the time, else other numbers and a ladder of hours."""
    table = {"mode": chance.choice(["observe", "enforce", "enforce"])}
    if chance.random() < 0.8:
        table["suspensions"] = chance.choice(
            [["1h"], ["90m", "3h"], ["1h", "2h", "4h"], ["2h", "30m"], ["5h", "10h", "1d"]]
        )
        table["forget_after"] = chance.choice(["3h", "12h", "2d", "14d"])
    if chance.random() < 0.6:
        table["floor"] = chance.choice([0, 1, 1, 2, 3, 4])
    if chance.random() < 0.4:
        table["consecutive_failures"] = chance.choice([1, 2, 3])
        table["consecutive_clean"] = chance.choice([1, 2, 3])
    if chance.random() < 0.5:
        table["streak_max_age"] = chance.choice(["75m", "2h", "3h", "1d"])
        table["capacity_max_age"] = chance.choice(["0s", "30m", "1h", "3h"])
    if chance.random() < 0.3:
        table["min_gap"] = chance.choice(["0s", "15m", "30m"])
    if chance.random() < 0.3:
        table["void_majority"] = False
    return table


class Author:
    """Writes one history."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)  # noqa: S311  repeatable, not secret
        self.policy = policy(self.chance)
        self.models = [f"m{n}" for n in range(self.chance.choice([1, 1, 2, 3]))]
        self.contracts = list(CONTRACTS[: self.chance.choice([1, 2, 3, 4])])
        self.tags = self.chance.sample(TAGS, self.chance.randint(2, len(TAGS)))
        self.now = START
        self.broken: dict[tuple[str, str, str], float] = {}
        self.dead: set[tuple[str, str]] = set()
        self.gone: set[tuple[str, str]] = set()
        self.owner = {"acme/x": "novita"} if self.chance.random() < 0.3 else {}
        self.rates = [self.chance.choice([0.0, 0.02, 0.15]) for _ in range(8)]

    def events(self, length: int) -> list[dict]:
        """So many events, in file order."""
        found = [
            {"at": self.at(), "event": "mode", "mode": "enforce", "model": None, "contract": contract}
            for contract in self.contracts
            if self.chance.random() < 0.2
        ]
        while len(found) < length:
            self.drift()
            found += self.acts()
            for model in self.models:
                if self.chance.random() < 0.95:
                    found.append(self.round(model))
                if self.chance.random() < 0.05:
                    found.append(self.odd(found[-1]) if found else self.tick())
            self.now += timedelta(
                minutes=self.chance.choice([30] * 12 + [10, 15, 20, 60, 90, 180, 400, 1440])
            )
        return found

    def at(self, minutes: int = 0) -> str:
        return (self.now + timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")

    def drift(self) -> None:
        """Faults come and go."""
        for model in self.models:
            for tag in self.tags:
                for contract in self.contracts:
                    key = (model, tag, contract)
                    if self.chance.random() < 0.08:
                        self.broken[key] = self.chance.choice([1.0, 1.0, 0.6, 0.3])
                    elif self.chance.random() < 0.15:
                        self.broken.pop(key, None)
                for kept, rate in ((self.dead, 0.03), (self.gone, 0.04)):
                    if self.chance.random() < rate:
                        kept.add((model, tag))
                    elif self.chance.random() < 0.3:
                        kept.discard((model, tag))

    def round(self, model: str) -> dict:
        live = [t for t in self.tags if (model, t) not in self.gone]
        storm = self.chance.choice(self.contracts) if self.chance.random() < 0.07 else None
        event = {
            "at": self.at(),
            "event": "round",
            "model": model,
            "live": live,
            "results": {t: self.words(model, t, storm) for t in live if self.chance.random() < 0.97},
        }
        if self.chance.random() < 0.4:
            said = self.chance.choices(["caught", "passed", "unreachable"], [8, 2, 2])[0]
            event["controls"] = {self.chance.choice(["openai", *self.tags]): said}
        if self.owner:
            event["providers"] = self.owner
        return event

    def words(self, model: str, tag: str, storm: str | None) -> dict:
        if (model, tag) in self.dead:
            return dict.fromkeys(self.contracts, "transport")
        words = {}
        for contract in self.contracts:
            luck = self.chance.random()
            if luck < 0.05:
                continue
            if luck < 0.17:
                words[contract] = self.chance.choice(WORDS)
            elif contract == storm and self.chance.random() < 0.9:
                words[contract] = "fail"
            else:
                bad = self.chance.random() < self.broken.get((model, tag, contract), self.rates[0])
                words[contract] = "fail" if bad else "pass"
        return words

    def acts(self) -> list[dict]:
        """What operators do between two rounds, and time that passes."""
        kinds = [self.lift] * 3 + [self.exclude] * 4 + [self.include] * 2 + [self.mode] * 2 + [self.tick]
        return [self.chance.choice(kinds)() for _ in range(self.chance.choice([0, 0, 0, 0, 1, 1, 2]))]

    def name(self) -> str:
        return self.chance.choice([*self.tags, *(t.partition("/")[0] for t in self.tags), "nobody"])

    def scope(self) -> str | None:
        return self.chance.choice([None, *self.models])

    def late(self) -> str:
        """Mostly now; at times after the planned instant of the round that comes next in the file."""
        return self.at(self.chance.choice([0, 0, 0, 5, 12, -5]))

    def lift(self) -> dict:
        event = {
            "at": self.late(),
            "event": "lift",
            "route": self.chance.choice(self.tags),
            "model": self.chance.choice(self.models),
            "by": "ops",
            "why": "looked at it",
        }
        if self.chance.random() < 0.4:
            event["grace"] = self.chance.choice([0, 1800, 3600, 10800])
        if self.chance.random() < 0.4:
            event["forget"] = self.chance.random() < 0.7
        return event

    def exclude(self) -> dict:
        ends = self.chance.choice([None, None, 0, 30, 60, 300])
        return {
            "at": self.late(),
            "event": "exclude",
            "layer": self.chance.choices(["builtin", "operational", "account"], [1, 4, 1])[0],
            "route": self.name(),
            "model": self.scope(),
            "by": "ops",
            "why": "said so",
            "until": None if ends is None else self.at(ends),
        }

    def include(self) -> dict:
        layer = self.chance.choices(["operational", "account", "builtin"], [6, 2, 1])[0]
        return {
            "at": self.late(),
            "event": "include",
            "layer": layer,
            "route": self.name(),
            "model": self.scope(),
            "by": "ops",
            "why": "done",
        }

    def mode(self) -> dict:
        return {
            "at": self.late(),
            "event": "mode",
            "mode": self.chance.choice(["observe", "enforce"]),
            "model": self.scope(),
            "contract": self.chance.choice([None, *self.contracts]),
            "by": "ops",
            "why": "trial",
        }

    def tick(self) -> dict:
        return {"at": self.late(), "event": "tick"}

    def odd(self, event: dict) -> dict:
        """A duplicate, a round by hand soon after, or a clock set back."""
        shift = self.chance.choice([0, 0, 5, 14, 16, -30, -600])
        when = datetime.strptime(event["at"], "%Y-%m-%dT%H:%M:%S%z") + timedelta(minutes=shift)
        return {**event, "at": when.strftime("%Y-%m-%dT%H:%M:%SZ")}


def history(seed: int) -> tuple[list[dict], dict]:
    """(events, policy table) of a seed: 20 to 90 events."""
    author = Author(seed)
    return author.events(author.chance.randint(20, 90)), author.policy
