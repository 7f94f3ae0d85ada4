"""The page of a route: where it stands, what would change that, and the evidence."""

from __future__ import annotations

import pytest

from offices import House
from web_page import Page
from world import MODEL

BAD = ((), ("beta",), ("beta",))


@pytest.fixture
def house(tmp_path):
    return House(tmp_path, BAD)


def test_it_says_what_explain_says(house):
    from serinus.service.explaining import explained  # noqa: PLC0415  one place needs it

    sight = house.desk.sight()
    model = sight.model(MODEL)
    route = next(r for r in model.routes if r.tag == "beta")
    page = Page(house.browser().get(f"/route?model={MODEL}&tag=beta").text)
    found = explained(sight, model, route)
    for sentence in (*found.why, *found.outlook):
        assert sentence in page.text


def test_the_step_of_the_ladder_is_marked(house):
    page = Page(house.browser().get(f"/route?model={MODEL}&tag=beta").text)
    (step,) = [e for e in page.named("li") if e.attributes.get("aria-current") == "step"]
    assert step.text.startswith("level 1: 24 hours, now") or step.text.startswith("level 1: 1 day, now")


def test_each_anomaly_leads_to_its_evidence(house):
    browser = house.browser()
    page = Page(browser.get(f"/route?model={MODEL}&tag=beta").text)
    links = {link for link in page.links() if link.startswith("/evidence")}
    assert len(links) == 2
    for link in links:
        assert "broke its promise" in Page(browser.get(link).text).text


@pytest.mark.parametrize("period", ["24h", "7d", "30d", "90d"])
def test_every_period_is_shown(house, period):
    page = Page(house.browser().get(f"/route?model={MODEL}&tag=alpha&period={period}").text)
    assert "Time to first token" in page.text


def test_a_period_that_is_none_is_refused_with_a_reason(house):
    answer = house.browser().get(f"/route?model={MODEL}&tag=alpha&period=1y", accept="text/html")
    assert answer.status == 422
    assert "period" in Page(answer.text).text


def test_of_a_round_that_is_long_gone_it_says_so(house):
    answer = house.browser().get(
        f"/evidence?model={MODEL}&tag=beta&at=2020-01-01T00:00:00Z", accept="text/html"
    )
    assert answer.status == 404
    assert "Nothing is kept" in answer.text
