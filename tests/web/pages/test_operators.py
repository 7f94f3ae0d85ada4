"""Operators from a browser: for who may change them alone; a token is shown once."""

from __future__ import annotations

import pytest

from offices import ANNA, PASSWORD, House, bearing
from serinus.service.access import EVERYTHING, USUAL, Scope
from web_page import Page

OTHER = "another long password"


@pytest.fixture
def house(tmp_path):
    return House(tmp_path, ((),))


def csrf(browser, path="/operators"):
    return {"csrf": Page(browser.get(path).text).form("/logout").fields["csrf"]}


def test_who_may_not_change_operators_sees_none(house):
    house.operator("eve", USUAL)
    eve = house.browser("eve")
    assert "/operators" not in Page(eve.get("/").text).links()
    assert eve.get("/operators").status == 403
    for path in ("add", "end", "scopes", "password", "token", "revoke"):
        sent = {
            **csrf(eve, "/"),
            "name": "x",
            "password": OTHER,
            "label": "x",
            "confirm": "x",
            "scope": "admin",
        }
        assert eve.submit(f"/operators/{path}", sent).status == 403
    assert house.visitor().get("/operators", accept="text/html").status in {303, 401}


def test_an_operator_is_added_and_let_in_no_more(house):
    anna = house.browser()
    sent = {**csrf(anna), "name": "bo", "password": OTHER, "scope": "act"}
    assert anna.submit("/operators/add", sent).status == 303
    assert house.store.access.operator("bo").scopes == {Scope.READ, Scope.ACT}
    assert house.store.access.operator("bo").created_by == ANNA
    refused = anna.submit("/operators/end", {**csrf(anna), "name": "bo", "confirm": "ob"})
    assert refused.status == 422
    assert anna.submit("/operators/end", {**csrf(anna), "name": "bo", "confirm": "bo"}).status == 303
    assert house.store.access.operator("bo") is None
    assert "Ended: bo" in " ".join(Page(anna.get("/operators").text).text.split())


def test_a_token_is_shown_once_works_and_is_revoked(house):
    anna = house.browser()
    answer = anna.submit(
        "/operators/token", {**csrf(anna), "name": ANNA, "label": "gateway", "lasts": "30d", "scope": "read"}
    )
    assert answer.headers["cache-control"] == "no-store"
    (shown,) = [e for e in Page(answer.text).named("pre") if e.attributes.get("id") == "secret"]
    assert shown.text.startswith("serinus_")
    assert shown.text not in anna.get("/operators").text
    assert bearing(house.visitor(), shown.text).get("/v1/status").status == 200
    assert anna.submit("/operators/revoke", {**csrf(anna), "name": ANNA, "label": "gateway"}).status == 303
    assert bearing(house.visitor(), shown.text).get("/v1/status").status == 401


def test_a_token_allows_at_most_what_its_operator_may(house):
    house.operator("eve", {Scope.READ})
    anna = house.browser()
    sent = {**csrf(anna), "name": "eve", "label": "x", "scope": "admin"}
    answer = anna.submit("/operators/token", sent)
    assert answer.status == 422
    assert "a token at most that" in Page(answer.text).text


@pytest.mark.parametrize(
    ("path", "fields", "said"),
    [
        ("add", {"name": "<b>", "password": OTHER}, "found the name"),
        ("add", {"name": ANNA, "password": OTHER}, "Nothing was changed"),
        ("add", {"name": "bo", "password": "short"}, "a password has"),
        ("password", {"name": "nobody", "password": OTHER}, "there is no operator"),
        ("end", {"name": ANNA, "confirm": ANNA}, "the last who may change operators"),
        ("scopes", {"name": ANNA, "scope": "act"}, "the last who may change operators"),
    ],
)
def test_what_cannot_be_is_told_on_the_page_and_changes_nothing(house, path, fields, said):
    anna = house.browser()
    before = house.store.access.operators()
    answer = anna.submit(f"/operators/{path}", {**csrf(anna), **fields})
    assert answer.status == 422
    assert said in Page(answer.text).text
    assert house.store.access.operators() == before


def test_every_change_is_audited_in_the_name_of_who_made_it(house):
    anna = house.browser()
    anna.submit("/operators/add", {**csrf(anna), "name": "bo", "password": OTHER})
    page = Page(anna.get("/operators").text)
    assert "anna operator added: bo may read" in " ".join(page.text.split())
    assert OTHER not in page.source


def test_one_changes_ones_own_password_by_the_old_one(house):
    anna = house.browser()
    token = csrf(anna, "/password")
    wrong = anna.submit("/password", {**token, "old": OTHER, "new": OTHER, "again": OTHER})
    assert wrong.status == 401
    assert "not your password" in Page(wrong.text).text
    unlike = anna.submit("/password", {**token, "old": PASSWORD, "new": OTHER, "again": PASSWORD})
    assert unlike.status == 422
    assert anna.submit("/password", {**token, "old": PASSWORD, "new": OTHER, "again": OTHER}).status == 303
    assert anna.get("/operators").status in {303, 401}
    again = house.visitor()
    assert again.submit("/login", {"name": ANNA, "password": OTHER}).status == 303


def test_a_form_without_the_sessions_token_adds_nobody(house):
    anna = house.browser()
    assert anna.submit("/operators/add", {"csrf": "forged", "name": "bo", "password": OTHER}).status == 403
    assert house.store.access.operator("bo") is None
    assert house.store.access.operator(ANNA).scopes == EVERYTHING
