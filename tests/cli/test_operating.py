"""Operators' commands over a store that a canary left, as an operator types them."""

import json
import re
from datetime import timedelta

import pytest

from cli.operated import Operated
from serinus.cli import make_app
from serinus.cli.exclusions import add, list_, merged, remove
from serinus.cli.explain import explain
from serinus.cli.lift import lift
from serinus.cli.log import log
from serinus.cli.mark import mark
from serinus.cli.mode import mode
from serinus.cli.observe_report import observe_report
from serinus.cli.status import status
from world import MODEL

SIGNED = {"by": "anna", "why": "slow today"}


@pytest.fixture
def canary(tmp_path):
    """Beta is suspended and was clean once since; gamma failed the last round."""
    canary = Operated(tmp_path)
    canary.round(), canary.round("beta"), canary.round("beta"), canary.round("gamma")
    yield canary
    canary.store.close()


def lines(capsys):
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def ignored(canary, capsys):
    capsys.readouterr()
    merged(config=canary.config, json_=True)
    return lines(capsys)[0]["ignore"]


def test_status_shows_each_route_and_that_one_is_suspended(canary, capsys):
    assert status(config=canary.config) == 1
    shown = capsys.readouterr().out
    assert "FAIL ×1" in shown
    assert "3 providers in production, floor 2" in shown
    assert "beta is suspended" in shown


def test_status_is_fine_when_nothing_needs_a_look(tmp_path, capsys):
    canary = Operated(tmp_path, rounds=2)
    canary.round(), canary.round()
    assert status(config=canary.config, json_=True) == 0
    (found,) = lines(capsys)
    assert found["troubles"] == []
    assert {r["route"]: r["production"] for r in found["models"][0]["routes"]} == dict.fromkeys(
        ("alpha", "beta", "gamma", "delta/fp8"), True
    )


def test_status_is_stale_without_a_round_for_two_intervals(tmp_path, capsys):
    canary = Operated(tmp_path, rounds=6)
    canary.round()
    assert status(config=canary.config) == 1
    assert "what is shown is old" in capsys.readouterr().out


def test_status_cannot_tell_without_a_round_or_a_store(tmp_path, capsys):
    canary = Operated(tmp_path)
    assert status(config=canary.config) == 2
    assert "no round was held yet" in capsys.readouterr().out
    (tmp_path / "serinus.sqlite").unlink()
    assert status(config=canary.config) == 2
    assert "serinus.sqlite" in capsys.readouterr().err


def test_what_is_only_observed_is_shown_and_needs_no_look(tmp_path, capsys):
    canary = Operated(tmp_path, mode="observe", rounds=2)
    canary.round("beta"), canary.round("beta")
    assert status(config=canary.config) == 0
    shown = capsys.readouterr().out
    assert "would be out until" in shown
    assert "provider.ignore  []" in shown


def test_explain_says_why_a_route_is_out_and_what_restores_it(canary, capsys):
    assert explain("beta", config=canary.config) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "Suspended for filtering and spoken since" in shown
    assert "1 more clean round in a row restores it early (1 so far)" in shown
    assert "renewed (level 2, 3 days)" in shown
    assert "It owes an answer on spoken in pt" in shown


def test_explain_says_what_would_suspend_a_route_by_when(canary, capsys):
    explain("gamma", config=canary.config)
    shown = " ".join(capsys.readouterr().out.split())
    assert "The next failing round of spoken by " in shown
    assert "No suspension is remembered" in shown


def test_explain_gives_the_evidence_as_json(canary, capsys):
    explain("beta", config=canary.config, json_=True)
    (found,) = lines(capsys)
    assert {f["contract"] for f in found["findings"]} == {"spoken", "filtering"}
    assert [d["decision"] for d in found["decisions"]] == ["suspended"]
    assert found["transcripts"]


def test_explain_offers_the_nearest_names_for_one_that_is_not_known(canary, capsys):
    assert explain("gama", config=canary.config) == 2
    assert "nearest known names: gamma" in capsys.readouterr().err


def test_hostile_text_in_the_store_reaches_no_terminal_raw(tmp_path, capsys):
    canary = Operated(tmp_path, rounds=2)
    canary.round()
    act = {"by": "anna", "why": "\x1b[31mred\u202e"}
    add("gamma", config=canary.config, **act)
    list_(config=canary.config)
    log(config=canary.config)
    shown = capsys.readouterr().out
    assert "\x1b[31m" not in shown
    assert "\u202e" not in shown


def test_an_exclusion_shows_capacity_first_and_reaches_the_list(canary, capsys):
    assert add("gamma", config=canary.config, **SIGNED) == 0
    said = capsys.readouterr()
    assert "from 3 to 2 providers in production, and the floor is 2" in said.err
    assert "anna excluded gamma" in said.out
    assert ignored(canary, capsys) == ["beta", "gamma"]


def test_going_below_the_floor_needs_agreement(canary, capsys):
    add("gamma", config=canary.config, **SIGNED)
    assert add("delta", config=canary.config, **SIGNED) == 1
    assert "below the floor of 2" in capsys.readouterr().err
    assert ignored(canary, capsys) == ["beta", "gamma"]
    assert add("delta", yes=True, config=canary.config, **SIGNED) == 0
    assert "below floor" in capsys.readouterr().out
    assert ignored(canary, capsys) == ["beta", "delta", "gamma"]


def test_a_name_that_covers_nothing_is_refused_unless_it_is_wanted_anyway(canary, capsys):
    assert add("gama", config=canary.config, **SIGNED) == 1
    assert "nearest known names: gamma" in capsys.readouterr().err
    assert add("gama", anyway=True, config=canary.config, **SIGNED) == 0
    assert "covers no known route" in capsys.readouterr().err


def test_an_exclusion_may_end_by_itself(canary, capsys):
    add("gamma", for_=timedelta(hours=6), config=canary.config, **SIGNED)
    capsys.readouterr()
    list_(config=canary.config, json_=True)
    until = {e["name"]: e["until"] for e in lines(capsys)}
    assert until["gamma"] is not None
    past = canary.at - timedelta(days=1)
    assert add("alpha", until=past, config=canary.config, **SIGNED) == 1
    assert add("alpha", until=past, for_=timedelta(hours=1), config=canary.config, **SIGNED) == 1
    assert "not both" in capsys.readouterr().err


def test_only_the_entry_that_was_named_is_taken_back(canary, capsys):
    add("gamma", config=canary.config, **SIGNED)
    assert remove("gamma", model=MODEL, config=canary.config, **SIGNED) == 1
    assert "The operational layer has one for all models" in capsys.readouterr().err
    assert remove("gamma", config=canary.config, **SIGNED) == 0
    assert remove("beta", config=canary.config, **SIGNED) == 1
    assert ignored(canary, capsys) == ["beta"]


def test_the_merged_list_says_where_each_name_is_from(canary, capsys):
    merged(config=canary.config)
    shown = " ".join(capsys.readouterr().out.split())
    assert 'provider.ignore ["beta"]' in shown
    assert "suspension" in shown


def test_a_lift_ends_the_suspension_and_a_second_one_warns_and_clears_all_the_same(canary, capsys):
    assert lift("beta", config=canary.config, **SIGNED) == 0
    assert "Lifted by anna" in capsys.readouterr().out
    assert ignored(canary, capsys) == []
    assert lift("beta", config=canary.config, **SIGNED) == 0
    assert "is not suspended" in capsys.readouterr().err


def test_a_lift_is_of_one_route(canary, capsys):
    assert lift("delta", config=canary.config, **SIGNED) == 2
    assert "delta/fp8" in capsys.readouterr().err


def test_an_act_needs_a_reason(canary, capsys):
    assert lift("beta", why=" ", by="anna", config=canary.config) == 2
    assert "--why needs a reason" in capsys.readouterr().err


def test_enforcing_prints_what_was_observed_and_refuses_below_seven_days(tmp_path, capsys):
    canary = Operated(tmp_path, mode="observe", rounds=3)
    canary.round("beta"), canary.round("beta"), canary.round()
    assert mode("enforce", config=canary.config, **SIGNED) == 1
    said = capsys.readouterr().err
    assert "1 would-be suspension" in said
    assert "failed on otherwise clean routes in" in said
    assert "give --yes" in said
    assert mode("enforce", yes=True, config=canary.config, **SIGNED) == 0
    out = capsys.readouterr().out
    assert "anna set all models to enforce" in out
    assert "provider.ignore is now []" in out


def test_observing_again_ends_what_was_enforced(canary, capsys):
    assert mode("observe", contract="language", config=canary.config, **SIGNED) == 0
    assert ignored(canary, capsys) == ["beta"]
    assert mode("observe", config=canary.config, **SIGNED) == 0
    assert ignored(canary, capsys) == []


def test_a_mode_of_an_unknown_contract_is_refused(canary, capsys):
    assert mode("observe", contract="wit", config=canary.config, **SIGNED) == 2
    assert "no contract 'wit'" in capsys.readouterr().err


def test_the_log_shows_numbers_that_can_be_marked(canary, capsys):
    log(config=canary.config, kind=("suspended",), json_=True)
    (found,) = lines(capsys)
    assert (found["route"], found["mark"]) == ("beta", None)
    assert mark(found["seq"], "wrong", by="anna", why="it was us", config=canary.config) == 0
    capsys.readouterr()
    log(config=canary.config, route="beta")
    assert "[marked wrong]" in capsys.readouterr().out
    assert mark(found["seq"], "clear", by="anna", why="not sure", config=canary.config) == 0
    assert mark(1, "wrong", by="anna", why="it was us", config=canary.config) == 2


def test_a_kind_that_the_log_does_not_know_is_told_with_those_it_does(canary, capsys):
    assert log(config=canary.config, kind=("sacked",)) == 2
    assert "suspended" in capsys.readouterr().err


def test_the_observe_report_is_markdown_or_json(tmp_path, capsys):
    canary = Operated(tmp_path, mode="observe", rounds=3)
    canary.round("beta"), canary.round("beta"), canary.round()
    assert observe_report(config=canary.config) == 0
    shown = capsys.readouterr().out
    assert re.search(r"\| spoken \| observe \| [12] \|", shown)
    assert "Go on observing" in shown
    observe_report(config=canary.config, json_=True)
    (found,) = lines(capsys)
    assert found["contracts"]["spoken"]["would"] == 1
    assert found["would"][0]["route"] == "beta"


def test_acts_work_while_a_canary_has_its_place(canary, capsys):
    canary.store.claim()
    assert add("gamma", config=canary.config, **SIGNED) == 0
    status(config=canary.config)
    assert "canary: process" in capsys.readouterr().out
    assert canary.round().ignore.ignore == ("gamma",)


def typed(words):
    command, bound, _ = make_app().parse_args(words.split())
    return command.__name__, bound.arguments


def test_durations_and_times_are_typed_as_everywhere_else():
    name, arguments = typed("exclusions add gamma --why slow --for 90m")
    assert (name, arguments["for_"]) == ("add", timedelta(minutes=90))
    _, arguments = typed("exclusions add gamma --why slow --until 2026-12-01T00:00:00+01:00")
    assert f"{arguments['until']:%d %H:%M}" == "30 23:00"
    _, arguments = typed("lift beta --why slow --grace 6h --forget --by anna")
    assert (arguments["grace"], arguments["forget"], arguments["by"]) == (timedelta(hours=6), True, "anna")
    _, arguments = typed("log --since 14d --kind suspended --kind lifted --follow")
    assert (arguments["since"], arguments["kind"]) == (timedelta(days=14), ("suspended", "lifted"))


def test_a_built_in_exclusion_whose_review_is_old_or_covers_nothing_is_told(canary, capsys):
    (canary.config.parent / "exclusions.toml").write_text(
        '[[exclusion]]\nroute = "gamma"\nreason = "4-bit"\nevidence = "its page"\nreviewed_by = "anna"\n'
        'date = 2025-01-01\n[[exclusion]]\nroute = "gama"\nreason = "4-bit"\nevidence = "its page"\n'
        'reviewed_by = "anna"\ndate = 2025-01-01\n'
    )
    assert list_(config=canary.config) == 0
    told = capsys.readouterr().err
    assert "The built-in exclusion of gamma was last reviewed on 2025-01-01, " in told
    assert "The built-in exclusion of gama covers no known route." in told
