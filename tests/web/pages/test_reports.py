"""Users' reports from a browser: found, kept, reproduced; never a word of a user's."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from offices import House
from serinus.service.access import Scope
from serinus.service.ledger import Served
from serinus.web.pages.reports import Candidate, Look
from web.pages.kept_comparison import NAME, keep
from web_page import Page
from world import MODEL

TAGS = ("alpha", "beta", "gamma", "delta/fp8")


@pytest.fixture
def house(tmp_path):
    return House(tmp_path, ((), ("beta",), ("beta",)))


def form_of(browser):
    return Page(browser.get("/reports").text).form("/reports")


def filed(browser, **fields):
    return browser.submit("/reports", {**form_of(browser).fields, **fields})


def test_there_is_no_field_for_what_a_user_wrote(house):
    page = Page(house.browser().get("/reports").text)
    assert set(page.form("/reports").fields) == {
        "csrf", "model", "at", "zone", "window", "contract", "generation", "conversation",
    }  # fmt: skip
    assert not page.named("textarea")


def test_a_time_leads_to_all_that_were_in_production_and_ambiguous_is_said(house):
    browser = house.browser()
    answer = filed(browser, at="5m ago", contract="language", zone="Europe/Rome")
    assert answer.status == 303
    page = Page(browser.get(answer.headers["location"]).text)
    assert "ambiguous" in page.text
    assert "Nothing tells who served" in page.text
    assert "by the clock of" in page.text or "5m ago" in page.text
    row = house.store.reports.one(1)
    assert (row.by, row.contract) == ("anna", "language")
    assert "Report 1" in browser.get("/reports").text


def test_an_id_leads_to_the_one_that_served_what_stood_then_and_what_was_found(house):
    at = house.clock()
    house.store.ledger.keep([Served(at, MODEL, "done", tag="beta", provider="Beta", generation="gen-1")])
    browser = house.browser()
    page = Page(browser.get(filed(browser, generation="gen-1").headers["location"]).text)
    (row,) = [e for e in page.named("tr") if e.attributes.get("class") == "trouble"]
    assert "it did" in row.text
    assert "suspended" in row.text
    assert "spoken" in row.text
    assert "What was known of them around that time" in page.text


def test_a_report_leads_to_the_comparison_that_proves_it_filled_in(house):
    at = house.clock()
    house.store.ledger.keep([Served(at, MODEL, "done", tag="beta", provider="Beta", generation="gen-1")])
    browser = house.browser()
    filed(browser, generation="gen-1", contract="language")
    page = Page(browser.get("/compare?report=1").text)
    checked = [e.attributes["value"] for e in page.named("input") if "checked" in e.attributes]
    assert checked == ["beta"]
    assert page.form("/compare/look").fields["report"] == "1"
    (chosen,) = [
        e.attributes["value"]
        for e in page.named("option")
        if e.attributes.get("value") == "language" and "selected" in e.attributes
    ]
    assert chosen == "language"
    assert browser.get("/compare?report=99").status == 404


def test_a_reproduced_report_shows_what_came_of_it(house):
    browser = house.browser()
    number = urlsplit(filed(browser, at="5m ago").headers["location"]).path.rpartition("/")[2]
    keep(house.store, MODEL, house.clock(), TAGS)
    house.store.reports.link(int(number), NAME)
    page = Page(browser.get(f"/reports/{number}").text)
    assert "The fault follows the endpoint alpha" in page.text
    assert f"/comparisons/{NAME}" in page.links()
    assert "Reproduce it" not in page.text


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "when was it"),
        ({"at": "soon"}, "allowed is a time"),
        ({"at": "21:40", "zone": "Mars/Base"}, "the time zone"),
        ({"at": "21:40", "contract": "wit"}, "found the contract"),
        ({"at": "21:40", "model": "no/model"}, "is not known"),
        ({"at": "21:40", "window": "soon"}, "the window"),
        ({"generation": "he said <b>hello</b>"}, "generation id"),
    ],
)
def test_what_cannot_be_understood_is_told_in_the_form_and_nothing_is_kept(house, fields, said):
    answer = filed(house.browser(), **fields)
    assert answer.status == 422
    page = Page(answer.text)
    assert said in page.text
    assert "Nothing was kept" in page.text
    assert not house.store.reports.latest()


def test_reporting_needs_its_scope_and_reproducing_its_own(house):
    house.operator("eve", {Scope.READ})
    eve = house.browser("eve")
    page = Page(eve.get("/reports").text)
    assert "you need the scope report" in page.text
    assert eve.submit("/reports", {**page.form("/logout").fields, "at": "5m ago"}).status == 403
    house.operator("bo", {Scope.READ, Scope.REPORT})
    bo = house.browser("bo")
    page = Page(bo.get(filed(bo, at="5m ago").headers["location"]).text)
    assert "/compare?report=1" not in page.links()
    assert bo.submit("/reports", {"at": "5m ago", "csrf": "forged"}).status == 403


def test_rounds_that_say_the_same_are_told_once(house):
    at = house.clock()
    looks = [Look(at, odd, ()) for odd in (["502"], [], ["502"], ["German"], ["502"])]
    found = Candidate("beta", {}, ("", ""), ("", ""), (), looks, ())
    assert [(same[0].odd, len(same)) for same in found.looks] == [(["502"], 2), (["German"], 1), (["502"], 1)]
