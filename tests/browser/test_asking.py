"""The pages that ask hosts, and their kin, in a real browser: accessible, live, and without JavaScript."""

from __future__ import annotations

import pytest

from browser.conftest import apart
from browser.test_pages import PHONE, serious
from serinus.service.ledger import Served
from web.pages.kept_comparison import NAME, keep
from world import MODEL

pytestmark = pytest.mark.browser

TAGS = ("alpha", "beta", "gamma", "delta/fp8")
PATHS = (
    "/reports",
    "/reports/1",
    "/compare",
    f"/comparisons/{NAME}",
    f"/probe?model={MODEL}&tag=beta",
    "/traffic",
    f"/route?model={MODEL}&tag=beta",
    "/operators",
    "/password",
)


@pytest.fixture
def filled(served):
    """A house with a comparison, traffic, and a report that is filed."""
    house = served.house

    def fill():
        at = house.clock()
        keep(house.store, MODEL, at, TAGS)
        house.store.ledger.keep([Served(at, MODEL, "done", tag="beta", status=200, generation="gen-1")])
        house.clock.later(minutes=1)
        browser = house.browser()
        csrf = browser.get("/reports").text.split('name="csrf" value="')[1].split('"')[0]
        assert browser.submit("/reports", {"csrf": csrf, "generation": "gen-1"}).status == 303

    apart(fill)
    return served


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_them(visit, filled, axe, scheme):
    tab = visit("/", at=filled, color_scheme=scheme, bypass_csp=True)
    for path in PATHS:
        tab.goto(path)
        assert serious(tab, axe) == [], path


def test_no_page_is_wider_than_a_phone(visit, filled):
    tab = visit("/", at=filled, **PHONE)
    for path in PATHS:
        tab.goto(path)
        assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


@pytest.mark.parametrize("scripted", [True, False], ids=["live", "without JavaScript"])
def test_a_comparison_goes_from_its_price_to_its_verdict(visit, served, scripted):
    tab = visit("/compare", at=served, java_script_enabled=scripted)
    tab.check("input[value=beta]")
    tab.select_option("#contract", "language")
    tab.fill("#answers", "2")
    tab.click("text=See what it costs")
    assert "8 requests" in tab.inner_text("main")
    tab.click("main form button.go")
    tab.wait_for_url("**/comparisons/*")
    for _ in range(60):
        if scripted or tab.query_selector("#routes"):
            break
        tab.click("text=Look again")
    tab.wait_for_selector("#routes")


def test_a_probe_shows_its_answers_by_itself(visit, served):
    tab = visit(f"/probe?model={MODEL}&tag=beta&look=1&contract=language", at=served)
    tab.click("main form button.go")
    tab.wait_for_selector("text=What it answered")
    assert "feeds nothing" in tab.inner_text("main")
