"""The checks of the doctor, each over plain values."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serinus.contracts import contracts
from serinus.core.model import Listing, Offer, Route
from serinus.probes.languages import available
from serinus.service.doctor import account, home, money, routes
from serinus.service.doctor.served import chosen, pair
from serinus.service.forecast import Forecast, Share
from serinus.service.names import Names
from serinus.service.planning import ModelPlan
from serinus.service.ports import KeyState
from world import MODEL

AT = datetime(2026, 11, 30, 12, 0, 7, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def said(found) -> list[tuple[str, str]]:
    return [(d.severity.value, d.topic) for d in found]


@given(real=st.floats(0, 0.999), way=st.floats(0, 3), back=st.floats(0, 3), off=st.floats(-4.9, 4.9))
def test_a_clock_that_is_right_to_five_seconds_is_never_blamed_for_the_way_or_for_rounding(
    real, way, back, off
):
    instant = AT + timedelta(seconds=real)
    ours = instant + timedelta(seconds=off)
    before, after = ours - timedelta(seconds=way), ours + timedelta(seconds=back)
    assert account.check_clock(AT, before, after).severity == "ok"


@pytest.mark.parametrize(("off", "word"), [(7, "7 s behind"), (-8, "7 s ahead of")])
def test_a_clock_that_is_off_is_told_by_at_least_how_much(off, word):
    ours = AT - off * SECOND
    assert word in account.check_clock(AT, ours, ours).found


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (None, [("problem", "key")]),
        (KeyState(), [("ok", "key")]),
        (KeyState(trouble="no good; do so"), [("problem", "key")]),
        (KeyState(notes=("unknown",), known=False), [("problem", "key")]),
        (KeyState(notes=("free tier; buy",)), [("ok", "key"), ("note", "key")]),
        (KeyState(expires_at="2026-12-01T00:00:00Z"), [("ok", "key"), ("note", "key")]),
        (KeyState(expires_at="2027-12-01T00:00:00Z"), [("ok", "key")]),
        (KeyState(expires_at="one day"), [("ok", "key")]),
    ],
)
def test_what_is_said_of_a_key(state, expected):
    assert said(account.check_key(state, AT)) == expected


@pytest.mark.parametrize(
    ("balance", "severity"), [(0.0, "problem"), (-1.0, "problem"), (9.99, "note"), (10.0, "ok")]
)
def test_credit_near_its_end_is_told_before_it_makes_hosts_look_slow(balance, severity):
    assert said(account.check_credit(balance)) == [(severity, "credit")]


def test_credit_that_the_gateway_does_not_tell_is_not_guessed():
    assert said(account.check_credit(None)) == []


def cost(usd: float) -> Forecast:
    share = Share("roleplay", ("language",), 1.0, 100.0, 100.0, 200.0, usd)
    return Forecast(MODEL, 3, (), timedelta(hours=1), (share,))


@pytest.mark.parametrize(
    ("usd", "purse", "expected"),
    [
        (0.01, money.Purse(1.0, chosen=True), ["ok"]),
        (0.05, money.Purse(1.0, chosen=True), ["problem"]),
        (0.01, money.Purse(1.0, chosen=False), ["ok", "note"]),
        (0.01, money.Purse(1.0, chosen=True, spent=1.0), ["ok", "note"]),
        (0.01, money.Purse(1.0, chosen=True, left=1.0), ["ok", "note"]),
        (0.01, money.Purse(1.0, chosen=True, left=100.0), ["ok"]),
    ],
)
def test_the_budget_is_held_against_the_forecast(usd, purse, expected):
    assert [s for s, _ in said(money.check_budget([cost(usd)], purse))] == expected


@pytest.mark.parametrize(("free", "severity"), [(50e6, "problem"), (5e8, "note"), (5e9, "ok")])
def test_a_disk_that_fills_is_told_before_it_is_full(free, severity):
    assert said(home.check_disk(int(free), Path("serinus.sqlite"))) == [(severity, "disk")]


def test_channels_are_told_by_what_hinders_them():
    channels = home.Channels(
        names=("a", "b", "c"),
        unusable={"a": "no URL"},
        disabled={"b": "404", "old": "gone"},
        heartbeat=True,
    )
    assert [s for s, _ in said(home.check_channels(channels))] == ["problem", "problem", "ok"]
    assert said(home.check_channels(home.Channels())) == [("note", "channels")]
    assert home.check_heartbeat(channels).severity == "ok"
    assert home.check_heartbeat(home.Channels()).severity == "note"


def test_a_language_without_prompts_is_a_problem_and_all_that_come_with_serinus_have_enough():
    plan = ModelPlan(MODEL, (*available(), "tlh"), contracts())
    [problem] = home.check_languages(plan)
    assert "tlh" in problem.found
    assert said(home.check_languages(ModelPlan(MODEL, tuple(available()), ()))) == [("ok", "languages")]


def test_contracts_that_are_not_asked_are_named():
    some, *rest = contracts()
    plan = ModelPlan(MODEL, ("en",), (some,))
    found = home.check_contracts(plan, [c.name for c in contracts()])
    assert all(c.name in found.found for c in rest)


def offer(tag: str, price: float | None = 1.0, provider: str | None = None) -> Offer:
    name = provider or tag.partition("/")[0]
    return Offer(Route(MODEL, tag), name, tag, prompt_price=price, completion_price=price)


def test_a_renamed_route_is_told_as_one_and_what_came_and_went_as_such():
    before = [offer("a/fp8"), offer("b"), offer("c")]
    now = Listing(MODEL, (offer("a/fp4"), offer("b"), offer("d")))
    renamed, rest = routes.check_changes(now, before)
    assert "a/fp8 is gone and a/fp4 is new" in renamed.found
    assert "-c, +d" in rest.found
    assert list(routes.check_changes(Listing(MODEL, tuple(before)), before)) == []
    assert list(routes.check_changes(Listing(MODEL, trouble="it is empty"), before)) == []


def test_routes_without_a_price_are_named():
    listing = Listing(MODEL, (offer("a"), offer("b", None)))
    [found] = routes.check_prices(listing)
    assert (found.severity, "b" in found.found) == ("note", True)


def test_a_model_of_few_providers_is_told_that_nobody_can_be_suspended():
    listing = Listing(MODEL, (offer("a"), offer("b/fp8"), offer("b/fp4")))
    assert said(routes.check_floor(listing, 2)) == [("note", "floor")]
    assert said(routes.check_floor(listing, 1)) == []


KNOWN = {
    MODEL: Names(
        MODEL, {"amber/fp8": "amber", "birch": "birch", "gone": "gone"}, frozenset({"amber/fp8", "birch"})
    )
}


@pytest.mark.parametrize(
    ("name", "severity", "words"),
    [
        ("amber", "ok", "1 name"),
        ("amber/fp8", "ok", "1 name"),
        ("Amber", "problem", "'Amber' (a control)"),
        ("brich", "problem", "no effect"),
        ("gone", "note", "not listed now"),
    ],
)
def test_a_name_is_held_against_what_the_gateway_knows(name, severity, words):
    [found] = routes.check_names([routes.Named(name, "a control", MODEL)], KNOWN)
    assert (found.severity, words in found.found) == (severity, True)


def test_nothing_is_said_of_names_before_anything_was_listed():
    unknown = {MODEL: Names(MODEL, {}, frozenset())}
    assert list(routes.check_names([routes.Named("amber", "a control", MODEL)], unknown)) == []


def test_the_cheapest_route_is_asked_and_never_a_control():
    offers = [offer("a", 3.0), offer("b", 1.0), offer("c", 2.0), offer("d", None)]
    assert [o.route.tag for o in chosen(offers, frozenset({"b"}))] == ["c", "a"]
    assert [o.route.tag for o in chosen([offer("d", None)], frozenset())] == ["d"]


def test_the_two_that_are_asked_deeply_have_a_price_where_two_providers_have():
    offers = [offer("a", 3.0), offer("b", 1.0), offer("c", 2.0), offer("d", None)]
    assert [o.route.tag for o in pair(offers, frozenset({"b"})) or ()] == ["c", "a"]
    assert [o.route.tag for o in pair([offer("a", 3.0), offer("d", None)], frozenset()) or ()] == ["a", "d"]
    assert pair([offer("a", 3.0)], frozenset()) is None
