"""Operators' channels as a user meets them: a configuration, a simulated gateway, a local receiver."""

import json
from collections.abc import Callable

import pytest

from cli.place import SCENARIO, Place
from receiver import Receiver, beside
from serinus.cli.notify import enable, list_, try_
from serinus.cli.run import run
from serinus.engine.clock import now
from serinus.simulator.scenario_file import parse
from serinus.simulator.simulator import Simulator
from serinus.store import open_store


@pytest.fixture
def place(tmp_path) -> Callable[..., Place]:
    return Place(tmp_path, Receiver())


def lines(shown: str) -> list[dict]:
    return [json.loads(line) for line in shown.splitlines() if line.startswith("{")]


def test_a_run_tells_its_channels_and_names_those_that_fail(place, capsys):
    place.receiver.answer = lambda path, _: {"/gone": 410, "/busy": 503}.get(path, 204)
    simulator = Simulator(parse(SCENARIO))
    with beside(place.receiver.served(), simulator):
        place.write(simulator.base_url, good=[], few=["restored"], gone=[], busy=[])
        assert run(config=place.config, rounds=3, yes=True) == 0
    told = place.receiver.notices("/good")
    assert {"suspended", "channel_disabled"} <= {n["kind"] for n in told}
    assert [n["route"] for n in told if n["kind"] == "suspended"] == ["gamma"]
    assert len({n["id"] for n in told}) == len(told)
    assert place.receiver.calls("/few") == 0
    assert place.receiver.calls("/gone") == 1
    assert place.receiver.calls("/elsewhere") == 0
    assert place.receiver.calls("/beat") >= 1
    shown = capsys.readouterr().out
    said = [line for line in lines(shown) if line["event"] == "delivery"]
    assert [(s["what"], s["level"]) for s in sorted(said, key=lambda s: s["what"])] == [
        ("channel busy", "warning"),
        ("channel gone", "warning"),
    ]
    assert lines(shown)[0]["channels"] == ["good", "few", "gone", "busy"]
    assert "sk-secret" not in shown
    store = open_store(place.store, read_only=True)
    assert list(store.disabled_channels()) == ["gone"]
    store.close()


def test_a_channel_is_tried_shown_and_enabled_again(place, capsys):
    statuses = {"/bad": 404}
    place.receiver.answer = lambda path, _: statuses.get(path, 200)
    with beside(place.receiver.served()):
        place.write("http://127.0.0.1:9", good=[], bad=["suspended"])
        assert try_(config=place.config) == 1
        shown = capsys.readouterr().out
        assert "good  took the test notice" in shown
        assert "bad  webhook bad answered 404; a running canary would disable it" in shown
        assert try_("good", config=place.config, json_=True) == 0
        assert lines(capsys.readouterr().out) == [{"channel": "good", "taken": True, "trouble": None}]
    assert [n["kind"] for n in place.receiver.notices("/good")] == ["test", "test"]
    open_store(place.store, create=True).close()
    store = open_store(place.store)
    store.disable_channel("bad", "webhook bad answered 404", now())
    store.close()
    assert list_(config=place.config) == 0
    assert "DISABLED: webhook bad answered 404" in capsys.readouterr().out
    assert enable("bad", by="ops", why="the hook moved", config=place.config) == 0
    assert list_(config=place.config, json_=True) == 0
    rows = {row["channel"]: row for row in lines(capsys.readouterr().out)}
    assert rows["bad"]["disabled"] is None
    assert rows["good"]["waiting"] == 1  # the notice that the other is enabled again
    assert rows["bad"]["waiting"] == 0


@pytest.mark.parametrize("name", ["nobody", None])
def test_a_channel_that_is_not_configured_is_told_with_those_that_are(place, capsys, name):
    place.receiver.base = "http://127.0.0.1:9"
    place.write("http://127.0.0.1:9", **({"good": []} if name else {}))
    assert try_(name, config=place.config) == 2
    assert ("configured: good" if name else "add a [[notify]] table") in capsys.readouterr().err


def test_a_channel_without_its_url_stops_a_run_before_it_asks_anybody(place, capsys):
    place.receiver.base = "http://127.0.0.1:9"
    place.write("http://127.0.0.1:9", good=[])
    (place.folder / "good").unlink()
    assert run(config=place.config, rounds=1, yes=True) == 2
    assert "the URL of channel good" in capsys.readouterr().err
