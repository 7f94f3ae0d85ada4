"""The pages in a real browser: accessible, safe, working without JavaScript, live with it."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest

from browser.conftest import apart, serving
from offices import House
from web.pages.hostile_store import TAGS, write
from world import MODEL

pytestmark = pytest.mark.browser

PATHS = (
    "/",
    f"/model?id={MODEL}",
    f"/route?model={MODEL}&tag=beta",
    "/decisions",
    "/exclusions",
    "/exclude?name=alpha&look=1&why=x",
    f"/lift?model={MODEL}&tag=beta",
    "/observe",
    f"/mode?model={MODEL}",
    "/plan",
)
PHONE = {"viewport": {"width": 360, "height": 740}}
WIDE = {"viewport": {"width": 1920, "height": 1080}}


def serious(tab, axe):
    tab.evaluate(axe)
    found = tab.evaluate("axe.run({resultTypes: ['violations']})")
    return [
        (v["id"], [n["html"][:120] for n in v["nodes"]][:3])
        for v in found["violations"]
        if v["impact"] in {"serious", "critical"}
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(visit, axe, scheme):
    tab = visit("/", color_scheme=scheme, bypass_csp=True)
    for path in PATHS:
        tab.goto(path)
        assert serious(tab, axe) == [], path


def test_the_login_is_accessible_too(chromium, served, axe):
    served.house.operator()
    context = chromium.new_context(base_url=served.base, bypass_csp=True)
    tab = context.new_page()
    tab.goto("/")
    assert serious(tab, axe) == []
    context.close()


@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
def test_nothing_is_wider_than_the_screen(visit, size):
    tab = visit("/", **size)
    for path in PATHS:
        tab.goto(path)
        assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_a_round_shows_on_an_open_page_by_itself(visit, served):
    tab = visit("/")
    tab.wait_for_selector(".live[data-state=on]")
    assert "1 route of 1 model is out" in tab.inner_text("h1")
    served.round()
    served.round()
    tab.locator("h1", has_text="Nothing is out").wait_for(timeout=15_000)


def test_a_page_in_which_somebody_writes_is_left_alone(visit, served):
    tab = visit("/decisions")
    tab.wait_for_selector(".live[data-state=on]")
    tab.fill("#route", "half a wo")
    served.round()
    tab.wait_for_selector(".live[data-state=news]", timeout=15_000)
    assert tab.input_value("#route") == "half a wo"


def test_what_was_opened_stays_open_through_an_update(visit, served):
    tab = visit("/decisions")
    tab.wait_for_selector(".live[data-state=on]")
    tab.click("details summary")
    served.round("alpha")
    served.round("alpha")
    tab.locator(".news > li").nth(1).wait_for(timeout=15_000)
    assert tab.locator("details[open]").count() == 1


def test_a_lost_connection_is_said(chromium, tmp_path):
    house = apart(lambda: House(tmp_path, ((), ("beta",), ("beta",))))
    open_house = serving(house)
    served = next(open_house)
    context = chromium.new_context(base_url=served.base)
    tab = context.new_page()
    tab.goto("/")
    tab.wait_for_selector(".live[data-state=on]")
    next(open_house, None)
    tab.wait_for_selector(".live[data-state=lost]", timeout=15_000)
    assert "Connection lost: this is as of" in tab.inner_text("#live")
    context.close()


def test_evidence_opens_in_its_place(visit):
    tab = visit(f"/route?model={MODEL}&tag=beta")
    tab.click("details.find > summary")
    tab.wait_for_selector("details.find .ev .box")


def test_the_chart_is_drawn_and_the_picture_hidden(visit):
    tab = visit(f"/route?model={MODEL}&tag=alpha")
    has_points = tab.evaluate("JSON.parse(document.querySelector('figure').dataset.points).length > 1")
    assert tab.locator(".plot canvas").count() == int(has_points)


def test_without_javascript_an_operator_sees_and_acts(visit, served):
    tab = visit("/exclude?name=alpha&model=" + MODEL, java_script_enabled=False)
    tab.fill("#why", "slow since this morning")
    tab.click("text=See what it does")
    assert "from 3 to 2 providers" in tab.inner_text("main")
    tab.click("text=Exclude it")
    assert "Done: anna excluded alpha" in tab.inner_text("main")
    tab.click("text=Take back …")
    tab.fill("#why", "well again")
    tab.click("text=Take it back")
    assert "took back the operational exclusion of alpha" in tab.inner_text("main")
    tab.goto(f"/route?model={MODEL}&tag=beta")
    assert "No answer was timed." in tab.inner_text("figure")
    tab.click("text=Lift …")
    tab.fill("#why", "checked")
    tab.click("button:has-text('Lift it')")
    assert "Lifted by anna" in tab.inner_text("main")
    assert not served.house.desk.state.model(MODEL).suspensions()


def test_the_keyboard_reaches_what_there_is(visit):
    tab = visit("/")
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.className") == "skip"
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.id") == "main"
    reached = set()
    for _ in range(60):
        tab.keyboard.press("Tab")
        reached.add(tab.evaluate("document.activeElement.textContent.trim().slice(0, 30)"))
    assert {"Why, and the evidence", "Lift …"} <= reached


def test_the_theme_is_switched_by_a_link(visit):
    tab = visit("/", color_scheme="light")
    tab.wait_for_selector(".live")
    light = tab.evaluate("getComputedStyle(document.body.parentElement).backgroundColor")
    tab.click("a:text-is('Dark')")
    tab.wait_for_selector("html[data-theme=dark] .live")
    assert tab.evaluate("getComputedStyle(document.body.parentElement).backgroundColor") != light


def test_nothing_moves_where_no_motion_is_wanted(visit):
    tab = visit("/", reduced_motion="reduce")
    assert tab.evaluate("document.getAnimations().length") == 0


def test_hostile_hosts_change_nothing_in_a_real_browser(chromium, tmp_path):
    house = apart(lambda: House(tmp_path, ()))
    write(house.store, house.desk.policy, 'acme/<b onclick="x">\u202e', house.clock())
    open_house = serving(house)
    served = next(open_house)
    context = chromium.new_context(base_url=served.base)
    tab = context.new_page()
    asked, ran = [], []
    tab.on("dialog", lambda d: ran.append(d.message))
    tab.on("request", lambda r: asked.append(r.url))
    for path in (
        "/",
        "/decisions",
        "/exclusions",
        "/model?" + urlencode({"id": 'acme/<b onclick="x">\u202e'}),
    ):
        tab.goto(path)
        assert tab.locator("main img, main script, main [onerror]").count() == 0
    for tag in TAGS[:7]:
        tab.goto("/route?" + urlencode({"model": 'acme/<b onclick="x">\u202e', "tag": tag}))
        tab.wait_for_load_state()
        assert "Where it stands" in tab.inner_text("main")
    assert ran == []
    assert {re.match(r"https?://[^/]+", url)[0] for url in asked} == {served.base}
    context.close()
    next(open_house, None)


def test_only_our_own_server_is_asked(visit, served):
    tab = visit("/")
    asked = []
    tab.on("request", lambda r: asked.append(r.url))
    for path in PATHS:
        tab.goto(path)
    assert all(url.startswith(served.base) for url in asked)
