"""Probe now, and user traffic: shown beside verdicts, and feeding none of them."""

from __future__ import annotations

import asyncio
from urllib.parse import urlencode

import pytest

from asgi import started
from offices import House
from serinus.service.ledger import Served
from web.pages.test_comparisons import sent
from web_page import Page
from world import MODEL


@pytest.fixture
def house(tmp_path):
    return House(tmp_path, ((), ("beta",), ("beta",)))


def test_its_price_is_said_first_and_that_it_feeds_nothing(house):
    page = Page(house.browser().get(f"/probe?model={MODEL}&tag=beta&look=1&contract=language").text)
    assert "feeds nothing: no streak grows or breaks by it" in page.text
    assert "Asks language" in page.text
    assert page.form("/probe").fields["contract"] == "language"


def test_a_probe_shows_its_evidence_and_changes_nothing(house):
    browser = house.browser()
    fields = (
        Page(browser.get(f"/probe?model={MODEL}&tag=beta&look=1&contract=language").text)
        .form("/probe")
        .fields
    )
    before = (house.memory.catch_up(), len(list(house.store.log())))
    house.operated.bad, house.operated.text = {"beta"}, "bad"

    async def story():
        async with started(house.app):
            answer = await sent(browser, "/probe", fields)
            assert answer.status == 303
            trial = house.office.laboratory.trials.get(1)
            async with asyncio.timeout(30):
                while trial.running:
                    await trial.news.wait()
            return answer.headers["location"]

    page = Page(browser.get(asyncio.run(story())).text)
    assert "What it answered" in page.text
    assert "language" in page.text
    assert "feeds nothing" in page.text
    assert before == (house.memory.catch_up(), len(list(house.store.log())))
    assert not house.store.findings(MODEL, since=house.clock(), round_name="probe")
    assert "Probed lately" in browser.get(f"/probe?model={MODEL}&tag=beta").text
    assert browser.get("/probes/99").status == 404


def test_what_the_day_cannot_pay_for_is_not_asked(house):
    house.store.spend("all of it", house.clock(), 1e9, 1)
    listing = house.store.listing(MODEL)
    assert listing is not None
    for offer in listing["offers"]:
        offer |= {"prompt_price": 1.0, "completion_price": 1.0}
    desk = house.desk
    object.__setattr__(desk, "store", _Listed(desk.store, listing))
    browser = house.browser()
    page = Page(browser.get(f"/probe?model={MODEL}&tag=beta").text)
    assert "Nothing was asked" in page.text
    fields = {**page.form("/logout").fields, "model": MODEL, "tag": "beta"}
    assert browser.submit("/probe", fields).status == 409


class _Listed:
    """A store whose listing names prices."""

    def __init__(self, store, listing):
        self._store, self._listing = store, listing

    def listing(self, model):
        del model
        return self._listing

    def __getattr__(self, name):
        return getattr(self._store, name)


def test_user_traffic_stands_beside_verdicts_and_is_called_unscored(house):
    at = house.clock()
    rows = [
        Served(at, MODEL, "done", tag="beta", provider="Beta", status=200, first_token=0.1 * n)
        for n in range(1, 11)
    ]
    house.store.ledger.keep([*rows, Served(at, MODEL, "done", provider="<b>Nobody</b>", status=500)])
    house.clock.later(minutes=1)
    browser = house.browser()
    page = Page(browser.get(f"/traffic?model={MODEL}").text)
    assert "never scored" in page.text
    (row,) = [e for e in page.named("tr") if "beta" in e.text and "10" in e.text]
    assert "fails filtering, spoken" in row.text
    assert "<b>Nobody</b>" in page.text
    on_route = Page(browser.get(f"/route?{urlencode({'model': MODEL, 'tag': 'beta'})}").text)
    assert "User traffic in the last 24 h" in on_route.text
    assert "User traffic in" not in browser.get(f"/route?{urlencode({'model': MODEL, 'tag': 'alpha'})}").text


def test_without_traffic_it_is_said_how_there_would_be_some(house):
    assert "serinus proxy" in Page(house.browser().get("/traffic").text).text
