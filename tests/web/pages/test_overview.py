"""The overview: what is out, why, since when and until when, what is left; and what is new."""

from __future__ import annotations

import pytest

from offices import House
from serinus.core.exclusions import Layer
from serinus.core.explain import moment
from serinus.core.policy import Exclude
from serinus.service.operators import act
from web_page import Page
from world import MODEL

BAD = ((), ("beta",), ("beta",))


@pytest.fixture
def house(tmp_path):
    return House(tmp_path, BAD)


def first(page):
    return page.named("h1")[0].text


def test_the_first_line_says_what_is_out_and_the_second_what_is_left(house):
    page = Page(house.browser().get("/").text)
    assert first(page) == "1 route of 1 model is out of production."
    assert "3 providers are left in production; the floor of 2 holds." in page.text


def test_a_route_that_is_out_shows_why_since_when_and_until_when(house):
    page = Page(house.browser().get("/").text)
    card = next(e for e in page.named("li") if e.attributes.get("class", "").startswith("card"))
    suspension = house.desk.state.model(MODEL).route("beta").real.suspension
    for told in (
        "beta",
        "broke its promise",
        moment(suspension.since),
        moment(suspension.until),
        "(level 1)",
    ):
        assert told in card.text


def test_where_nothing_is_out_it_says_so(tmp_path):
    page = Page(House(tmp_path).browser().get("/").text)
    assert first(page) == "Nothing is out of production."


def test_in_observe_mode_it_says_what_would_be_out(tmp_path):
    page = Page(House(tmp_path, BAD, mode="observe").browser().get("/").text)
    assert "Nothing is out. 1 route of 1 model would be" in first(page)
    assert "would be suspended until" in page.text


def test_what_the_floor_holds_back_is_told_apart(tmp_path):
    bad = ((), ("beta", "gamma"), ("beta", "gamma"), *[("beta", "gamma", "delta/fp8")] * 2)
    page = Page(House(tmp_path, bad).browser().get("/").text)
    assert "held at the floor" in page.text


def test_an_old_round_is_said_to_be_old(house):
    house.clock.later(hours=3)
    assert "what is shown is old" in Page(house.browser().get("/").text).text


def test_a_bar_says_in_words_what_its_ticks_show(house):
    page = Page(house.browser().get("/").text)
    labels = [e.attributes.get("aria-label", "") for e in page.named("svg")]
    assert any("1 kept, 2 broken" in label for label in labels)


def test_on_the_first_look_the_last_day_is_told_and_then_only_what_is_new(house):
    browser = house.browser()
    assert "The last 24 hours" in browser.get("/").text
    house.clock.later(hours=1)
    assert "Since you last looked" not in browser.get("/").text
    house.operated.at = house.clock()
    house.operated.round()
    house.operated.round()
    house.clock.later(hours=1)
    page = Page(browser.get("/").text)
    assert "Since you last looked" in page.text
    assert "restored" in page.text


def test_news_stay_while_a_visit_lasts_and_go_when_they_were_seen(house):
    browser = house.browser()
    browser.cookies["serinus_seen"] = "0.0.0"
    for _ in range(2):
        page = Page(browser.get("/").text)
        assert "Since you last looked" in page.text
        house.clock.later(minutes=10)
    form = page.form("/seen")
    assert browser.submit("/seen", form.fields).status == 303
    assert "Since you last looked" not in browser.get("/").text


@pytest.mark.parametrize("cookie", ["x", "1.2", "-1.2.3", "9" * 40 + ".1.1", "1.1.99999999999"])
def test_a_cookie_that_says_nothing_is_a_first_look(house, cookie):
    browser = house.browser()
    browser.cookies["serinus_seen"] = cookie
    assert browser.get("/").status == 200


def test_the_page_of_a_model_shows_every_route(house):
    page = Page(house.browser().get(f"/model?id={MODEL}").text)
    assert all(tag in page.text for tag in ("alpha", "beta", "gamma", "delta/fp8"))


def test_before_the_first_round_nothing_alarms_while_one_is_under_way(tmp_path):
    house = House(tmp_path, ())
    house.store.claim()
    page = Page(house.browser().get("/").text)
    assert first(page) == "No round was held yet."
    assert "The first one is under way" in page.text
    assert "below the floor" not in page.text
    assert not [e for e in page.named("div") if "note" in e.attributes.get("class", "")]


def test_before_the_first_round_it_says_what_to_start_where_nothing_holds_rounds(tmp_path):
    assert "start `serinus run`" in Page(House(tmp_path, ()).browser().get("/").text).text


def test_it_says_who_holds_rounds(house):
    assert "rounds are held by process" in Page(house.browser().get("/").text).text


def test_when_the_canary_fell_silent_the_first_line_says_so_and_not_that_all_is_well(tmp_path):
    house = House(tmp_path)
    house.clock.later(hours=26)
    page = Page(house.browser().get("/").text)
    assert first(page).startswith("No round for 26 hours") or first(page).startswith("No round for 1 day")
    assert "At that time: Nothing is out of production." in page.text


def test_where_every_route_is_out_it_says_that_suspensions_are_left_out_and_offers_the_way_back(house):
    for tag in ("alpha", "gamma", "delta/fp8"):
        event = Exclude(house.clock(), Layer.OPERATIONAL, tag, MODEL, "bo", "billing")
        act(house.memory, house.desk.policy, event)
    house.clock.later(minutes=1)
    page = Page(house.browser().get("/").text)
    assert "it gets traffic nevertheless" in page.text
    assert f"Below the floor of 2 providers: {MODEL} (0 left)." in page.text
    assert len([link for link in page.links() if link.startswith("/include?")]) == 3
