"""User traffic beside the canary's own knowledge."""

from dataclasses import replace
from datetime import timedelta

import pytest

from serinus.core.model import Offer, Route
from serinus.service.desk import Desk
from serinus.service.documents import listing_document
from serinus.service.ledger import Served
from serinus.service.memory import Memory
from serinus.service.storage import ClosedRound, RoundState
from serinus.service.traffic import quantile, traffic
from service.test_canary import HALF_HOUR, MODEL, Life


@pytest.fixture
def desk():
    """Two of several routes are listed since the last round; one of the others is suspended."""
    life = Life()
    life.bad = {"gamma"}
    life.round()
    life.round()
    memory = Memory(life.store)
    row = life.store.open_round("shrunk", MODEL, life.at)
    ended = replace(row, state=RoundState.CLOSED, closed_at=life.at)
    offers = [Offer(Route(MODEL, tag), tag, tag.title()) for tag in ("alpha", "beta")]
    life.store.close_round(
        ClosedRound(ended, memory.catch_up() and memory.seen, listing=listing_document(offers))
    )
    return Desk(life.store, memory, life.canary.policy, lambda: life.at, (MODEL,), HALF_HOUR, 1.0)


def met(desk, **named):
    desk.store.ledger.keep([Served(desk.at - timedelta(minutes=1), MODEL, "done", **named)])
    (figures,) = traffic(desk, MODEL, timedelta(minutes=5))
    return [route.tag for route in figures.routes]


def test_the_quantile_is_a_time_that_was_measured():
    assert quantile([], 0.5) is None
    assert quantile([0.3], 0.95) == 0.3
    assert quantile([float(n) for n in range(1, 21)], 0.95) == 19.0
    assert quantile([1.0, 2.0, 3.0, 4.0], 0.5) == 2.0


def test_a_request_that_names_nobody_stands_for_no_route(desk):
    assert met(desk) == []


@pytest.mark.parametrize(
    ("named", "routes"),
    [
        ({"tag": "alpha"}, ["alpha"]),
        ({"tag": "nobody"}, []),
        ({"provider": "Beta"}, ["beta"]),
        ({"provider": "Nobody"}, []),
    ],
)
def test_a_request_stands_for_the_routes_that_its_name_may_mean(desk, named, routes):
    assert met(desk, **named) == routes


def test_a_route_that_is_listed_no_longer_goes_by_its_provider(desk):
    assert met(desk, provider="Gamma") == ["gamma"]
