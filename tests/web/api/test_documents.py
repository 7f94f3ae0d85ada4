"""The API and the commands write the same documents."""

from __future__ import annotations

import json

import pytest

from offices import House
from serinus.service.explaining import explained
from serinus.service.logbook import Wanted, lines
from serinus.service.records import explanation, loglines, observing, standing
from serinus.service.standing import troubles
from serinus.web.documents import written
from world import MODEL


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    return House(tmp_path_factory.mktemp("office"), rounds=(("beta",), ("beta",), ("alpha",)))


@pytest.fixture(scope="module")
def program(house):
    return house.program()


def plain(document):
    return json.loads(json.dumps(document))


def test_status_is_the_commands(house, program):
    found = house.desk.standing()
    assert program.get("/v1/status").json == plain(standing.document(found, troubles(found)))


def test_a_models_routes_are_those_of_its_status(program):
    (model,) = program.get(f"/v1/status?model={MODEL}").json["models"]
    assert program.get(f"/v1/routes/{MODEL}").json == model


def test_an_explanation_is_the_commands(house, program):
    sight = house.desk.sight()
    model = sight.model(MODEL)
    for route in model.routes:
        said = plain(explanation.document(explained(sight, model, route)))
        assert program.get(f"/v1/explanations/{MODEL}?route={route.tag}").json == said


def test_the_log_is_the_commands_page_by_page(house, program):
    every = [
        plain(loglines.document(line))
        for line in lines(house.store, Wanted(house.clock.at.replace(year=2000)))
    ]
    pages, after = [], 0
    while after is not None:
        page = program.get(f"/v1/decisions?limit=1&after={after}").json
        pages += page["decisions"]
        after = page["next"]
    assert pages == every
    assert every


def test_the_observe_report_is_the_commands(house, program):
    from datetime import timedelta  # noqa: PLC0415  this test alone needs it

    said = plain(observing.document(house.desk.observed(MODEL, timedelta(days=14))))
    assert program.get("/v1/observe-report").json["models"] == [said]


def test_the_plan_tells_what_is_not_listed(house, program):
    found = program.get("/v1/plan").json
    assert [m["model"] for m in found["models"]] == [MODEL]
    assert found["budget_usd_per_day"] == house.desk.budget


def test_half_a_character_that_a_host_sent_can_be_told():
    assert json.loads(written({"text": "a\ud83d"})) == {"text": "a\ud83d"}
