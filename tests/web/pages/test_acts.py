"""Acts by form: looked at first, done once, in the name of who is logged in."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest

from offices import ANNA, House
from serinus.core.exclusions import Layer
from serinus.core.policy import Exclude, Lift, SetMode
from serinus.core.policy.journal import from_json
from web_page import Page
from world import MODEL

BAD = ((), ("beta",), ("beta",))


@pytest.fixture
def house(tmp_path):
    return House(tmp_path, BAD)


def log(house):
    return [from_json(e.document) for e in house.store.log()]


def looked(browser, **fields):
    return Page(browser.get(f"/exclude?{urlencode({'look': 1, **fields})}").text)


def test_looking_changes_nothing_and_says_what_it_would_do(house):
    browser, before = house.browser(), log(house)
    page = looked(browser, name="alpha", model=MODEL, lasts="1d", why="slow")
    assert "from 3 to 2 providers in production, and the floor is 2" in page.text
    assert log(house) == before


def test_what_was_looked_at_is_done_by_one_form(house):
    browser = house.browser()
    form = looked(browser, name="alpha", model=MODEL, lasts="1d", why="slow").form("/exclude")
    answer = browser.submit("/exclude", form.fields)
    assert answer.status == 303
    entry = log(house)[-1]
    assert isinstance(entry, Exclude)
    assert (entry.layer, entry.route, entry.by, entry.why) == (Layer.OPERATIONAL, "alpha", ANNA, "slow")
    assert "Done: anna excluded alpha" in Page(browser.get(answer.headers["location"]).text).text


def test_below_the_floor_it_must_be_said_that_one_knows(house):
    browser = house.browser()
    browser.submit("/exclude", looked(browser, name="alpha", why="x").form("/exclude").fields)
    page = looked(browser, name="gamma", model=MODEL, lasts="1d", why="slow too")
    assert "below the floor of 2" in page.text
    form = page.form("/exclude")
    assert form.fields.pop("confirm") == "yes"
    before = log(house)
    refused = browser.submit("/exclude", form.fields)
    assert refused.status == 422
    assert log(house) == before
    assert browser.submit("/exclude", {**form.fields, "confirm": "yes"}).status == 303


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"name": "nobody", "why": "x"}, "covers no known route"),
        ({"name": "alpha", "why": " "}, "Say why"),
        ({"name": "alpha", "why": "x", "lasts": "1 week"}, "allowed is a whole number"),
        ({"name": "alpha", "why": "x", "model": "no/model"}, "is not known"),
    ],
)
def test_what_cannot_be_done_is_told_in_the_form(house, fields, said):
    browser = house.browser()
    answer = browser.get(f"/exclude?{urlencode({'look': 1, **fields})}")
    assert answer.status == 422
    assert said in Page(answer.text).text


def test_an_exclusion_is_taken_back(house):
    browser = house.browser()
    browser.submit("/exclude", looked(browser, name="alpha", model=MODEL, why="x").form("/exclude").fields)
    page = Page(browser.get(f"/include?name=alpha&model={MODEL}").text)
    assert "from 2 to 3 providers" in page.text
    assert browser.submit("/include", {**page.form("/include").fields, "why": "well again"}).status == 303
    assert not house.desk.state.exclusions


def test_a_suspension_is_lifted_with_grace_as_a_false_alarm(house):
    browser = house.browser()
    page = Page(browser.get(f"/lift?model={MODEL}&tag=beta").text)
    assert "from 3 to 4 providers" in page.text
    fields = {**page.form("/lift").fields, "why": "checked by hand", "grace": "6h", "forget": "yes"}
    assert browser.submit("/lift", fields).status == 303
    (entry,) = [e for e in log(house) if isinstance(e, Lift)]
    assert (entry.by, entry.forget, entry.grace.total_seconds()) == (ANNA, True, 6 * 3600)
    assert "Nothing is out" in browser.get("/").text


def test_a_mode_is_shown_before_it_is_set(house):
    browser = house.browser()
    page = Page(browser.get(f"/mode?mode=observe&model={MODEL}").text)
    assert browser.submit("/mode", {**page.form("/mode").fields, "why": "a look first"}).status == 303
    (entry,) = [e for e in log(house) if isinstance(e, SetMode)]
    assert (entry.mode, entry.model, entry.by) == ("observe", MODEL, ANNA)


def test_enforcing_what_was_hardly_observed_must_be_confirmed(tmp_path):
    house = House(tmp_path, BAD, mode="observe")
    browser = house.browser()
    page = Page(browser.get(f"/mode?mode=enforce&model={MODEL}").text)
    assert "observed on 1 of the 7 days" in page.text or "observed on 2 of the 7 days" in page.text
    form = page.form("/mode")
    assert form.fields.pop("confirm") == "yes"
    assert browser.submit("/mode", {**form.fields, "why": "now"}).status == 409
    assert browser.submit("/mode", {**form.fields, "why": "now", "confirm": "yes"}).status == 303


def test_a_decision_is_marked_and_the_mark_is_shown(house):
    browser = house.browser()
    page = Page(browser.get("/decisions").text)
    form = page.form("/mark")
    answer = browser.submit("/mark", {**form.fields, "opinion": "wrong", "why": "it was us"})
    assert answer.status == 303
    assert house.store.marks() == {int(form.fields["seq"]): False}
    assert "marked wrong" in browser.get("/decisions").text


def test_decisions_are_filtered(house):
    browser = house.browser()
    assert "suspended" in Page(browser.get(f"/decisions?model={MODEL}&route=beta&kind=suspended").text).text
    for query in ("route=alpha", "kind=lifted"):
        assert "Nothing was decided." in browser.get(f"/decisions?{query}").text


def test_a_form_without_the_sessions_token_changes_nothing(house):
    browser, before = house.browser(), log(house)
    fields = looked(browser, name="alpha", why="x").form("/exclude").fields
    assert browser.submit("/exclude", {**fields, "csrf": "forged"}).status == 403
    assert log(house) == before


def test_the_merged_list_stands_there_as_the_gateway_gets_it(house):
    page = Page(house.browser().get("/exclusions").text)
    (shown,) = page.named("pre")
    assert '"ignore": [\n      "beta"\n    ]' in shown.text
