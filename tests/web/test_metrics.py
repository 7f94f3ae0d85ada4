from datetime import timedelta

import pytest
from prometheus_client.parser import text_string_to_metric_families

from offices import House
from serinus.core.exclusions import Layer
from serinus.core.policy import Exclude, Lift
from serinus.service.access import Scope
from serinus.service.figures import REASONS, STATES, Bookkeeper
from serinus.service.ledger import Served
from serinus.service.memory import Memory
from serinus.service.notice_kinds import Severity, Wants
from serinus.service.operators import act
from serinus.web.metrics import Canary
from world import MODEL

BAD = ((), ("beta",), ("beta",))


def read(house, routes=300, **channels):
    collector = Canary(Bookkeeper(house.desk, channels), routes)
    return Shown(collector.collect())


class Shown:
    """What a look showed, by the sample's name and labels."""

    def __init__(self, families) -> None:
        self.families = list(families)
        self.samples = {
            (s.name, tuple(sorted(s.labels.items()))): s.value for f in self.families for s in f.samples
        }

    def __call__(self, name, **labels):
        return self.samples.get((f"serinus_{name}", tuple(sorted(labels.items()))))

    def named(self, name):
        return [labels for found, labels in self.samples if found == f"serinus_{name}"]


@pytest.fixture
def house(tmp_path):
    return House(tmp_path, BAD)


def test_what_was_found_and_enforced_is_told(house):
    shown = read(house)
    assert shown("detected_routes", model=MODEL) == 1
    assert shown("enforced_routes", model=MODEL) == 1
    assert [shown("withheld_routes", model=MODEL, reason=r) for r in REASONS] == [0, 0, 0, 0]
    assert [shown("routes", model=MODEL, state=s) for s in STATES] == [3, 1, 0, 0, 0, 0]
    assert (shown("capacity_providers", model=MODEL), shown("floor_providers")) == (3, 2)
    assert shown("decisions_total", model=MODEL, decision="suspended", lane="real") == 1
    assert shown("verdicts_total", model=MODEL, contract="spoken", word="fail") == 2
    assert shown("probes_total", model=MODEL) > 0
    assert shown("rounds_total", model=MODEL, state="closed") == 3


def test_in_observe_mode_the_same_is_withheld(tmp_path):
    shown = read(House(tmp_path, BAD, mode="observe"))
    assert shown("detected_routes", model=MODEL) == 1
    assert shown("enforced_routes", model=MODEL) == 0
    assert shown("withheld_routes", model=MODEL, reason="observe") == 1


def test_what_the_floor_holds_back_is_withheld(tmp_path):
    bad = ((), ("beta", "gamma"), ("beta", "gamma"), *[("beta", "gamma", "delta/fp8")] * 2)
    shown = read(House(tmp_path, bad))
    assert shown("withheld_routes", model=MODEL, reason="floor") == 1
    assert shown("routes", model=MODEL, state="held_at_floor") == 1


def test_a_route_that_fails_within_its_grace_is_withheld(tmp_path):
    house = House(tmp_path, BAD)
    lift = Lift(house.clock(), MODEL, "beta", "bo", "fixed", timedelta(hours=6))
    act(Memory(house.store), house.desk.policy, lift)
    house.operated.at = house.clock() + timedelta(minutes=30)
    for _ in range(2):
        house.operated.round("beta")
    house.clock.at = house.operated.at
    assert read(house)("withheld_routes", model=MODEL, reason="grace") == 1


def test_suspensions_that_reach_no_request_are_told_as_such(house):
    for tag in ("alpha", "gamma", "delta/fp8"):
        act(
            Memory(house.store),
            house.desk.policy,
            Exclude(house.clock(), Layer.OPERATIONAL, tag, MODEL, "bo", "x"),
        )
    shown = read(house)
    assert shown("withheld_routes", model=MODEL, reason="fail_open") == 1
    assert shown("enforced_routes", model=MODEL) == 0


def test_another_process_tells_the_same_counts(house):
    counters = [f.name for f in read(house).families if f.type in {"counter", "histogram"}]
    first, second = read(house), read(house)
    assert len(counters) > 6
    assert first.samples == second.samples


def test_what_is_settled_is_read_once_and_counted_as_before(house):
    books = Bookkeeper(house.desk)
    before = Shown(Canary(books, 0).collect())
    house.clock.later(days=5)
    books.look()
    after = Shown(Canary(books, 0).collect())
    for name in ("verdicts_total", "rounds_total", "probes_total", "decisions_total"):
        labels = before.named(name)
        assert labels
        assert [after(name, **dict(x)) for x in labels] == [before(name, **dict(x)) for x in labels]
    house.operated.at = house.clock()
    house.operated.round()
    again = Shown(Canary(books, 0).collect())
    assert again("rounds_total", model=MODEL, state="closed") == 4


def test_old_lists_and_a_canary_that_is_away_are_told(house):
    assert (read(house)("ready"), read(house)("canary_up")) == (1, 1)
    house.clock.later(hours=3)
    shown = read(house)
    assert shown("ready") == 0
    assert shown("list_age_seconds", model=MODEL) > 3 * 3600
    house.store.close()


def test_notices_that_wait_are_counted_as_their_channel_wants_them(house):
    channels = {"ops": Wants(), "pager": Wants(least=Severity.CRITICAL)}
    shown = read(house, **channels)
    assert shown("outbox_waiting", channel="ops") == 1
    assert shown("outbox_lag_seconds", channel="ops") > 0
    assert shown("outbox_waiting", channel="pager") == 0
    house.store.disable_channel("ops", "gone", house.clock())
    assert read(house, **channels)("channel_disabled", channel="ops") == 1


def test_the_route_ledgers_last_minutes_are_told(house):
    at = house.clock() - timedelta(minutes=1)
    old = house.clock() - timedelta(hours=1)
    rows = [("done", 200, at), ("reset", 200, at), ("done", 500, at), ("done", 200, old)]
    house.store.ledger.keep([Served(when, MODEL, end, tag="beta", status=s) for end, s, when in rows])
    shown = read(house)
    assert [shown("ledger_requests", model=MODEL, outcome=o) for o in ("ok", "error", "cut")] == [1, 1, 1]


def test_series_of_single_routes_end_at_the_configured_number(house):
    assert read(house, routes=4)("route_stands", model=MODEL, route="beta", state="suspended") == 1
    few = read(house, routes=3)
    assert few.named("route_stands") == []
    assert few("route_series_withheld") == 4


def test_the_number_of_series_has_a_bound(house):
    shown = read(house, routes=0)
    assert len(shown.samples) < 100
    assert {name for _, labels in shown.samples for name, _ in labels} <= {
        "model", "contract", "word", "state", "reason", "decision", "lane", "le", "outcome",
        "version", "python",
    }  # fmt: skip


def test_prometheus_can_read_it_with_the_scope_to_read_and_without_it_nobody(house):
    reader = house.program(Scope.READ)
    answer = reader.get("/metrics")
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    names = {f.name for f in text_string_to_metric_families(answer.text)}
    assert {"serinus_verdicts", "serinus_first_text_seconds", "serinus_build_info"} <= names
    assert house.visitor().get("/metrics").status == 401


def test_on_a_fresh_machine_it_is_open_on_loopback(house):
    assert house.visitor().get("/metrics").status == 200
