"""Acts over the API: what is asked for, what it does to capacity, who did it."""

from __future__ import annotations

import asyncio
import threading
from datetime import timedelta

import pytest

from offices import ANNA, House
from serinus.core.policy import Lane
from serinus.service.access import Scope
from world import MODEL


@pytest.fixture
def house(tmp_path):
    return House(tmp_path, rounds=(("beta",), ("beta",)))  # beta is suspended, three providers are left


@pytest.fixture
def program(house):
    return house.program()


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """One for many claims that change nothing."""
    return House(tmp_path_factory.mktemp("shared"), rounds=(("beta",), ("beta",)))


@pytest.fixture(scope="module")
def shared_program(shared):
    return shared.program()


def ignored(house):
    found = house.program().get(f"/v1/exclusions/{MODEL}").json
    return found["ignore"]


def test_an_exclusion_tells_what_it_did_and_reaches_the_list(house, program):
    done = program.post(
        "/v1/exclusions", {"route": "alpha", "model": MODEL, "why": "Billing.", "lasts": "6h"}
    )
    assert done.status == 200
    assert [(r["before"], r["after"], r["falls"]) for r in done.json["capacity"]] == [(3, 2, False)]
    (entry,) = [e for e in done.json["lists"][0]["entries"] if e["name"] == "alpha"]
    assert (entry["by"], entry["why"], entry["layer"]) == (ANNA, "Billing.", "operational")
    assert ignored(house) == ["alpha", "beta"]
    house.clock.later(hours=6)
    assert ignored(house) == ["beta"]


def test_who_did_it_is_who_asked_and_never_what_the_body_says(shared_program):
    refused = shared_program.post("/v1/exclusions", {"route": "alpha", "why": "x", "by": "somebody else"})
    assert refused.status == 422
    assert refused.json["errors"][0]["where"] == "body.by"


def test_a_trial_changes_nothing_and_tells_of_capacity(shared, shared_program):
    before = shared.look()
    tried = shared_program.post("/v1/exclusions", {"route": "alpha", "why": "x", "dry_run": True})
    assert (tried.status, tried.json["dry_run"], tried.json["acts"]) == (200, True, [])
    assert tried.json["capacity"][0]["after"] == 2
    assert shared.look() == before


def test_an_exclusion_below_the_floor_is_answered_with_the_capacity_until_it_is_confirmed(house, program):
    assert program.post("/v1/exclusions", {"route": "alpha", "why": "x"}).status == 200
    before = house.look()
    refused = program.post("/v1/exclusions", {"route": "gamma", "why": "x"})
    assert (refused.status, refused.json["type"]) == (409, "urn:serinus:below_floor")
    assert refused.json["capacity"][0]["after"] == 1
    assert house.look() == before
    assert program.post("/v1/exclusions", {"route": "gamma", "why": "x", "confirm": True}).status == 200


def test_an_exclusion_that_leaves_too_few_is_told_to_the_others(tmp_path):
    house = House(tmp_path)
    program = house.program()
    for tag in ("alpha", "beta", "gamma"):
        body = {"route": tag, "model": MODEL, "why": "slow", "confirm": True}
        assert program.post("/v1/exclusions", body).status == 200
    told = [notice.kind for _, notice in house.store.outbox("tests")]
    assert told == ["excluded_below_floor"]


def test_a_name_that_covers_nothing_is_refused_with_the_nearest_unless_it_is_wanted_anyway(program):
    refused = program.post("/v1/exclusions", {"route": "alhpa", "why": "x"})
    assert (refused.status, refused.json["type"]) == (404, "urn:serinus:unknown_name")
    assert "alpha" in refused.json["detail"]
    assert program.post("/v1/exclusions", {"route": "alhpa", "why": "x", "anyway": True}).status == 200


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"route": "alpha"}, 422),
        ({"route": "alpha", "why": " "}, 422),
        ({"route": "alpha", "why": "x", "until": "tomorrow"}, 422),
        ({"route": "alpha", "why": "x", "until": "2026-11-30T09:00:00Z", "lasts": "6h"}, 422),
        ({"route": "alpha", "why": "x", "until": "2020-01-01T00:00:00Z"}, 409),
        ({"route": "alpha", "why": "x", "lasts": "0s"}, 409),
        ({"route": "alpha", "why": "x", "model": "acme/unknown"}, 404),
        ({"route": "a b", "why": "x"}, 422),
        ({"route": "alpha\x1b[31m", "why": "x"}, 422),
        ({"route": "alpha", "why": "x" * 3000}, 422),
        ([], 422),
        (None, 422),
    ],
)
def test_what_cannot_be_done_is_told_and_changes_nothing(shared, shared_program, body, status):
    before = shared.look()
    refused = shared_program.post("/v1/exclusions", body)
    assert refused.status == status
    assert refused.headers["content-type"] == "application/problem+json"
    assert shared.look() == before


def test_an_exclusion_is_taken_back_and_no_other_of_its_name(house, program):
    program.post("/v1/exclusions", {"route": "alpha", "model": MODEL, "why": "x"})
    refused = program.delete("/v1/exclusions?route=alpha&why=over")
    assert (refused.status, refused.json["type"]) == (404, "urn:serinus:no_such_exclusion")
    assert f"operational for {MODEL}" in refused.json["detail"]
    assert program.delete(f"/v1/exclusions?route=alpha&model={MODEL}&why=over").status == 200
    assert ignored(house) == ["beta"]


def test_a_suspension_is_not_an_exclusion_to_take_back(shared_program):
    assert shared_program.delete(f"/v1/exclusions?route=beta&model={MODEL}&why=x").status == 404


def test_a_lift_ends_a_suspension_with_its_grace(house, program):
    done = program.post("/v1/lift", {"model": MODEL, "route": "beta", "why": "Mended.", "grace": "6h"})
    assert [d["decision"] for d in done.json["decisions"]] == ["lifted"]
    assert ignored(house) == []
    state = house.desk.state.model(MODEL).route("beta")
    assert state.grace - state.lifted == timedelta(hours=6)


def test_a_lift_of_what_is_not_suspended_warns(program):
    done = program.post("/v1/lift", {"model": MODEL, "route": "alpha", "why": "x"})
    assert (done.status, len(done.json["warnings"])) == (200, 1)


def test_a_lift_is_of_one_route(shared_program):
    refused = shared_program.post("/v1/lift", {"model": MODEL, "route": "delta", "why": "x"})
    assert refused.status == 404
    assert "delta/fp8" in refused.json["detail"]


def test_enforcing_what_was_hardly_observed_needs_to_be_confirmed(tmp_path):
    house = House(tmp_path, mode="observe")
    program = house.program()
    refused = program.post("/v1/mode", {"mode": "enforce", "why": "x"})
    assert (refused.status, refused.json["type"]) == (409, "urn:serinus:observed_too_little")
    assert program.post("/v1/mode", {"mode": "enforce", "why": "x", "confirm": True}).status == 200
    assert (
        program.post(
            "/v1/mode", {"mode": "observe", "model": MODEL, "contract": "language", "why": "x"}
        ).status
        == 200
    )
    assert [(m.mode, m.contract, m.by) for m in house.desk.state.modes] == [
        ("enforce", None, ANNA),
        ("observe", "language", ANNA),
    ]


def test_a_decision_is_marked_and_the_mark_taken_back(house, program):
    (seq,) = [d["seq"] for d in program.get("/v1/decisions?kind=suspended").json["decisions"]]
    marked = program.post("/v1/marks", {"seq": seq, "opinion": "wrong", "why": "x"})
    assert (marked.status, marked.json["mark"], marked.json["decision"]) == (200, False, "suspended")
    assert house.store.marks() == {seq: False}
    program.post("/v1/marks", {"seq": seq, "opinion": "clear", "why": "x"})
    assert house.store.marks() == {}
    assert program.post("/v1/marks", {"seq": seq + 99, "opinion": "right", "why": "x"}).status == 404


def test_a_lift_wins_over_a_round_in_flight(house, program):
    """The round is asked, the lift comes, the round ends: what it saw before the lift counts no more."""
    canary, story = house.operated.canary, house.operated
    asked, go_on = threading.Event(), threading.Event()
    answer = canary.gateway.script

    def slowly(tag, probe):
        asked.set()
        go_on.wait(10)
        return answer(tag, probe)

    canary.gateway.script = slowly
    story.bad = {"beta"}
    round_ = threading.Thread(target=lambda: asyncio.run(canary.round(MODEL, story.at)))
    round_.start()
    assert asked.wait(10)
    house.clock.at = story.at + timedelta(minutes=1)
    assert program.post("/v1/lift", {"model": MODEL, "route": "beta", "why": "Mended."}).status == 200
    go_on.set()
    round_.join(20)
    route = house.desk.state.model(MODEL).route("beta")
    assert route.lane(Lane.REAL).suspension is None
    assert route.tallies == {}


def test_two_exclusions_at_once_cannot_break_the_floor_together(house):
    """Each alone leaves two providers; whichever comes second is refused."""
    programs = [house.program(Scope.ACT) for _ in range(2)]
    bodies = [{"route": tag, "why": "x"} for tag in ("alpha", "gamma")]
    ready = threading.Barrier(2)
    answers = []

    def act(program, body):
        ready.wait(10)
        answers.append(program.post("/v1/exclusions", body).status)

    threads = [threading.Thread(target=act, args=pair) for pair in zip(programs, bodies, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(answers) == [200, 409]
    assert len(ignored(house)) == 2
