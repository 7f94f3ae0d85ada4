"""Comparisons from a browser: priced before they are begun, watched, stopped, read, sent on."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from urllib.parse import urlencode

import pytest

from asgi import started
from offices import House
from serinus.service.access import Scope
from serinus.service.comparisons import ComparisonState
from serinus.web.app import make_app
from serinus.web.laboratory import Laboratory
from serinus.web.pages.comparison import progress
from web.pages.kept_comparison import NAME, keep
from web_page import Page
from world import MODEL

TAGS = ("alpha", "beta", "gamma", "delta/fp8")
FORM = {"content-type": "application/x-www-form-urlencoded"}


@pytest.fixture
def house(tmp_path):
    return House(tmp_path, ((), ("beta",)))


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """A house with a comparison that was held."""
    house = House(tmp_path_factory.mktemp("shown"), ((), ("beta",)))
    keep(house.store, MODEL, house.clock(), TAGS)
    return house


async def sent(browser, path, fields):
    return await browser.ask("POST", path, urlencode(fields, doseq=True).encode(), FORM)


def fields_of(browser, **more):
    form = Page(browser.get(f"/compare?{urlencode({'model': MODEL, 'route': 'beta'})}").text)
    return {
        **form.form("/compare/look").fields,
        "contract": "language",
        "answers": "3",
        "route": "beta",
        **more,
    }


def test_what_it_asks_and_costs_is_said_before_it_is_begun(house):
    browser = house.browser()
    look = browser.submit("/compare/look", fields_of(browser))
    page = Page(look.text)
    assert "12 requests" in page.text
    assert "asked aboutbeta, 3 answers each" in page.text
    assert page.form("/compare").fields["route"] == "beta"
    assert not house.store.comparisons.latest()


def test_it_is_begun_by_the_form_that_showed_its_price_and_ends_with_a_verdict(house):
    browser = house.browser()
    form = Page(browser.submit("/compare/look", fields_of(browser)).text).form("/compare")

    async def story():
        async with started(house.app):
            answer = await sent(browser, "/compare", form.fields)
            assert answer.status == 303
            name = answer.headers["location"].rpartition("/")[2]
            events = progress(house.office, name, 0)
            async with asyncio.timeout(30):
                while house.office.laboratory.running is not None:
                    assert await anext(events)
            await events.aclose()
            return name

    name = asyncio.run(story())
    page = Page(browser.get(f"/comparisons/{name}").text)
    assert "Each route against its peers" in page.text
    assert house.store.comparisons.get(name).by == "anna"


def test_while_it_runs_its_page_counts_and_may_be_stopped(house):
    keep(house.store, MODEL, house.clock(), TAGS, name="runs", state=ComparisonState.RUNNING)
    browser = house.browser()
    page = Page(browser.get("/comparisons/runs").text)
    assert "It runs: 80 of 80 requests" in page.text
    assert "Look again" in page.text
    assert not [f for f in page.forms if f.action.endswith("/stop")]  # another process holds it
    assert browser.submit("/comparisons/runs/stop", page.form("/logout").fields).status == 409


def test_the_verdict_stands_in_a_sentence_over_a_table_of_counts_intervals_and_tests(shown):
    page = Page(shown.browser().get(f"/comparisons/{NAME}").text)
    assert "The fault follows the endpoint alpha: 19/20 here, 0/60 on 3 others" in page.text
    (blamed,) = [e for e in page.named("tr") if e.attributes.get("class") == "trouble"]
    assert "the fault follows it" in blamed.text
    assert "75 to 100 %" in blamed.text
    assert "0/60" in blamed.text
    assert [e for e in page.named("tr") if "author's own" in e.text]
    pictures = [e for e in page.named("svg") if "interval" in e.attributes.get("class", "")]
    assert len(pictures) == len(TAGS) + 2 + 2  # a row each, a class each, two heads


def test_it_can_be_sent_on_as_markdown_as_json_and_as_a_pack(shown):
    browser = shown.browser()
    assert "The fault follows the endpoint alpha" in browser.get(f"/download/{NAME}.md").text
    assert json.loads(browser.get(f"/download/{NAME}.json").text)["verdict"]["kind"] == "endpoint"
    pack = browser.get(f"/download/{NAME}.zip")
    assert pack.headers["content-disposition"] == f'attachment; filename="{NAME}.zip"'
    names = zipfile.ZipFile(io.BytesIO(pack.body)).namelist()
    assert f"{NAME}/README.md" in names
    assert f"{NAME}/results.json" in names
    assert browser.get("/download/none.md").status == 404
    assert browser.get(f"/download/{NAME}.exe").status == 422


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"contract": "wit"}, "those that can judge a comparison are"),
        ({"contract": ""}, "those that can judge a comparison are"),
        ({"answers": "many"}, "allowed is a whole number"),
        ({"answers": "9999"}, "allowed are 1 to 500"),
        ({"budget": "-1"}, "allowed are US dollars"),
        ({"budget": "nan"}, "allowed are US dollars"),
        ({"language": "xx"}, "known are"),
        ({"route": "nobody"}, "does not serve"),
    ],
)
def test_what_cannot_be_compared_is_told_in_the_form(house, fields, said):
    browser = house.browser()
    answer = browser.submit("/compare/look", fields_of(browser, **fields))
    assert answer.status in {409, 422}
    page = Page(answer.text)
    assert said in page.text
    assert "Nothing was asked" in page.text


def test_without_the_scope_nothing_is_offered_and_nothing_is_done(house):
    house.operator("eve", {Scope.READ, Scope.REPORT})
    browser = house.browser("eve")
    page = Page(browser.get("/compare").text)
    assert "you need the scope probe" in page.text
    csrf = page.form("/logout").fields
    for path in ("/compare/look", "/compare", "/comparisons/x/stop", "/probe"):
        assert (
            browser.submit(path, {**csrf, "model": MODEL, "tag": "beta", "contract": "language"}).status
            == 403
        )
    assert browser.get(f"/probe?model={MODEL}&tag=beta").status == 403


def test_a_form_without_the_sessions_token_begins_nothing(house):
    browser = house.browser()
    assert browser.submit("/compare", {**fields_of(browser), "csrf": "forged"}).status == 403


def test_where_nothing_can_be_asked_the_form_gives_way_to_why(house):
    house.office = type(house.office)(
        house.desk, house.gate, house.changes, house.site, house.office.plans, laboratory=Laboratory()
    )
    house.app = make_app(house.office)
    browser = house.browser()
    for path in ("/compare", f"/probe?model={MODEL}&tag=beta"):
        page = Page(browser.get(path).text)
        assert "there is no key" in page.text
        assert not [f for f in page.forms if f.method == "post" and f.action != "/logout"]
    csrf = page.form("/logout").fields
    assert browser.submit("/compare/look", {**csrf, "model": MODEL, "contract": "language"}).status == 409
    assert browser.submit("/probe", {**csrf, "model": MODEL, "tag": "beta"}).status == 409
