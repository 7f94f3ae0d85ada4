"""What must hold whatever happens, checked after every step of a random life of one model."""

import json
from datetime import UTC, datetime, timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from serinus.core.exclusions import Layer
from serinus.core.listing import ignore_list
from serinus.core.model import Round, Word
from serinus.core.policy import (
    Decision,
    Exclude,
    Include,
    Kind,
    Lane,
    Lift,
    Mode,
    Policy,
    SetMode,
    State,
    Tick,
    decide,
    fold,
)
from serinus.core.policy.journal import from_json, to_json

START = datetime(2026, 11, 30, tzinfo=UTC)
ROUTES = ("a", "b/fp8", "b/turbo", "c", "d")
CONTRACTS = ("filtering", "language")
HOUR = timedelta(hours=1)
UNKNOWN = [
    Word.INCONCLUSIVE,
    Word.TRANSPORT,
    Word.VOID,
    Word.WEAK,
    Word.ALARM,
    Word.WARN,
    Word.NOT_APPLICABLE,
]

routes = st.sampled_from(ROUTES)
contracts = st.sampled_from((None, *CONTRACTS))
gaps = st.sampled_from([timedelta(minutes=m) for m in (5, 15, 30, 30, 30, 60, 400)])
words = st.sampled_from([Word.FAIL, Word.FAIL, Word.PASS, Word.PASS, *UNKNOWN])


def provider(route):
    return route.partition("/")[0]


class Life(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.clock = START
        self.state = State()
        self.journal = []
        self.failed = {}  # (route, contract) -> the instants of rounds in which it failed, as they were asked
        self.lifted = {}  # route -> latest lift

    @initialize(floor=st.integers(1, 4), mode=st.sampled_from(Mode), ladder=st.sampled_from([1, 3, 24]))
    def begin(self, floor, mode, ladder):
        hours = tuple(HOUR * ladder * n for n in (1, 2, 4))
        self.policy = Policy(mode=mode, floor=floor, suspensions=hours)

    def take(self, event):
        before = self.state
        entries = decide(self.policy, before, event)
        assert decide(self.policy, before, event) == entries  # nothing was changed by deciding
        self.journal += [json.dumps(to_json(e)) for e in entries]
        for entry in entries:
            held = self.state
            self.state = fold([entry], held)
            if isinstance(entry, Decision):
                self.check(entry, held)
        return [e for e in entries if isinstance(e, Decision)]

    def check(self, entry, before):
        if entry.kind in (Kind.SUSPENDED, Kind.RENEWED):
            self.check_floor(entry, before)
        if entry.kind is Kind.SUSPENDED:
            self.check_grounds(entry)
        if entry.kind is Kind.RENEWED:
            suspension = before.model("m").route(entry.route).lane(entry.lane).suspension
            assert entry.at == suspension.until  # no gap, no overlap

    def check_floor(self, entry, before):
        """Whoever is still served is enough, or the suspended route was not serving anyone."""
        serving = {r for r in before.model("m").live if self.serves(before, r, entry)}
        taken = {r for r in serving if entry.route in (r, provider(r))}
        assert not taken or len({provider(r) for r in serving - taken}) >= self.policy.floor

    def serves(self, state, route, entry):
        model = state.model("m")
        answered = model.answered.get(route)
        if answered is None or model.latest - answered > self.policy.capacity_max_age:
            return False
        names = {e.name for e in state.exclusions.values() if e.until is None or entry.at < e.until}
        for tag, known in model.routes.items():
            for lane in (Lane.REAL,) if entry.lane is Lane.REAL else Lane:
                suspension = known.lane(lane).suspension
                if suspension and entry.at < suspension.until and (tag, lane) != (entry.route, entry.lane):
                    names.add(tag)
        return names.isdisjoint((route, provider(route)))

    def check_grounds(self, entry):
        """Each suspension rests on one contract that failed in two rounds at least `min_gap` apart."""
        for contract in entry.contracts:
            instants = self.failed[entry.route, contract]
            assert any(late - early >= self.policy.min_gap for early in instants for late in instants)

    @rule(data=st.data(), gap=gaps, live=st.sets(routes, min_size=1))
    def a_round(self, data, gap, live):
        results = {r: {c: data.draw(words) for c in CONTRACTS} for r in sorted(live)}
        self.hold(Round(self.clock, "m", frozenset(live), results), gap)

    @rule(bad=st.sets(routes, min_size=1, max_size=2), contract=st.sampled_from(CONTRACTS))
    def a_round_in_which_some_fail(self, bad, contract):
        good = dict.fromkeys(CONTRACTS, Word.PASS)
        results = {r: {**good, contract: Word.FAIL} if r in bad else good for r in ROUTES}
        self.hold(Round(self.clock, "m", frozenset(ROUTES), results), HOUR / 2)

    def hold(self, round_, gap):
        latest = self.state.model("m").latest
        if latest is None or round_.at - latest >= self.policy.min_gap:
            for route, said in round_.results.items():
                for contract, word in said.items():
                    if word is Word.FAIL and round_.at > self.lifted.get(route, START - HOUR):
                        self.failed.setdefault((route, contract), []).append(round_.at)
        self.take(round_)
        self.clock += gap

    @rule(data=st.data())
    def a_round_that_knows_nothing(self, data):
        results = {r: {c: data.draw(st.sampled_from(UNKNOWN)) for c in CONTRACTS} for r in ROUTES}
        self.take(Tick(self.clock))
        before = self.state.model("m").routes
        self.take(Round(self.clock, "m", frozenset(ROUTES), results))
        for route, known in self.state.model("m").routes.items():
            was = before[route]
            assert {c: t for c, t in was.tallies.items() if c in known.tallies} == known.tallies
            assert all(
                self.clock - was.tallies[c].last > 6 * HOUR for c in was.tallies.keys() - known.tallies.keys()
            )
            assert (known.real.suspension, known.shadow.suspension) == (
                was.real.suspension,
                was.shadow.suspension,
            )
        self.clock += HOUR / 2

    @rule(route=routes, grace=st.sampled_from([0, 2]), forget=st.booleans(), early=st.booleans())
    def a_lift(self, route, grace, forget, early):
        at = self.clock + timedelta(minutes=5 if early else -5)
        self.take(Lift(at, "m", route, grace=HOUR * grace, forget=forget))
        known = self.state.model("m").route(route)
        assert known.real.suspension is None
        assert known.shadow.suspension is None
        assert known.tallies == {}
        self.lifted[route] = max(at, self.lifted.get(route, at))
        for contract in CONTRACTS:
            self.failed.pop((route, contract), None)

    @rule(mode=st.sampled_from(Mode), contract=contracts)
    def a_mode(self, mode, contract):
        self.take(SetMode(self.clock, mode, "m", contract))

    @rule(name=st.sampled_from((*ROUTES, "b")), layer=st.sampled_from([Layer.BUILTIN, Layer.OPERATIONAL]))
    def an_exclusion(self, name, layer):
        self.take(Exclude(self.clock, layer, name, until=self.clock + 3 * HOUR))

    @rule(name=st.sampled_from((*ROUTES, "b")), layer=st.sampled_from([Layer.BUILTIN, Layer.OPERATIONAL]))
    def an_inclusion(self, name, layer):
        before = self.state.exclusions
        self.take(Include(self.clock, layer, name))
        builtin = {k: e for k, e in before.items() if k[0] is Layer.BUILTIN}
        assert builtin.items() <= self.state.exclusions.items()

    @rule(wait=st.sampled_from([HOUR, 5 * HOUR, 30 * HOUR]))
    def time_passes(self, wait):
        self.clock += wait
        self.take(Tick(self.clock))

    @rule(back=st.sampled_from([HOUR / 2, 5 * HOUR]))
    def the_clock_is_set_back(self, back):
        model = self.state.model("m")
        if model.latest is not None:
            words = {r: dict.fromkeys(CONTRACTS, Word.FAIL) for r in model.live}
            ended = (Kind.EXPIRED, Kind.RENEWED)
            said = self.take(Round(model.latest - back, "m", model.live, words))
            assert [e for e in said if e.kind not in ended] == []

    @invariant()
    def the_log_gives_the_state(self):
        assert fold(from_json(json.loads(line)) for line in self.journal) == self.state

    @invariant()
    def only_enforced_suspensions_reach_routing(self):
        found = ignore_list(self.state, "m", self.state.now or START)
        ours = {e.name for e in found.entries if e.layer is Layer.SUSPENSION}
        model = self.state.model("m")
        assert ours <= {t for t, known in model.routes.items() if known.real.suspension}
        live = [r for r in model.live if not {r, provider(r)} & {e.name for e in self.people(found.at)}]
        assert not live or any(not {r, provider(r)} & set(found.ignore) for r in live)

    def people(self, at):
        return [e for e in self.state.exclusions.values() if e.until is None or at < e.until]

    @invariant()
    def nothing_in_force_is_over(self):
        for _, _, suspension in self.state.model("m").suspensions():
            assert suspension.since <= self.state.now < suspension.until


TestLife = Life.TestCase
TestLife.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
