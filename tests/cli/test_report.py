"""A user's report as an operator meets it: a configuration, a simulated gateway, a day of rounds."""

import asyncio
import json
import os
import signal
import threading
from datetime import timedelta

import aiohttp
import pytest

from cli.operated import MODEL, suspended_beta
from cli.place import QUICK, Place
from receiver import Receiver, beside
from serinus.cli.report import list_, report, show
from serinus.cli.run import run
from serinus.service.ledger import Served
from serinus.simulator.scenario_file import parse
from serinus.simulator.simulator import Simulator
from serinus.store import open_store

SCENARIO = {
    "generation_delay": 0.0,
    "model": [{"id": "acme/story-70b"}],
    "host": [
        *({"tag": tag, "latency": QUICK} for tag in ("alpha", "beta", "delta", "epsilon")),
        {"tag": "gamma/turbo", "latency": QUICK, "faults": [{"name": "json_fenced"}]},
        {"tag": "gamma/fp8", "latency": QUICK},
    ],
}


@pytest.fixture
def operated(tmp_path):
    with suspended_beta(tmp_path) as town:
        rows = [Served(town.at - timedelta(minutes=35), MODEL, "done", tag="beta", generation="gen-7")]
        town.store.ledger.keep(rows)
    return town


def said(capsys):
    return capsys.readouterr()


def test_a_report_shows_who_served_and_what_was_known_and_is_kept(operated, capsys):
    assert report(generation="gen-7", contract="filtering", by="anna", config=operated.config) == 0
    shown = said(capsys).out
    assert "The route ledger holds this very request." in shown
    assert "beta" in shown
    assert "suspended" in shown
    assert list_(config=operated.config) == 0
    assert "filtering" in said(capsys).out
    assert show(1, config=operated.config, json_=True) == 0
    kept = json.loads(said(capsys).out)
    assert (kept["report"], kept["source"], kept["ambiguous"]) == (1, "ledger", False)
    assert [c["route"] for c in kept["candidates"]] == ["beta"]
    assert kept["candidates"][0]["suspect"][0] == "filtering"


def test_a_time_without_any_trace_gives_every_route_and_says_so(operated, capsys):
    at = (operated.at - timedelta(minutes=85)).isoformat()  # between beta's two failing rounds
    assert report(at=at, by="anna", config=operated.config, json_=True) == 0
    found = json.loads(said(capsys).out)
    assert (found["source"], found["ambiguous"]) == ("production", True)
    assert {c["route"] for c in found["candidates"]} == {"alpha", "beta", "gamma", "delta/fp8"}


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ({"text": "the user said …", "at": "1h ago"}, "no field for what a user wrote"),
        ({"at": "25:00"}, "allowed is a time"),
        ({"at": "1h ago", "zone": "Mars/Base"}, "Europe/Rome"),
        ({"at": "1h ago", "contract": "wit"}, "allowed: first_token"),
        ({}, "when was it"),
    ],
)
def test_what_cannot_be_understood_is_told_and_nothing_is_kept(operated, capsys, wanted, told):
    assert report(by="anna", config=operated.config, **wanted) == 2
    assert told in said(capsys).err
    assert list_(config=operated.config, json_=True) == 0
    assert said(capsys).out == ""


def test_there_is_no_such_report(operated, capsys):
    assert show(9, config=operated.config) == 2
    assert "there is no report 9" in said(capsys).err


async def asked(base: str) -> str:
    """A user's request without any pin; the id of its answer."""
    body = {"model": "acme/story-70b", "messages": [{"role": "user", "content": "Tell me more."}],
            "provider": {"only": ["gamma/turbo"]}}  # fmt: skip
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{base}/chat/completions", json=body, headers={"Authorization": "Bearer k"}) as answer,
    ):
        return (await answer.json())["id"]


def test_the_gateways_record_and_our_own_probes_tell_siblings_apart_and_a_comparison_proves_it(
    tmp_path, capsys
):
    place = Place(tmp_path, Receiver())
    simulator = Simulator(parse(SCENARIO))
    with beside(simulator):
        place.receiver.base = "http://127.0.0.1:9"
        place.write(simulator.base_url)
        place.hold("heartbeat", "http://127.0.0.1:9/")
        text = place.config.read_text(encoding="utf-8").replace(
            "[heartbeat]", "[budget]\nusd_per_day = 5\n[heartbeat]"
        )
        place.config.write_text(text + "\n[serve]\nenabled = false\n", encoding="utf-8")
        assert run(config=place.config, rounds=2, yes=True) == 0
        said(capsys)
        generation = asyncio.run(asked(simulator.base_url))
        status = report(
            generation=generation, by="anna", config=place.config, reproduce=True, answers=4, json_=True
        )
    lines = [json.loads(line) for line in said(capsys).out.splitlines() if line.startswith("{")]
    found = lines[0]
    assert found["source"] == "generation_record"
    assert [c["route"] for c in found["candidates"]] == ["gamma/turbo"]
    assert found["candidates"][0]["suspect"] == ["structured_output"]
    assert status == 0
    store = open_store(place.store, read_only=True)
    [kept] = store.reports.latest()
    assert kept.comparison is not None
    held = store.comparisons.get(kept.comparison)
    store.close()
    assert held is not None


def interrupt_twice(place, over):
    """Two signals, once a report is linked to a comparison that runs."""
    while not over.wait(0.05):
        store = open_store(place.store, read_only=True)
        linked = any(row.comparison for row in store.reports.latest())
        store.close()
        if linked:
            os.kill(os.getpid(), signal.SIGINT)
            over.wait(0.2)
            os.kill(os.getpid(), signal.SIGINT)
            return


def test_a_second_interrupt_leaves_a_reproduction_unfinished_and_linked_and_says_so(tmp_path, capsys):
    place, over = Place(tmp_path, Receiver()), threading.Event()
    never = {"first_text": 60.0, "per_token": 0.0}
    simulator = Simulator(parse({**SCENARIO, "host": [{"tag": t, "latency": never} for t in ("a", "b")]}))
    with beside(simulator):
        place.receiver.base = "http://127.0.0.1:9"
        place.write(simulator.base_url)
        open_store(place.store, create=True).close()
        watcher = threading.Thread(target=interrupt_twice, args=(place, over))
        watcher.start()
        try:
            wanted = {"at": "now", "contract": "opening", "by": "anna", "config": place.config}
            assert report(**wanted, reproduce=True, answers=2) == 1
        finally:
            over.set()
            watcher.join(20)
    assert "Left unfinished; what was measured until then is kept" in said(capsys).err
    store = open_store(place.store, read_only=True)
    [kept] = store.reports.latest()
    held = store.comparisons.get(kept.comparison)
    store.close()
    assert (held.state, held.document["done"]) == ("partial", 0)
