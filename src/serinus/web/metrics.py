"""`GET /metrics`: the canary in Prometheus' format, read from its state at each look.

Labels are models, contracts, verdict words, kinds of decisions and channels: all of them configured or
fixed, so that nothing a host or caller says makes a series. Series of single routes are given up to a
configured number of routes.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from fastapi import APIRouter
from fastapi.responses import Response
from prometheus_client import CollectorRegistry
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

import serinus
from serinus.service.figures import LEDGER, STATES, Bookkeeper, Figures
from serinus.service.standing import overdue_at
from serinus.web.access import Reader
from serinus.web.problems import documented

# Some of the bounds that the store counts by: enough to read a percentile off, few enough to keep.
BOUNDS: Final = (0.244, 0.477, 0.931, 1.455, 2.274, 3.553, 5.551, 8.674, 10.842, 21.176, 33.087, 51.699)
BOUND: Final = "At most one series for each model, contract and word."


def metrics(books: Bookkeeper, routes: int) -> APIRouter:
    """The route; series of single routes up to so many routes."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Canary(books, routes))
    router = APIRouter(tags=["metrics"], responses=documented(401, 403, 503))

    @router.get("/metrics", response_class=Response)
    def read(_: Reader) -> Response:
        """The metrics, in Prometheus' text format."""
        return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)

    return router


@dataclass(frozen=True, slots=True, eq=False)
class Canary:
    """A collector over a bookkeeper: what it yields is as old as the call."""

    books: Bookkeeper
    routes: int

    def collect(self) -> Iterator[Metric]:
        """All families, each with its series."""
        found = self.books.look()
        info = {"version": serinus.__version__, "python": platform.python_version()}
        yield InfoMetricFamily("serinus_build", "What runs here.", value=info)
        yield from _of_canary(found, self.books)
        yield from _of_outboxes(found)
        yield from _counts(found)
        yield from _decisions(found)
        yield from _standing(found)
        yield from _streaks(found)
        yield _first_text(found)
        yield from _traffic(found)
        count = sum(len(model.routes) for model in found.models)
        given = count <= self.routes
        yield _gauge(
            "route_series_withheld",
            "Routes without series of their own: metrics.routes is lower.",
            0 if given else count,
        )
        if given:
            yield from _of_routes(found)


def _gauge(name: str, text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"serinus_{name}", text, value=value)


def _of_canary(found: Figures, books: Bookkeeper) -> Iterator[Metric]:
    desk = books.desk
    late = [not m.last or found.at > overdue_at(m.last.at, desk.interval) for m in found.models]
    yield _gauge("up", "1: this process answers and reads the store.", 1)
    yield _gauge(
        "canary_up", "1: a process has the canary's place. It may hang: see the age of lists.", found.held
    )
    yield _gauge("ready", "1: the last round of every model is recent.", not any(late))
    yield _gauge(
        "round_interval_seconds", "The time between two rounds of a model.", desk.interval.total_seconds()
    )
    yield _gauge("floor_providers", "The production providers that a suspension must leave.", found.floor)
    yield _gauge("spent_usd", "US dollars spent on probes on this UTC day.", found.spent)
    yield _gauge("budget_usd", "US dollars that a UTC day may cost.", found.budget)
    yield CounterMetricFamily("serinus_log_entries", "Entries of the log.", value=found.entries)


def _of_outboxes(found: Figures) -> Iterator[Metric]:
    waiting = GaugeMetricFamily(
        "serinus_outbox_waiting", "Notices that a channel was not sent yet, up to 1000.", labels=["channel"]
    )
    lag = GaugeMetricFamily(
        "serinus_outbox_lag_seconds", "How long the eldest of them waits.", labels=["channel"]
    )
    disabled = GaugeMetricFamily(
        "serinus_channel_disabled", "1: the channel failed for good and is sent nothing.", labels=["channel"]
    )
    for box in found.outboxes:
        waiting.add_metric([box.channel], box.waiting)
        lag.add_metric([box.channel], box.age.total_seconds())
        disabled.add_metric([box.channel], box.disabled)
    yield from (waiting, lag, disabled)


def _counts(found: Figures) -> Iterator[Metric]:
    rounds = CounterMetricFamily("serinus_rounds", "Rounds by how they ended.", labels=["model", "state"])
    probes = CounterMetricFamily("serinus_probes", "Requests of rounds.", labels=["model"])
    tokens = CounterMetricFamily("serinus_probe_tokens", "Tokens of rounds, as billed.", labels=["model"])
    cost = CounterMetricFamily("serinus_probe_cost_usd", "US dollars of rounds, as billed.", labels=["model"])
    words = CounterMetricFamily(
        "serinus_verdicts", f"Settled verdicts. {BOUND}", labels=["model", "contract", "word"]
    )
    for model in found.models:
        past = model.past
        for state in ("closed", "abandoned"):
            rounds.add_metric([model.model, state], past.rounds[state])
        probes.add_metric([model.model], past.probes)
        tokens.add_metric([model.model], past.tokens)
        cost.add_metric([model.model], past.cost)
        for (contract, word), count in sorted(past.words.items()):
            words.add_metric([model.model, contract, word], count)
    yield from (rounds, probes, tokens, cost, words)


def _decisions(found: Figures) -> Iterator[Metric]:
    decisions = CounterMetricFamily(
        "serinus_decisions",
        "Automatic decisions; the lane is real (enforced), shadow (observed), or empty where there is none.",
        labels=["model", "decision", "lane"],
    )
    for key, count in sorted(found.decisions.items()):
        decisions.add_metric(list(key), count)
    yield decisions


def _standing(found: Figures) -> Iterator[Metric]:
    routes = GaugeMetricFamily("serinus_routes", "Routes by where they stand.", labels=["model", "state"])
    capacity = GaugeMetricFamily("serinus_capacity_providers", "Providers in production.", labels=["model"])
    detected = GaugeMetricFamily("serinus_detected_routes", "Routes that are held for bad.", labels=["model"])
    enforced = GaugeMetricFamily(
        "serinus_enforced_routes", "Of these, those kept from user traffic.", labels=["model"]
    )
    withheld = GaugeMetricFamily(
        "serinus_withheld_routes",
        "Of these, those that get user traffic all the same, by why.",
        labels=["model", "reason"],
    )
    planned = GaugeMetricFamily(
        "serinus_last_round_timestamp_seconds", "When the last round was planned.", labels=["model"]
    )
    age = GaugeMetricFamily(
        "serinus_list_age_seconds", "How old what the ignore list rests on is.", labels=["model"]
    )
    listed = GaugeMetricFamily("serinus_listed_routes", "Routes of the last round.", labels=["model"])
    for m in found.models:
        for state in STATES:
            routes.add_metric([m.model, state], sum(r.state == state for r in m.routes))
        capacity.add_metric([m.model], m.providers)
        detected.add_metric([m.model], m.detected)
        enforced.add_metric([m.model], m.enforced)
        for reason, count in m.withheld.items():
            withheld.add_metric([m.model, reason], count)
        if m.last is not None:
            planned.add_metric([m.model], m.last.at.timestamp())
            age.add_metric([m.model], (found.at - m.last.at).total_seconds())
            listed.add_metric([m.model], m.last.routes)
    yield from (routes, capacity, detected, enforced, withheld, planned, age, listed)


def _streaks(found: Figures) -> Iterator[Metric]:
    some = GaugeMetricFamily(
        "serinus_streak_routes", "Routes with a streak of failures.", labels=["model", "contract"]
    )
    longest = GaugeMetricFamily(
        "serinus_streak_rounds", "The longest such streak.", labels=["model", "contract"]
    )
    for m in found.models:
        contracts = sorted({c for r in m.routes for c in r.streaks} | {c for c, _ in m.past.words})
        for contract in contracts:
            held = [r.streaks[contract] for r in m.routes if contract in r.streaks]
            some.add_metric([m.model, contract], len(held))
            longest.add_metric([m.model, contract], max(held, default=0))
    yield from (some, longest)


def _first_text(found: Figures) -> Metric:
    """All timed answers of probes; their sum is not kept, so none is given."""
    family = HistogramMetricFamily(
        "serinus_first_text_seconds",
        "Time from a probe's request to its first visible text.",
        labels=["model"],
    )
    for m in found.models:
        buckets = [(repr(b), sum(n for bound, n in m.past.timed.items() if bound <= b)) for b in BOUNDS]
        family.add_metric([m.model], [*buckets, ("+Inf", m.past.timed.total())], sum_value=None)
    return family


def _traffic(found: Figures) -> Iterator[Metric]:
    minutes = LEDGER.total_seconds() / 60
    served = GaugeMetricFamily(
        "serinus_ledger_requests",
        f"Forwarded requests of the last {minutes:.0f} minutes, by how they went; never scored.",
        labels=["model", "outcome"],
    )
    for m in found.models:
        for outcome in ("ok", "error", "cut"):
            served.add_metric([m.model, outcome], m.traffic.get(outcome, 0))
    yield served


def _of_routes(found: Figures) -> Iterator[Metric]:
    stands = GaugeMetricFamily(
        "serinus_route_stands", "1: the route stands there.", labels=["model", "route", "state"]
    )
    streak = GaugeMetricFamily(
        "serinus_route_streak_rounds", "Failing rounds in a row.", labels=["model", "route", "contract"]
    )
    until = GaugeMetricFamily(
        "serinus_route_suspended_until_timestamp_seconds",
        "When its suspension runs out.",
        labels=["model", "route", "lane"],
    )
    for m in found.models:
        for r in m.routes:
            stands.add_metric([m.model, r.tag, r.state], 1)
            for contract, rounds in sorted(r.streaks.items()):
                streak.add_metric([m.model, r.tag, contract], rounds)
            for lane, end in sorted(r.until.items()):
                until.add_metric([m.model, r.tag, lane], end.timestamp())
    yield from (stands, streak, until)
