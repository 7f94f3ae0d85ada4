"""The proxy's own pages: whether it is well, and what it counted. Neither names a caller."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from serinus.traffic.proxy.counters import Counters, LedgerCounters

_WELL: Final = 200
_ENDING: Final = 503
_JSON: Final = b"application/json"

State = Callable[[], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Health:
    """`GET /health`: 200 while requests are taken, 503 while it is stopping.

    A store that is away and a list that is old are told and do not make it unwell: traffic goes on with
    the last list, and taking the proxy out for that would stop it.
    """

    counters: Counters
    ledger: State
    exclusions: State
    stopping: Callable[[], bool]

    def __call__(self) -> tuple[int, bytes, bytes]:
        """The page."""
        ending = self.stopping()
        document = {
            "status": "stopping" if ending else "ok",
            "requests": self.counters.requests,
            "in_flight": self.counters.in_flight,
            "exclusions": dict(self.exclusions()),
            "ledger": dict(self.ledger()),
        }
        return _ENDING if ending else _WELL, _JSON, msgspec.json.encode(document) + b"\n"


class Metrics:
    """`GET /metrics`, in Prometheus' text format; `collect` may be registered elsewhere too."""

    def __init__(self, counters: Counters, ledger: LedgerCounters | None) -> None:
        self._counters = counters
        self._ledger = ledger
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def __call__(self) -> tuple[int, bytes, bytes]:
        """The page."""
        return _WELL, CONTENT_TYPE_PLAIN_0_0_4.encode(), generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """The counters as they stand."""
        counters = self._counters
        yield GaugeMetricFamily("serinus_proxy_in_flight", "Requests on their way.", value=counters.in_flight)
        for name, text, value in (
            ("requests", "Requests that came.", counters.requests),
            ("preset_requests", "Requests that rest on a preset.", counters.presets),
            ("sent_bytes", "Bytes of bodies sent to the gateway.", counters.sent_bytes),
            ("received_bytes", "Bytes of bodies received from it.", counters.received_bytes),
            ("first_tokens", "Streams whose first token was timed.", counters.first_tokens),
            ("first_token_seconds", "Their times to it, added up.", counters.first_token_seconds),
        ):
            yield CounterMetricFamily(f"serinus_proxy_{name}", text, value=value)
        for name, text, label, values in (
            ("answers", "Answers of the gateway by status class.", "status", counters.answers),
            ("ends", "Forwarded requests by how they ended.", "end", counters.ends),
            ("refused", "Errors that the proxy itself answered.", "code", counters.refused),
            ("bodies", "Bodies by what was done to them.", "change", counters.bodies),
        ):
            family = CounterMetricFamily(f"serinus_proxy_{name}", text, labels=[label])
            for key, value in sorted(values.items()):
                family.add_metric([key], value)
            yield family
        if self._ledger is not None:
            yield from _of_ledger(self._ledger)


def _of_ledger(ledger: LedgerCounters) -> Iterator[Metric]:
    yield GaugeMetricFamily(
        "serinus_proxy_ledger_waiting", "Ledger rows not written yet.", value=ledger.waiting
    )
    for name, text, value in (
        ("kept", "Ledger rows written.", ledger.kept),
        ("lost", "Ledger rows lost because the store did not take them in time.", ledger.lost),
        ("failures", "Times that the store did not take rows.", ledger.failures),
    ):
        yield CounterMetricFamily(f"serinus_proxy_ledger_{name}", text, value=value)
