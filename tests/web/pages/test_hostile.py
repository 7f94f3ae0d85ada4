"""Whatever hosts and gateways send is shown and never obeyed, on every page (R24, R25)."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest

from offices import House
from serinus.core.exclusions import Layer
from serinus.core.policy import Exclude
from serinus.service.ledger import Served
from serinus.service.operators import act
from web.pages.hostile_store import ARABIC, ATTACK, HINDI, SCRIPT, TAGS, write
from web.pages.kept_comparison import keep
from web.pages.test_every_page import walk
from web_page import Page

MODEL = 'acme/<b onclick="x">\u202e'
UNSAFE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f\u200b\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff\ud800-\udfff]"
)


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    house = House(tmp_path_factory.mktemp("hostile"), ())
    write(house.store, house.desk.policy, MODEL, house.clock())
    event = Exclude(house.clock(), Layer.OPERATIONAL, TAGS[3], MODEL, SCRIPT, ATTACK)
    act(house.memory, house.desk.policy, event)
    keep(house.store, MODEL, house.clock(), TAGS[:-1], text=ATTACK.replace("\ud800", ""))
    told = [
        Served(house.clock(), MODEL, "done", tag=t, provider=ATTACK[:40], generation="gen-1")
        for t in TAGS[:2]
    ]
    house.store.ledger.keep(told)
    house.clock.later(minutes=1)
    return house


@pytest.fixture(scope="module")
def pages(house):
    browser = house.browser()
    fields = Page(browser.get("/reports").text).form("/reports").fields
    assert browser.submit("/reports", {**fields, "model": MODEL, "at": "1m ago"}).status == 303
    return walk(browser)


def test_every_page_stays_whole_and_holds_no_character_that_acts(pages):
    assert len(pages) > 30
    for address, page in pages.items():
        assert not UNSAFE.search(page.source), (address, UNSAFE.search(page.source))
        assert not [e for e in page.elements if e.tag in {"b", "iframe", "object"}], address


def test_what_was_sent_is_there_to_be_seen(pages):
    everything = "".join(page.text for page in pages.values())
    for shown in ("<script>alert(1)</script>", "\\x1b", "\\u202e", "{{ 7*7 }}", "\\ud800"):
        assert shown in everything
    assert "49" not in Page(pages["/"].source).text.split("USD")[0].split("routes")[0]


def test_a_route_of_any_name_has_its_page(house):
    browser = house.browser()
    for tag in TAGS[:-1]:  # the store itself writes what the last one holds as escapes
        page = Page(browser.get(f"/route?{urlencode({'model': MODEL, 'tag': tag})}").text)
        assert "Where it stands" in page.text


def test_a_line_of_a_megabyte_does_not_make_a_page_of_one(pages):
    assert max(len(page.source) for page in pages.values()) < 300_000
    assert any("characters more" in page.text for page in pages.values())


def test_the_place_that_a_verdict_rests_on_is_marked(pages):
    marked = [e.text for page in pages.values() for e in page.named("mark")]
    assert "<script>" in marked


def test_right_to_left_and_joined_scripts_are_shown_as_written(pages):
    answers = [
        e for page in pages.values() for e in page.named("div") if "answer" in e.attributes.get("class", "")
    ]
    assert answers
    assert all(e.attributes["dir"] == "auto" for e in answers)
    assert any(ARABIC in e.text and HINDI in e.text for e in answers)


def test_a_hostile_answer_to_a_form_is_told_inertly(house):
    answer = house.browser().get(
        f"/exclude?{urlencode({'look': 1, 'name': ATTACK[:300], 'why': SCRIPT}, errors='replace')}"
    )
    assert answer.status == 422
    assert not UNSAFE.search(Page(answer.text).source)
