"""User traffic as an operator sees it, beside what the canary knows."""

import json
from datetime import timedelta

from cli.operated import MODEL, Operated
from serinus.cli.traffic import traffic
from serinus.service.ledger import Served
from serinus.store import open_store


def test_what_people_excluded_and_what_is_suspended_are_told_apart_and_nothing_is_cut_off(tmp_path, capsys):
    town = Operated(tmp_path)
    for bad in ((), ("beta",), ("beta",)):
        town.round(*bad)
    at = town.at - timedelta(minutes=1)
    town.store.ledger.keep([Served(at, MODEL, "done", tag=tag) for tag in ("alpha", "beta", "beta")])
    town.store.close()
    assert traffic(config=town.config) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "…" not in shown
    assert "beta suspended, fails filtering" in shown
    assert "alpha in production" in shown


def test_no_more_is_told_than_is_kept(tmp_path, capsys):
    town = Operated(tmp_path)
    town.round()
    town.store.close()
    assert traffic(config=town.config, since=timedelta(days=99_999_999), json_=True) == 0
    assert json.loads(capsys.readouterr().out)["hours"] == 14 * 24


def test_of_many_models_without_traffic_a_few_are_named(tmp_path, capsys):
    config = tmp_path / "serinus.toml"
    models = "".join(f'[[model]]\nid = "acme/m-{n}"\n' for n in range(500))
    config.write_text(models, encoding="utf-8")
    open_store(tmp_path / "serinus.sqlite", create=True).close()
    assert traffic(config=config) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "acme/m-11 and 488 more in the last 1 day: only requests through" in shown
    assert traffic("acme/none", config=config) == 2
    assert "known: acme/m-0, " in capsys.readouterr().err
