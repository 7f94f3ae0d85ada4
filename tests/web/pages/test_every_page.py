"""Every page that can be reached by a link: whole, accessible in its bones, without inline code."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from offices import House
from serinus.core.exclusions import Layer
from serinus.core.policy import Exclude
from serinus.service.operators import act
from web_page import Page
from world import MODEL

BAD = ((), ("beta",), ("beta",))
NOT_PAGES = ("/static/", "/v1/", "/theme/", "/live", "/download/")


def walk(client, start="/"):
    """Every page of ours that a link leads to, by its address."""
    found, waiting = {}, [start]
    while waiting:
        address = waiting.pop()
        if address in found:
            continue
        answer = client.get(address)
        assert answer.status == 200, (address, answer.text[:300])
        found[address] = page = Page(answer.text)
        for link in page.links():
            plain = urlsplit(link)._replace(fragment="").geturl()
            assert plain.startswith("/") or link.startswith("#"), link
            if plain and not plain.startswith(NOT_PAGES):
                waiting.append(plain)
        assert len(found) < 200
    return found


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    house = House(tmp_path_factory.mktemp("house"), BAD)
    event = Exclude(house.clock(), Layer.OPERATIONAL, "gamma", MODEL, "bo", "slow, says <b>support</b>")
    act(house.memory, house.desk.policy, event)
    return house


@pytest.fixture(scope="module")
def pages(house):
    return walk(house.browser())


def test_each_page_is_whole_and_none_leads_nowhere(pages):
    paths = {urlsplit(address).path for address in pages}
    assert paths >= {
        "/", "/model", "/route", "/evidence", "/decisions", "/exclusions", "/exclude", "/include", "/lift",
        "/observe", "/mode", "/plan", "/reports", "/compare",
    }  # fmt: skip


def test_each_form_that_changes_something_carries_the_sessions_token(pages):
    sent = [form for page in pages.values() for form in page.forms if form.method == "post"]
    assert sent
    assert all(len(form.fields["csrf"]) > 20 for form in sent)


def test_each_page_says_where_it_is_and_skips_to_what_it_shows(pages):
    for page in pages.values():
        assert next(a.attributes["href"] for a in page.named("a")) == "#main"
        assert sum("aria-current" in e.attributes for e in page.named("a")) == 1


def test_no_page_names_another_host(pages):
    for page in pages.values():
        for element in page.elements:
            for name in ("href", "src", "action"):
                assert "//" not in element.attributes.get(name, "")


def test_whoever_may_only_read_is_offered_no_act(house):
    from serinus.service.access import Scope  # noqa: PLC0415  one place needs it

    house.operator("eve", {Scope.READ})
    seen = walk(house.browser("eve"))
    acts = {"/exclude", "/include", "/lift", "/mode", "/mark", "/probe", "/operators"}
    assert not acts & {urlsplit(address).path for address in seen}
    forms = {form.action for page in seen.values() for form in page.forms if form.method == "post"}
    assert forms <= {"/logout", "/seen", "/password"}


def test_before_there_is_an_operator_reading_is_open_and_nothing_is_offered(tmp_path):
    page = Page(House(tmp_path, BAD).visitor().get("/").text)
    assert not [f for f in page.forms if f.action != "/seen"]
    assert "Log out" not in page.text


def test_a_problem_is_told_on_a_page_to_people_and_as_json_to_programs(house):
    browser = house.browser()
    told = browser.get("/route?model=acme/story-70b&tag=nobody", accept="text/html")
    assert told.status == 404
    assert "has no route" in Page(told.text).text
    assert browser.get("/nowhere", accept="text/html").status == 404
    assert browser.get("/route?model=acme/story-70b&tag=nobody").json["status"] == 404


def test_the_empty_store_has_its_pages_too(tmp_path):
    house = House(tmp_path, ())
    found = walk(house.browser())
    assert "No round was held yet" in found["/"].text


def test_a_base_path_stands_before_every_address(tmp_path):
    from serinus.web.site import Site  # noqa: PLC0415  one place needs it

    house = House(tmp_path, BAD, site=Site(base_path="/canary"))
    page = Page(house.visitor().get("/").text.replace('src="/canary/static/', 'src="/static/'))
    assert all(link.startswith(("/canary/", "#")) for link in page.links())
