"""All models at one look: bars on a grid of slots, and what of it is kept between two looks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from offices import House
from serinus.core.model import Word
from serinus.core.policy import Lift
from serinus.service.board import Grid
from serinus.service.boards import Boards
from serinus.service.glances import LETTERS, WORST_FIRST
from serinus.service.operators import act
from serinus.service.timeline import Day, timeline
from world import MODEL

AT = datetime(2026, 11, 30, 12, 10, tzinfo=UTC)
BAD = ((), ("beta",), ("beta",))


@pytest.fixture
def house(tmp_path):
    return House(tmp_path, BAD)


def of(board, tag):
    return next(r for r in board.models[0].routes if r.standing.tag == tag)


@pytest.mark.parametrize(
    ("interval", "slots"),
    [
        (timedelta(minutes=30), 48),
        (timedelta(hours=1), 24),
        (timedelta(seconds=10), 48),
        (timedelta(days=2), 1),
    ],
)
def test_a_grid_shows_a_day_or_so_many_slots(interval, slots):
    grid = Grid.ending(AT, interval)
    assert grid.slots == slots
    assert grid.index(AT) == slots - 1
    assert grid.index(grid.since) == 0
    assert grid.index(grid.since - timedelta(seconds=1)) is None


def test_each_round_is_a_letter_in_its_slot(house):
    route = of(Boards(house.desk).board(), "beta")
    assert route.bar("spoken").strip() == "pff"
    assert route.bar("nothing").strip() == ""
    assert route.whole.strip() == "pff"
    assert route.broken == {"spoken", "filtering"}
    assert route.latest["spoken"] is Word.FAIL


def test_a_route_that_is_out_says_by_which_finding(house):
    route = of(Boards(house.desk).board(), "beta")
    assert route.cause.word == "fail"
    assert not route.healthy


def test_what_needs_a_look_comes_first(house):
    assert Boards(house.desk).board().models[0].routes[0].standing.tag == "beta"


def test_an_act_is_seen_at_the_next_look(house):
    boards = Boards(house.desk)
    assert boards.board().out()
    act(house.memory, house.desk.policy, Lift(house.clock(), MODEL, "beta", "bo", "fixed"))
    assert not boards.board().out()


def test_a_new_round_is_seen_at_the_next_look(house):
    boards = Boards(house.desk)
    before = of(boards.board(), "alpha").bar("spoken")
    house.operated.round("alpha")
    house.clock.later(minutes=30)
    assert of(boards.board(), "alpha").bar("spoken").count("f") == before.count("f") + 1


def test_what_ends_by_time_ends_on_the_board(house):
    boards = Boards(house.desk)
    assert boards.board().out()
    house.clock.later(days=1, hours=1)
    assert not boards.board().out()


def test_a_model_that_nobody_knows_is_an_error(house):
    with pytest.raises(LookupError, match="not known"):
        Boards(house.desk).board(["no/model"])


def test_the_same_anomaly_round_after_round_is_one_run(house):
    house.operated.round("beta")
    line = timeline(house.store, MODEL, "beta", house.operated.at, timedelta(days=1))
    assert len(line.anomalies[0].rounds) == 3


def test_another_anomaly_of_the_same_contract_begins_a_new_run(house):
    house.operated.text = "odd"
    house.operated.round("beta")
    line = timeline(house.store, MODEL, "beta", house.operated.at, timedelta(days=1))
    runs = [(run.latest.word, len(run.rounds)) for run in line.anomalies if run.latest.contract == "spoken"]
    assert runs == [("inconclusive", 1), ("fail", 2)]


def test_a_long_period_is_read_by_days(house):
    line = timeline(house.store, MODEL, "beta", house.operated.at, timedelta(days=90))
    assert line.daily
    assert {len(days) for days in line.days.values()} == {91}
    assert sum(d.words.get("fail", 0) for d in line.days["spoken"]) == 2


def test_a_route_that_would_be_out_says_by_which_finding_too(tmp_path):
    route = of(Boards(House(tmp_path, BAD, mode="observe").desk).board(), "beta")
    assert route.cause.word == "fail"


def test_a_day_shows_its_worst_word_whichever_words_there_are():
    assert sorted(WORST_FIRST) == sorted(LETTERS)
    for n, word in enumerate(WORST_FIRST):
        assert Day(AT.date(), dict.fromkeys(WORST_FIRST[n:], 1)).worst is word
    assert Day(AT.date(), {}).worst == ""
