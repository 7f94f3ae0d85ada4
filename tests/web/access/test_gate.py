"""Who is let in: by token, session, a trusted proxy's word, a set-up link."""

from __future__ import annotations

from datetime import timedelta
from ipaddress import ip_network

import pytest

from offices import ANNA, PASSWORD, House, bearing
from serinus.service.access import Scope
from serinus.web.access import COOKIE
from serinus.web.site import Site

PAGE = "text/html"


@pytest.fixture
def house(tmp_path):
    return House(tmp_path)


def test_before_there_is_an_operator_this_machine_may_read_and_not_act(house):
    visitor = house.visitor()
    assert visitor.get("/v1/models").status == 200
    refused = visitor.post("/v1/exclusions", {"route": "alpha", "why": "odd"})
    assert refused.status == 403
    assert "set-up link" in refused.json["detail"]
    assert "serinus operator add" in refused.json["detail"]


def test_from_the_first_operator_on_everybody_needs_a_credential(house):
    visitor = house.visitor()
    assert visitor.get("/v1/models").status == 200
    house.operator()
    refused = visitor.get("/v1/models")
    assert refused.status == 401
    assert refused.headers["www-authenticate"].startswith("Bearer")


def test_it_does_not_open_again_when_the_last_operator_leaves(house):
    house.operator()
    house.keeper.remove(ANNA)
    assert house.visitor().get("/v1/models").status == 401


def test_a_page_without_credential_leads_to_the_login_and_back(house):
    house.operator()
    sent = house.visitor().get("/reports?model=a%2Fb", accept=PAGE)
    assert sent.status == 303
    assert sent.headers["location"] == "/login?next=%2Freports%3Fmodel%3Da%252Fb"


def test_health_and_readiness_need_no_credential_and_tell_no_more(house):
    house.operator()
    assert house.visitor().get("/health").json == {"status": "ok"}
    assert house.visitor(host="10.1.2.3").get("/ready").json == {"status": "ok"}
    house.clock.later(hours=3)
    assert house.visitor().get("/ready").status == 503


def test_a_round_in_flight_is_not_unready_while_the_status_does_not_call_it_stale(house):
    (model,) = house.desk.standing().models
    house.clock.at = model.last.at + 2 * house.desk.interval + timedelta(minutes=1)
    assert not house.desk.standing().models[0].stale
    assert house.visitor().get("/ready").status == 200
    house.clock.later(minutes=3)
    assert house.desk.standing().models[0].stale
    assert house.visitor().get("/ready").status == 503


def test_a_token_lets_in_until_it_expires_is_revoked_or_its_operator_leaves(house):
    token = house.token(Scope.READ, until=house.clock.at.replace(year=2027))
    program = bearing(house.visitor(), token)
    assert program.get("/v1/models").status == 200
    house.clock.later(days=500)
    assert "expired" in program.get("/v1/models").json["detail"]
    program = house.program(Scope.READ)
    house.keeper.revoke(ANNA, "program")
    assert "revoked" in program.get("/v1/models").json["detail"]
    program = house.program(Scope.READ)
    house.keeper.remove(ANNA)
    assert program.get("/v1/models").status == 401


@pytest.mark.parametrize(
    "given", ["Bearer ", "Bearer x", "Bearer serinus_", "Basic YTpi", "serinus_abc", "Bearer serinus_é", ""]
)
def test_what_is_no_token_is_refused_with_a_challenge(house, given):
    house.operator()
    refused = house.visitor().get("/v1/models", authorization=given)
    assert (refused.status, "www-authenticate" in refused.headers) == (401, True)


def test_a_wrong_token_is_refused_even_while_reading_is_open(house):
    assert house.visitor().get("/v1/models", authorization="Bearer serinus_x").status == 401


def test_a_token_in_the_address_lets_nobody_in(house):
    token = house.token()
    assert house.visitor().get(f"/v1/models?token={token}&access_token={token}").status == 401


def test_a_token_loses_what_its_operator_lost(house):
    program = house.program(Scope.READ, Scope.ACT)
    house.keeper.change(ANNA, scopes={Scope.READ})
    assert program.get("/v1/models").status == 200
    assert program.post("/v1/marks", {"seq": 1, "opinion": "right", "why": "x"}).status == 403


def test_a_browser_logs_in_and_out(house):
    browser = house.browser()
    assert browser.get("/v1/models").status == 200
    csrf = house.store.access.session(session_digest(browser)).csrf
    assert browser.submit("/logout", {"csrf": csrf}).status == 303
    assert COOKIE not in browser.cookies
    assert browser.get("/v1/models").status == 401


def test_a_session_that_was_ended_elsewhere_lets_nobody_in(house):
    browser = house.browser()
    house.keeper.change(ANNA, password="quite another password")  # noqa: S106  of a test
    assert browser.get("/v1/models").status == 401


def test_a_session_runs_out(house):
    browser = house.browser()
    house.clock.later(hours=13)
    assert browser.get("/v1/models").status == 401


def test_the_cookie_is_for_the_server_alone_and_for_this_site_alone(house):
    house.operator()
    visitor = house.visitor()
    cookie = visitor.submit("/login", {"name": ANNA, "password": PASSWORD}).headers["set-cookie"]
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(cookie.split("; "))
    assert "Secure" not in cookie


def test_behind_a_trusted_proxy_by_https_the_cookie_is_secure(tmp_path):
    house = House(tmp_path, site=Site(proxies=(ip_network("127.0.0.1"),), base_path="/serinus"))
    house.operator()
    form = {"name": ANNA, "password": PASSWORD, "next": "/routes"}
    sent = house.visitor().submit("/login", form, x_forwarded_proto="https")
    assert {"Secure", "Path=/serinus"} <= set(sent.headers["set-cookie"].split("; "))
    assert sent.headers["location"] == "/serinus/routes"
    from_elsewhere = house.visitor(peer="10.0.0.9").submit("/login", form, x_forwarded_proto="https")
    assert "Secure" not in from_elsewhere.headers["set-cookie"]


@pytest.mark.parametrize(
    "wanted", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:x", "/a\r\nx: y", ""]
)
def test_a_login_leads_nowhere_but_here(house, wanted):
    house.operator()
    sent = house.visitor().submit("/login", {"name": ANNA, "password": PASSWORD, "next": wanted})
    assert sent.headers["location"] == "/"


def test_the_set_up_link_makes_the_first_operator_once(tmp_path):
    house = House(tmp_path, setup="the-code")
    visitor = house.visitor()
    assert visitor.get("/setup?code=other").status == 403
    assert visitor.get("/setup?code=the-code").status == 200
    form = {"code": "the-code", "name": ANNA, "password": "short"}
    assert visitor.submit("/setup", form).status == 422
    assert visitor.submit("/setup", {**form, "password": PASSWORD}).status == 303
    assert visitor.get("/v1/models").status == 200
    assert house.store.access.operator(ANNA).scopes == frozenset(Scope)
    again = house.visitor().submit("/setup", {**form, "name": "bert", "password": PASSWORD})
    assert again.status == 403
    assert house.store.access.operator("bert") is None


def test_without_a_set_up_code_no_code_opens(house):
    for code in ("", "None", "x"):
        assert house.visitor().get(f"/setup?code={code}").status == 403


def proxied(tmp_path):
    site = Site(proxies=(ip_network("10.0.0.0/24"),), user_header="X-Remote-User", names=frozenset({"c.org"}))
    house = House(tmp_path, site=site)
    house.operator()
    house.operator("bert", {Scope.READ})
    return house


def test_a_trusted_proxy_says_who_asks(tmp_path):
    house = proxied(tmp_path)
    visitor = house.visitor(peer="10.0.0.7", host="c.org")
    assert visitor.get("/v1/models", x_remote_user=ANNA).status == 200
    assert "bert" in visitor.post("/v1/lift", {}, x_remote_user="bert").json["detail"]
    assert visitor.get("/v1/models").status == 401
    assert visitor.get("/v1/models", x_remote_user="").status == 401


def test_a_proxys_word_is_refused_from_anybody_else(tmp_path):
    house = proxied(tmp_path)
    for peer in ("127.0.0.1", "10.0.1.7", "::1", "", "10.0.0.7x"):
        refused = house.visitor(peer=peer, host="c.org").get("/v1/models", x_remote_user=ANNA)
        assert (refused.status, refused.json["type"]) == (403, "urn:serinus:proxy")


def test_a_proxy_that_names_nobody_known_is_told_so(tmp_path):
    refused = proxied(tmp_path).visitor(peer="10.0.0.7", host="c.org").get("/v1/models", x_remote_user="eve")
    assert refused.status == 403
    assert "no operator here" in refused.json["detail"]


def test_the_header_means_nothing_where_no_proxy_is_trusted(house):
    house.operator()
    assert house.visitor().get("/v1/models", x_remote_user=ANNA).status == 401


def session_digest(browser):
    from serinus.service.access.keys import digest_of  # noqa: PLC0415  one place needs it

    return digest_of(browser.cookies[COOKIE])
