"""What happens, by the naive reading: each event in turn, and what is said of it."""

from __future__ import annotations

from oracle.log import Log, epoch, written


class Naive(Log):
    """The twelve rules of `formats.md` §2, event by event."""

    def __init__(self, policy):
        super().__init__(policy)
        self.held = set()  # (model, route, lane) of which held_at_floor was said and still stands
        self.below = set()  # models of which below_floor was said and still stands
        self.out = []

    def say(self, at, model, decision, mark=None, **fields):
        """One decision; `mark` is the suspension that it ends or begins, or its place."""
        line = dict.fromkeys(("route", "contracts", "level", "until", "enforced"))
        if mark is not None:
            line["route"] = mark["route"]
            line["enforced"] = mark["lane"] == "real"
        line.update({k: list(v) if k == "contracts" else v for k, v in fields.items()})
        self.out.append({"at": written(at), "model": model, "decision": decision, **line})

    def say_ended(self, at, decision, mark):
        """The end of a suspension."""
        self.say(at, mark["model"], decision, mark, contracts=mark["contracts"], level=mark["level"])

    def begin(self, at, place, contracts, decision):
        """Begin a suspension at a place: a dict with model, route and lane."""
        level = self.level(place["model"], place["route"], place["lane"], at)
        until = at + self.ladder[min(level, len(self.ladder)) - 1]
        mark = {"k": "begin", "at": at, "until": until, "level": level, "contracts": contracts}
        mark |= {key: place[key] for key in ("model", "route", "lane")}
        self.log.append({**mark, "ended": None, "forgotten": False})
        self.say(at, mark["model"], decision, mark, contracts=contracts, level=level, until=written(until))

    def zero(self, model, route, contracts):
        self.log.append({"k": "zero", "model": model, "route": route, "contracts": list(contracts)})

    def forget_what_was_held(self, before=None, model=None):
        for m, route, lane in sorted(self.held):
            if model in (None, m) and not self.ripe(m, route, lane, before):
                self.held.discard((m, route, lane))

    def look_at_floor(self, at, *, only_reset=False):
        for model in self.models():
            real = [
                s
                for s in self.open_suspensions(model)
                if s["lane"] == "real" and s["at"] <= self.now < s["until"]
            ]
            last = self.last_round(model)
            providers = {self.provider(last, r) for r in self.counted(model, "real", self.now)}
            low = bool(real) and len(providers) < self.floor
            if not low:
                self.below.discard(model)
            elif model not in self.below and not only_reset:
                self.below.add(model)
                self.say(at, model, "below_floor")

    def take(self, event):
        at = epoch(event["at"])
        self.now = at if self.now is None else max(self.now, at)
        self.run_out()
        self.look_at_floor(at, only_reset=True)
        getattr(self, "on_" + event["event"])(at, event)
        self.forget_what_was_held()
        self.look_at_floor(at)

    def run_out(self):
        while True:
            over = [s for s in self.open_suspensions() if s["until"] <= self.now]
            if not over:
                return
            over.sort(key=lambda s: (s["until"], s["model"], s["route"], s["lane"] != "real"))
            mark = over[0]
            model, route, lane, until = mark["model"], mark["route"], mark["lane"], mark["until"]
            ripe = self.ripe(model, route, lane)
            failing = any(until - self.streak(model, route, c)[1] <= self.age for c in ripe)
            room = self.floor_allows(model, route, lane, until, leave_out=mark)
            mark["ended"] = until
            if failing and room:
                self.begin(until, mark, ripe, "renewed")
                continue
            self.say_ended(until, "expired", mark)
            if not failing:
                self.zero(model, route, self.in_lane(model, lane))
            self.forget_what_was_held()

    def on_tick(self, at, event):
        pass

    def on_round(self, at, event):
        model = event["model"]
        last = self.last_round(model)
        if last is not None and at - last["at"] < self.gap:
            return
        controls = event.get("controls") or {}
        self.forget_what_was_held(before=at, model=model)
        mark = {
            "k": "round",
            "at": at,
            "model": model,
            "live": set(event["live"]),
            "providers": event.get("providers") or {},
            "read": {
                r: self.asked(w, r in controls)
                for r, w in event["results"].items()
                if not self.in_flight(at, model, r)
            },
        }
        void = self.void(mark) if self.void_majority else []
        weak = "passed" in controls.values()
        if weak:
            self.say(at, model, "probe_weak", contracts=["filtering"])
        for contract in void:
            self.say(at, model, "round_void", contracts=[contract])
        for words in mark["read"].values():
            self.doubt(words, void, weak)
        self.log.append(mark)
        self.forget_what_was_held()
        self.restore(at, model)
        for lane in ("real", "shadow"):
            self.suspend(at, mark, lane)

    @staticmethod
    def asked(words, control):
        kept = {c: w for c, w in words.items() if w not in ("not_applicable", "warn")}
        if control:
            kept.pop("filtering", None)
        return kept

    def in_flight(self, at, model, route):
        lifts = [m["at"] for m in self.log if m["k"] == "lift" and (m["model"], m["route"]) == (model, route)]
        return bool(lifts) and at <= max(lifts)

    @staticmethod
    def doubt(words, void, weak):
        for contract in words:
            if contract in void and words[contract] == "fail":
                words[contract] = "inconclusive"
            if contract == "filtering" and weak and words[contract] == "pass":
                words[contract] = "inconclusive"

    def void(self, mark):
        found = []
        for contract in sorted({c for words in mark["read"].values() for c in words}):
            verdicts = {}
            for route, words in mark["read"].items():
                fresh = self.streak(mark["model"], route, contract, before=mark["at"])[0] == 0
                if words.get(contract) in ("pass", "fail") and fresh:
                    verdicts.setdefault(self.provider(mark, route), []).append(words[contract])
            failing = [p for p, said in verdicts.items() if all(w == "fail" for w in said)]
            if len(failing) >= 3 and len(failing) > len(verdicts) / 2:
                found.append(contract)
        return found

    def restore(self, at, model):
        over = [s for s in self.open_suspensions(model) if self.clean_rounds(s) >= self.clean_at]
        for mark in sorted(over, key=lambda s: (s["route"], s["lane"] != "real")):
            mark["ended"] = at
            self.say_ended(at, "restored", mark)
            self.zero(model, mark["route"], self.in_lane(model, mark["lane"]))
        self.forget_what_was_held()

    def suspend(self, at, mark, lane):
        model = mark["model"]
        due = []
        for route in mark["live"]:
            graces = [
                m["grace"]
                for m in self.log
                if m["k"] == "lift" and (m["model"], m["route"]) == (model, route)
            ]
            if self.suspension(model, route, lane) or any(at < g for g in graces):
                continue
            ripe = self.ripe(model, route, lane)
            if any(mark["read"].get(route, {}).get(c) == "fail" for c in ripe):
                longest = max(self.streak(model, route, c)[0] for c in ripe)
                due.append((-longest, -len(ripe), route, ripe))
        for _, _, route, ripe in sorted(due):
            place = {"model": model, "route": route, "lane": lane}
            if self.floor_allows(model, route, lane, self.now):
                self.begin(at, place, ripe, "suspended")
            elif (model, route, lane) not in self.held:
                self.held.add((model, route, lane))
                self.say(at, model, "held_at_floor", place, contracts=ripe)

    def on_exclude(self, at, event):
        self.log.append(
            {
                "k": "exclude",
                "at": at,
                "layer": event["layer"],
                "route": event["route"],
                "model": event.get("model"),
                "until": epoch(event.get("until")),
            }
        )

    def on_include(self, at, event):
        del at
        if event["layer"] != "builtin":
            self.log.append(
                {
                    "k": "include",
                    "layer": event["layer"],
                    "route": event["route"],
                    "model": event.get("model"),
                }
            )

    def on_lift(self, at, event):
        model, route = event["model"], event["route"]
        for lane in ("real", "shadow"):
            mark = self.suspension(model, route, lane)
            if mark is not None:
                mark["ended"] = at
                mark["forgotten"] = event.get("forget", False)
                self.say_ended(at, "lifted", mark)
        grace = at + event.get("grace", 0)
        self.log.append({"k": "lift", "at": at, "model": model, "route": route, "grace": grace})

    def on_mode(self, at, event):
        scope = [m for m in self.models() if event.get("model") in (None, m)]
        before = {(m, c): self.lane(m, c) for m in scope for c in self.contracts(m)}
        self.log.append(
            {
                "k": "mode",
                "mode": event["mode"],
                "model": event.get("model"),
                "contract": event.get("contract"),
            }
        )
        for (model, contract), lane in sorted(before.items()):
            if self.lane(model, contract) != lane:
                self.log.append({"k": "moved", "model": model, "contract": contract})
        empty = [
            s
            for m in scope
            for s in self.open_suspensions(m)
            if not any(self.lane(m, c) == s["lane"] for c in s["contracts"])
        ]
        for mark in sorted(empty, key=lambda s: (s["model"], s["route"], s["lane"] != "real")):
            mark["ended"] = at
            self.say_ended(at, "lifted", mark)


def decisions(events, policy):
    """The decisions that these events lead to, in the order they are printed, without `why`."""
    naive = Naive(policy)
    for event in events:
        naive.take(event)
    return naive.out


def ignore_lists(events, policy, when):
    """Each model's (ignore, fail_open) as it stood at an instant."""
    naive = Naive(policy)
    for event in events:
        if epoch(event["at"]) > when:
            naive.take({"at": written(when), "event": "tick"})
            break
        naive.take(event)
    named = set(naive.models()) | {m["model"] for m in naive.log if m["k"] == "exclude" and m["model"]}
    return {model: naive.ignored(model, when) for model in sorted(named)}
