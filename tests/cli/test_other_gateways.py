"""`doctor`, `plan`, `round` and `run` before a LiteLLM proxy and before one's own servers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from receiver import beside
from serinus.bootstrap.proxy import gateway_of
from serinus.cli.doctor import doctor
from serinus.cli.plan import plan
from serinus.cli.round import run as hold_round
from serinus.cli.run import run
from serinus.config import ConfigError, load
from small_hosts import Host, small_host
from small_litellm import KEY, SmallLiteLLM, small_litellm

MODEL = """
[store]
path = "serinus.sqlite"
[[model]]
id = "story"
languages = ["en"]
contracts = ["first_token", "filtering"]

[rounds]
jitter = "0s"
"""
PROXY = """
[gateway]
name = "litellm"
base_url = "{url}"
api_key_file = "key"
"""
OWN = """
[gateway]
name = "openai_compatible"
"""
REPLICA = """
[[replica]]
tag = "{tag}"
model = "story"
base_url = "{url}"
serves = "story-70b"
prompt_price = 1.0
completion_price = 2.0
"""


@pytest.fixture(params=["litellm", "openai_compatible"])
def config(request, tmp_path: Path) -> Iterator[Path]:
    """A configuration before two healthy hosts and one that is always busy."""
    file = tmp_path / "serinus.toml"
    faults = {"rack-1": None, "rack-2": None, "rack-3": "busy"}
    if request.param == "litellm":
        price = {"input_cost_per_token": 1e-6, "output_cost_per_token": 2e-6}
        proxy = SmallLiteLLM("story", faults, dict.fromkeys(faults, price))
        with beside(small_litellm(proxy)):
            (tmp_path / "key").write_text(KEY, encoding="utf-8")
            file.write_text(PROXY.format(url=proxy.url) + MODEL, encoding="utf-8")
            yield file
    else:
        hosts = {tag: Host(fault) for tag, fault in faults.items()}
        with beside(*(small_host(host) for host in hosts.values())):
            tables = "".join(REPLICA.format(tag=tag, url=host.url) for tag, host in hosts.items())
            file.write_text(OWN + MODEL + tables, encoding="utf-8")
            yield file


def test_the_doctor_finds_nothing_wrong_and_says_who_served_by_what(config, capsys):
    assert doctor(config=config, json_=True) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["ok"]
    assert found["reached"]
    said = {f["topic"]: f["found"] for f in found["findings"]}
    assert "rack-1 answered" in said["probe"]
    assert "x-litellm-model-id" in said["probe"] or "on its own address" in said["probe"]
    assert "accepts the key" in said["key"] or "has no account" in said["key"]
    assert "keeps no record of generations" in said["records"]
    assert said["prices"] == "Every route has a price."


def test_a_plan_is_made_from_its_own_prices(config, capsys):
    assert plan(config=config, json_=True) == 0
    (model,) = json.loads(capsys.readouterr().out)["models"]
    assert model["routes"] == 3
    assert model["unpriced"] == []


def test_a_round_asks_every_route_and_counts_what_it_cost_by_price(config, capsys):
    assert hold_round(config=config, json_=True) == 0
    found = json.loads(capsys.readouterr().out)
    words = {tag: {c: v["verdict"] for c, v in route.items()} for tag, route in found["routes"].items()}
    healthy = {"first_token": "pass", "filtering": "pass"}
    assert words == {
        "rack-1": healthy,
        "rack-2": healthy,
        "rack-3": {"first_token": "transport", "filtering": "transport"},
    }
    assert found["cost"] == pytest.approx(2 * (43 * 1e-6 + 64 * 2e-6), rel=1e-3)


def test_the_service_holds_rounds_there(config, capsys):
    assert run(config=config, rounds=1, yes=True) == 0
    assert "rack-1" in capsys.readouterr().out


def test_the_proxy_says_that_it_knows_no_field_of_another_gateway(config):
    with pytest.raises(ConfigError, match=r"gateway\.name: found .*; allowed: openrouter"):
        gateway_of(load(config, {}))


def test_what_costs_nothing_needs_nobodys_leave(tmp_path, capsys):
    file = tmp_path / "serinus.toml"
    with beside(small_host(Host())) as (host,):
        table = REPLICA.format(tag="rack-1", url=host.url).replace("_price = 1.0", "_price = 0.0")
        file.write_text(OWN + MODEL + table.replace("_price = 2.0", "_price = 0.0"), encoding="utf-8")
        assert run(config=file, rounds=1) == 0
    assert "rack-1" in capsys.readouterr().out


def test_a_dead_gateway_is_a_listing_that_is_told_and_no_crash(tmp_path, capsys):
    file = tmp_path / "serinus.toml"
    file.write_text(OWN + MODEL + REPLICA.format(tag="rack-1", url="http://127.0.0.1:9/v1"), encoding="utf-8")
    assert hold_round(config=file, json_=True) == 2
    assert plan(config=file) == 2
    assert doctor(config=file) == 2
    assert "no replica is live" in capsys.readouterr().err
