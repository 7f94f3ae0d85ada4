"""Each gateway of ours before a server that speaks its wire format, with hosts that behave as told."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from serinus.core.model import Route
from serinus.gateways.litellm import LiteLLM
from serinus.gateways.openai_compatible import OpenAICompatible, Replica
from serinus.gateways.openrouter import OpenRouter
from serinus.prober.prober import Prober
from serinus.prober.secret import Secret
from serinus.service.ports import Gateway
from serinus.simulator.scenario import FaultUse, Latency, Model, Scenario
from serinus.simulator.scenario import Host as SimulatedHost
from serinus.simulator.simulator import Simulator
from small_hosts import Host, small_hosts
from small_litellm import KEY, SmallLiteLLM, small_litellm

MODEL = "acme/story-70b"
Open = Callable[[Mapping[str, str | None], str | None], AbstractAsyncContextManager[Gateway]]


@dataclass(frozen=True)
class Venue:
    """A gateway and its faults: `open(fault by tag, fault of the listing)` yields it, opened.

    `faults` gives what the claims call a fault its name at the venue; one that is absent cannot happen
    there. `foreign` are the ways in which an answer can be another's or altered.
    """

    name: str
    open: Open
    faults: Mapping[str, str]
    foreign: tuple[str, ...] = ()


@asynccontextmanager
async def open_openrouter(hosts: Mapping[str, str | None], listing: str | None) -> AsyncIterator[Gateway]:
    """OpenRouter before the simulator."""
    scenario = Scenario(
        models=(Model(MODEL, "Story 70B"),),
        hosts=tuple(
            SimulatedHost(
                tag,
                display=tag.partition("/")[0].title(),
                provider=tag.partition("/")[0],
                latency=Latency(0.01, 0.0, 0.0),
                faults=(FaultUse(fault),) if fault else (),
            )
            for tag, fault in hosts.items()
        ),
        faults=(FaultUse(listing),) if listing else (),
    )
    async with Simulator(scenario) as simulator, Prober() as prober:
        yield OpenRouter(prober, Secret("sk-simulated"), base_url=simulator.base_url)


@asynccontextmanager
async def open_litellm(hosts: Mapping[str, str | None], listing: str | None) -> AsyncIterator[Gateway]:
    """LiteLLM before a small proxy; deployments name the provider that they share."""
    info = {tag: {"provider": tag.partition("/")[0]} for tag in hosts}
    proxy = SmallLiteLLM(MODEL, hosts, info, listing)
    async with small_litellm(proxy), Prober() as prober:
        yield LiteLLM(prober, Secret(KEY), base_url=proxy.url)


@asynccontextmanager
async def open_replicas(hosts: Mapping[str, str | None], listing: str | None) -> AsyncIterator[Gateway]:
    """One's own servers; one that shall not be listed is broken where it is asked whether it lives."""
    small = {
        tag: Host(listing or fault, key=f"sk-{n}-of-{tag}") for n, (tag, fault) in enumerate(hosts.items())
    }
    async with small_hosts(small), Prober() as prober:
        yield OpenAICompatible(prober, [_replica(tag, host) for tag, host in small.items()])


def _replica(tag: str, host: Host) -> Replica:
    return Replica(
        Route(MODEL, tag),
        provider=tag.partition("/")[0],
        base_url=host.url,
        serves=host.serves,
        key=Secret(host.key or ""),
        claims=frozenset({"structured_outputs", "tools"}),
    )


LISTINGS = {
    "listing fails": "listing_500",
    "listing is a page": "listing_html",
    "listing is empty": "listing_empty",
}
VENUES = (
    Venue(
        "openrouter",
        open_openrouter,
        {
            "refuses": "http_429",
            "breaks": "error_in_stream",
            "resets": "reset_mid_answer",
            "mute": "comments_only",
            "silent": "silence",
            **LISTINGS,
        },
        foreign=("wrong_provider", "fallback_attempt", "retried_attempt", "cache_hit", "byok_answer"),
    ),
    Venue(
        "litellm",
        open_litellm,
        {
            "refuses": "busy",
            "breaks": "error_in_stream",
            "resets": "reset",
            "silent": "silence",
            **LISTINGS,
        },
        foreign=("other_deployment", "fallback", "retry", "cached", "unnamed"),
    ),
    Venue(
        "openai_compatible",
        open_replicas,
        {
            "refuses": "busy",
            "breaks": "error_in_stream",
            "resets": "reset",
            "mute": "comments_only",
            "silent": "silence",
            **LISTINGS,
        },
    ),
)
