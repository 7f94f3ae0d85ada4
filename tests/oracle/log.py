"""A second, naive reading of `formats.md` §2, to compare the policy with.

It shares no code with `serinus.core`: events are the dicts of a history, times are whole seconds,
and every question is answered by scanning the whole log from its beginning. Slow and plain on
purpose. Nothing is kept beside the log except what was already said (`held_at_floor`, `below_floor`).
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

DEFAULTS = {
    "mode": "observe",
    "consecutive_failures": 2,
    "consecutive_clean": 2,
    "suspensions": ["1d", "3d", "7d"],
    "forget_after": "14d",
    "floor": 2,
    "streak_max_age": "6h",
    "min_gap": "15m",
    "capacity_max_age": "1h",
    "void_majority": True,
}


def seconds(duration):
    number, unit = re.fullmatch(r"(\d+)([smhd])", duration).groups()
    return int(number) * {"s": 1, "m": 60, "h": 3600, "d": 86400}[unit]


def epoch(text):
    return None if text is None else int(datetime.strptime(text, "%Y-%m-%dT%H:%M:%S%z").timestamp())


def written(when):
    return None if when is None else datetime.fromtimestamp(when, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Log:
    """Everything that happened, and the questions that are asked of it."""

    def __init__(self, policy):
        table = {**DEFAULTS, **policy}
        self.mode = table["mode"]
        self.ripe_at = table["consecutive_failures"]
        self.clean_at = table["consecutive_clean"]
        self.ladder = [seconds(d) for d in table["suspensions"]]
        self.forget_after = seconds(table["forget_after"])
        self.floor = table["floor"]
        self.age = seconds(table["streak_max_age"])
        self.gap = seconds(table["min_gap"])
        self.capacity_age = seconds(table["capacity_max_age"])
        self.void_majority = table["void_majority"]
        self.now = None
        self.log = []  # everything that happened, as dicts with "k" for their kind

    def lane(self, model, contract, upto=None):
        mode = self.mode
        for mark in self.log[:upto]:
            if (
                mark["k"] == "mode"
                and mark["model"] in (None, model)
                and mark["contract"] in (None, contract)
            ):
                mode = mark["mode"]
        return "real" if mode == "enforce" else "shadow"

    def streak(self, model, route, contract, before=None):
        """(streak, latest fail); `before` is the instant of a round that is about to be looked at."""
        streak, last = 0, None
        for mark in self.log:
            if mark.get("model") != model:
                continue
            if mark["k"] == "round":
                if streak and mark["at"] - last > self.age:
                    streak, last = 0, None
                word = mark["read"].get(route, {}).get(contract)
                if word == "fail":
                    streak, last = streak + 1, mark["at"]
                if word == "pass":
                    streak, last = 0, None
            elif self.clears(mark, route, contract):
                streak, last = 0, None
        if before is not None and streak and before - last > self.age:
            streak, last = 0, None
        return streak, last

    @staticmethod
    def clears(mark, route, contract):
        """Whether something other than a round sets this streak to 0."""
        return (
            (mark["k"] == "moved" and mark["contract"] == contract)
            or (mark["k"] == "zero" and mark["route"] == route and contract in mark["contracts"])
            or (mark["k"] == "lift" and mark["route"] == route)
        )

    def contracts(self, model):
        found = set()
        for mark in self.log:
            if mark["k"] == "round" and mark["model"] == model:
                for words in mark["read"].values():
                    found |= set(words)
        return sorted(found)

    def in_lane(self, model, lane):
        return [c for c in self.contracts(model) if self.lane(model, c) == lane]

    def ripe(self, model, route, lane, before=None):
        return [
            c for c in self.in_lane(model, lane) if self.streak(model, route, c, before)[0] >= self.ripe_at
        ]

    def last_round(self, model):
        for mark in reversed(self.log):
            if mark["k"] == "round" and mark["model"] == model:
                return mark
        return None

    def models(self):
        return sorted({m["model"] for m in self.log if m["k"] in ("round", "lift", "begin")})

    def open_suspensions(self, model=None):
        """Suspensions that have begun and not ended, as their begin marks."""
        return [
            m for m in self.log if m["k"] == "begin" and m["ended"] is None and model in (None, m["model"])
        ]

    def suspension(self, model, route, lane):
        for mark in self.open_suspensions(model):
            if (mark["route"], mark["lane"]) == (route, lane):
                return mark
        return None

    def exclusions(self, model, when):
        """Exclusions that people keep and that hold for the model at that instant."""
        standing = {}
        for mark in self.log:
            if mark["k"] == "exclude":
                standing[mark["layer"], mark["route"], mark["model"]] = mark
            if mark["k"] == "include":
                standing.pop((mark["layer"], mark["route"], mark["model"]), None)
        return [
            m
            for m in standing.values()
            if m["model"] in (None, model) and m["at"] <= when and (m["until"] is None or when < m["until"])
        ]

    @staticmethod
    def provider(mark, route):
        return mark["providers"].get(route, route.split("/")[0])

    def covers(self, mark, name, route):
        return name == route or name == self.provider(mark, route)

    def counted(self, model, lane, when, leave_out=None):
        """The routes that make up the capacity, at that instant, as the lane sees it."""
        last = self.last_round(model)
        if last is None:
            return []
        names = [e["route"] for e in self.exclusions(model, when)]
        for s in self.open_suspensions(model):
            seen = s["lane"] == "real" or lane == "shadow"
            if seen and s is not leave_out and s["at"] <= when < s["until"]:
                names.append(s["route"])
        found = []
        for route in sorted(last["live"]):
            spoke = False
            for mark in self.log:
                if (
                    mark["k"] == "round"
                    and mark["model"] == model
                    and last["at"] - mark["at"] <= self.capacity_age
                ):
                    words = set(mark["read"].get(route, {}).values())
                    spoke = spoke or bool(words - {"transport", "void"})
            if spoke and not any(self.covers(last, n, route) for n in names):
                found.append(route)
        return found

    def floor_allows(self, model, route, lane, when, leave_out=None):
        last = self.last_round(model)
        counted = self.counted(model, lane, when, leave_out)
        hit = [r for r in counted if last and self.covers(last, route, r)]
        if not hit:
            return True
        left = {self.provider(last, r) for r in counted if r not in hit}
        return len(left) >= self.floor

    def level(self, model, route, lane, when):
        begun = [
            m
            for m in self.log
            if m["k"] == "begin"
            and (m["model"], m["route"], m["lane"]) == (model, route, lane)
            and not m["forgotten"]
        ]
        if begun and when - begun[-1]["at"] < self.forget_after:
            return begun[-1]["level"] + 1
        return 1

    def clean_rounds(self, mark):
        """How many clean rounds add up for a suspension so far."""
        count, last = 0, None
        for n, other in enumerate(self.log):
            if n < self.log.index(mark) or other["k"] != "round" or other["model"] != mark["model"]:
                continue
            if other["at"] <= mark["at"]:
                continue
            words = {
                c: w
                for c, w in other["read"].get(mark["route"], {}).items()
                if self.lane(mark["model"], c, n) == mark["lane"]
            }
            rests_on = [c for c in mark["contracts"] if self.lane(mark["model"], c, n) == mark["lane"]]
            if "fail" in words.values():
                count, last = 0, None
            elif words and all(w == "pass" for w in words.values()) and all(c in words for c in rests_on):
                count = 1 if last is None or other["at"] - last > self.age else count + 1
                last = other["at"]
        return count

    def ignored(self, model, when):
        """(sorted names, fail_open) of a model's ignore list at that instant."""
        last = self.last_round(model)
        people = {e["route"] for e in self.exclusions(model, when)}
        canary = {
            s["route"]
            for s in self.open_suspensions(model)
            if s["lane"] == "real" and s["at"] <= when < s["until"]
        }
        live = last["live"] if last else set()
        if live and all(any(self.covers(last, n, r) for n in people | canary) for r in live):
            return sorted(people), True
        return sorted(people | canary), False
