"""Logging in, the set-up link, themes, what pages load, and the feed that tells them of news."""

from __future__ import annotations

import asyncio
import gzip

import pytest

from offices import ANNA, PASSWORD, House
from serinus.web.pages.feed import changes
from serinus.web.pages.statics import FOR_EVER
from web_page import Page

BAD = ((), ("beta",), ("beta",))


@pytest.fixture
def house(tmp_path):
    return House(tmp_path, BAD)


def test_whoever_logs_in_comes_to_where_they_wanted(house):
    house.operator()
    visitor = house.visitor()
    asked = visitor.get("/decisions?kind=lifted", accept="text/html")
    page = Page(visitor.get(asked.headers["location"]).text)
    fields = {**page.form("/login").fields, "name": ANNA, "password": PASSWORD}
    assert visitor.submit("/login", fields).headers["location"] == "/decisions?kind=lifted"


def test_a_form_whose_session_ended_is_opened_again_after_the_login(house):
    house.operator()
    visitor = house.visitor()
    form = "/exclude?name=beta&why=slow&look=1"
    sent = visitor.submit(
        "/exclude", {"name": "beta"}, accept="text/html", referer=f"https://127.0.0.1:7717{form}"
    )
    assert sent.status == 303
    page = Page(visitor.get(sent.headers["location"]).text)
    assert "nothing was changed" in page.text
    fields = {**page.form("/login").fields, "name": ANNA, "password": PASSWORD}
    assert visitor.submit("/login", fields).headers["location"] == form


def test_what_a_form_could_not_do_leads_back_to_the_form(house):
    form = "/exclude?name=beta&why=slow&look=1"
    for came_from, leads in ((form, form), ("//evil.example/", "/"), ("/a\\b", "/")):
        told = house.browser().submit(
            "/exclude",
            {"name": "beta", "csrf": "x"},
            accept="text/html",
            referer=f"https://127.0.0.1{came_from}",
        )
        assert told.status == 403
        assert leads in Page(told.text).links()
        assert not [link for link in Page(told.text).links() if "evil" in link]


def test_a_program_that_sends_without_a_credential_is_told_so(house):
    house.operator()
    assert house.visitor().submit("/exclude", {"name": "beta"}).status == 401


def test_a_wrong_password_is_told_in_the_form_and_kept_nowhere(house):
    house.operator()
    answer = house.visitor().submit("/login", {"name": ANNA, "password": "wrong wrong"})
    assert answer.status == 401
    page = Page(answer.text)
    assert "Name or password is wrong." in page.text
    assert "wrong wrong" not in answer.text
    assert page.form("/login").fields["name"] == ANNA


def test_too_many_tries_are_told_to_wait(house):
    house.operator()
    visitor = house.visitor()
    for _ in range(10):
        visitor.submit("/login", {"name": ANNA, "password": "wrong wrong"})
    answer = visitor.submit("/login", {"name": ANNA, "password": PASSWORD})
    assert (answer.status, "retry-after" in answer.headers) == (429, True)
    assert "Try again in" in Page(answer.text).text


def test_the_set_up_link_makes_the_first_operator_once(tmp_path):
    house = House(tmp_path, setup="code-of-the-link")
    visitor = house.visitor()
    page = Page(visitor.get("/setup?code=code-of-the-link").text)
    fields = {**page.form("/setup").fields, "name": "ada"}
    short = visitor.submit("/setup", {**fields, "password": "short"})
    assert (short.status, "12 to" in short.text) == (422, True)
    assert visitor.submit("/setup", {**fields, "password": PASSWORD}).status == 303
    assert house.visitor().get("/setup?code=code-of-the-link").status == 403
    assert "ada" in visitor.get("/").text


def test_a_theme_is_kept_in_the_browser_and_leads_back(house):
    browser = house.browser()
    answer = browser.get("/theme/dark?back=/decisions")
    assert (answer.status, answer.headers["location"]) == (303, "/decisions")
    assert 'data-theme="dark"' in browser.get("/").text
    browser.get("/theme/auto")
    assert "data-theme" not in browser.get("/").text
    assert browser.get("/theme/dark?back=https://evil.example/").headers["location"] == "/"
    assert browser.get("/theme/neon").status == 404


def test_what_pages_load_may_be_kept_for_ever_and_comes_packed(house):
    visitor = house.visitor()
    page = Page(visitor.get("/").text)
    links = [e.attributes["href"] for e in page.named("link")] + [
        e.attributes["src"] for e in page.named("script")
    ]
    for link in links:
        plain, packed = visitor.get(link), visitor.get(link, accept_encoding="gzip")
        assert (plain.status, plain.headers["cache-control"]) == (200, FOR_EVER)
        assert gzip.decompress(packed.body) == plain.body
        assert visitor.get(link, if_none_match=plain.headers["etag"]).status == 304
    assert visitor.get("/static/app.0123.css").status == 404
    assert visitor.get("/static/..%2fapp.py").status == 404


def test_a_page_comes_packed_where_that_is_taken(house):
    browser = house.browser()
    packed = browser.get("/", accept_encoding="gzip")
    assert b"<h1>" in gzip.decompress(packed.body)


def test_without_what_npm_fetches_the_page_says_so(house):
    from serinus.web.pages.paper import Paper  # noqa: PLC0415  one place needs it

    class Bare:
        def has(self, *_names):
            return False

        def address(self, name):
            return f"/static/{name}"

    paper = Paper(house.office, Bare())
    template = paper.environment.get_template("base.html")
    values = {"theme": None, "here": "/", "live": False, "now": house.clock(), "watched": 1, "known": False}
    assert "npm was missing" in template.render({**values, "caller": None, "csrf": None})


def test_the_feed_tells_an_open_page_that_the_log_grew(house):
    seen = house.look()

    async def first_change():
        async with asyncio.timeout(20), house.changes.watching():
            told = changes(house.office, seen)
            await anext(told)
            await asyncio.to_thread(house.operated.round)
            return await anext(told)

    change = asyncio.run(first_change())
    newest = house.look()
    assert newest > seen
    assert change == f"event: changed\nid: {newest}\ndata: {newest}\n\n"


def test_the_feed_ends_when_the_server_stops(house):
    async def all_of_it():
        async with asyncio.timeout(20), house.changes.watching():
            told = changes(house.office, house.look())
            await anext(told)
            house.changes.close()
            return [part async for part in told]

    assert asyncio.run(all_of_it()) in ([], [": still here\n\n"])
