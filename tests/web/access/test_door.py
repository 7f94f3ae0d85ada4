"""The door: right host, right origin, forms of our own pages, bodies of a size."""

from __future__ import annotations

import asyncio

import pytest

from offices import ANNA, PASSWORD, House, bearing
from serinus.web.access import COOKIE
from serinus.web.headers import SAFE_HEADERS
from serinus.web.site import Site, host_name, is_loopback
from serinus.web.sizes import MOST


@pytest.fixture
def house(tmp_path):
    return House(tmp_path)


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """One for many claims that change nothing."""
    return House(tmp_path_factory.mktemp("shared"))


def csrf_of(house, browser):
    from serinus.service.access.keys import digest_of  # noqa: PLC0415  one place needs it

    return house.store.access.session(digest_of(browser.cookies[COOKIE])).csrf


@pytest.mark.parametrize("host", ["127.0.0.1:7717", "localhost", "LOCALHOST:1", "[::1]:7717", "127.0.0.1"])
def test_a_loopback_name_is_taken(shared, host):
    assert shared.visitor(host=host).get("/v1/models").status == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:7717", "", "[::1", "10.0.0.1", "a@b"],
)
def test_a_page_that_made_its_name_point_here_reads_nothing(shared, host):
    refused = shared.visitor(host=host).get("/v1/models")
    assert (refused.status, refused.json["type"]) == (421, "urn:serinus:host")


def test_who_listens_elsewhere_takes_any_name_once_everybody_needs_a_credential(tmp_path):
    house = House(tmp_path, site=Site(host="0.0.0.0"))  # noqa: S104  nothing listens in a test
    assert house.visitor(host="canary.example").get("/v1/models").status == 421
    house.operator()
    assert house.visitor(host="canary.example").get("/v1/models").status == 401


def test_named_hosts_are_taken_and_no_others(tmp_path):
    house = House(tmp_path, site=Site(host="10.0.0.1", names=frozenset({"canary.example"})))
    house.operator()
    assert house.visitor(host="canary.example:443").get("/v1/models").status == 401
    assert house.visitor(host="10.0.0.1").get("/v1/models").status == 421


@pytest.mark.parametrize(
    ("header", "name"), [("A.B:1", "a.b"), ("[::1]:80", "::1"), (" x ", "x"), ("", ""), ("[::1", "")]
)
def test_the_name_of_a_host_header(header, name):
    assert host_name(header) == name


@pytest.mark.parametrize(("host", "only_here"), [("127.0.0.9", True), ("::1", True), ("0.0.0.0", False)])  # noqa: S104
def test_what_only_this_machine_reaches(host, only_here):
    assert is_loopback(host) is only_here


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
    ],
)
def test_a_page_of_another_site_changes_nothing(house, headers):
    browser = house.browser()
    refused = browser.submit("/logout", {"csrf": csrf_of(house, browser)}, **headers)
    assert (refused.status, refused.json["type"]) == (403, "urn:serinus:origin")
    assert browser.get("/v1/models").status == 200


def test_a_page_of_another_site_logs_nobody_in(house):
    house.operator()
    form = {"name": ANNA, "password": PASSWORD}
    assert house.visitor().submit("/login", form, origin="https://evil.example").status == 403


def test_our_own_page_may(house):
    browser = house.browser()
    form = {"csrf": csrf_of(house, browser)}
    assert (
        browser.submit("/logout", form, origin="http://127.0.0.1:7717", sec_fetch_site="same-origin").status
        == 303
    )


@pytest.mark.parametrize("given", [None, "", "wrong", "ü"])
def test_a_browser_changes_nothing_without_the_token_of_its_session(house, given):
    browser = house.browser()
    body = {"seq": 1, "opinion": "right", "why": "x"}
    headers = {} if given is None else {"x_csrf_token": given.encode().decode("latin-1")}
    refused = browser.post("/v1/marks", body, **headers)
    assert (refused.status, refused.json["type"]) == (403, "urn:serinus:csrf")
    field = {} if given is None else {"csrf": given}
    assert browser.submit("/logout", field).status == 403


def test_another_sessions_token_does_not_count(house):
    one, other = house.browser(), house.browser()
    refused = one.post("/v1/marks", {}, x_csrf_token=csrf_of(house, other))
    assert refused.json["type"] == "urn:serinus:csrf"


def test_a_browser_that_sends_its_token_may_use_the_api(house):
    browser = house.browser()
    done = browser.post(
        "/v1/marks", {"seq": 99, "opinion": "right", "why": "x"}, x_csrf_token=csrf_of(house, browser)
    )
    assert done.status == 404


def test_a_body_is_read_only_up_to_a_size(house):
    program = house.program()
    refused = program.post("/v1/lift", {"why": "x" * MOST})
    assert refused.status == 413
    assert program.post("/v1/lift", {"why": "x" * (MOST // 2)}).status == 422
    assert program.post("/v1/lift", {}, content_length="12e9").status == 413
    assert program.post("/v1/lift", {}, content_length="9" * 5000).status == 413


def test_a_body_of_no_said_size_is_read_only_up_to_that_size(house):
    program = house.program()
    sent = {"authorization": program.headers["authorization"], "content-type": "application/json"}
    big = program.ask("POST", "/v1/lift", b'{"why":"' + b"x" * MOST, {**sent, "content-length": "10"})
    assert asyncio.run(big).status == 413


@pytest.mark.parametrize("path", ["/v1/models", "/v1/nothing", "/login", "/health", "/v1/decisions?limit=x"])
def test_every_response_is_safe_to_show(shared, path):
    headers = shared.visitor().get(path).headers
    assert {name.lower() for name in SAFE_HEADERS} <= set(headers)
    assert "default-src 'self'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]


def test_a_token_is_no_csrf_risk_and_needs_no_csrf_token(house):
    program = bearing(house.visitor(), house.token())
    assert program.post("/v1/marks", {"seq": 99, "opinion": "right", "why": "x"}).status == 404
