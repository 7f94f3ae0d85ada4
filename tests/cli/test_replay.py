import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from serinus.cli.replay import replay
from serinus.core.instants import format_instant

SERINUS = [sys.executable, "-m", "serinus", "replay"]
ENFORCE = 'mode = "enforce"\n'


def at(minutes):
    return f"2026-11-{30 if minutes < 1440 else 31}T{minutes // 60:02}:{minutes % 60:02}:00Z"


def a_round(minutes, marks="x...", **more):
    words = {"x": "fail", ".": "pass"}
    live = list("abcd")[: len(marks)]
    results = {route: {"language": words[mark]} for route, mark in zip(live, marks, strict=True)}
    return {"at": at(minutes), "event": "round", "model": "m", "live": live, "results": results, **more}


@pytest.fixture
def run(tmp_path, capsysbinary):
    """Replay these events or raw lines; gives (exit status, printed records, lines of standard error)."""

    def run_(*lines, policy=ENFORCE, files=1, **options):
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        paths = [tmp_path / f"history{n}.jsonl" for n in range(files)]
        for n, path in enumerate(paths):
            path.write_text(
                "".join(f"{text}\n" for text in texts[n::files] if files == 1 or text), encoding="utf-8"
            )
        (tmp_path / "policy.toml").write_text(policy, encoding="utf-8")
        status = replay(*paths, policy=tmp_path / "policy.toml", **options)
        out, err = capsysbinary.readouterr()
        return status, [json.loads(line) for line in out.splitlines()], err.decode().splitlines()

    return run_


def test_each_decision_is_one_line_with_every_field_and_sorted_keys(tmp_path, capsysbinary):
    history = tmp_path / "history.jsonl"
    history.write_text("\n".join(json.dumps(a_round(m)) for m in (0, 30)), encoding="utf-8")
    assert replay(history) == 0
    line = capsysbinary.readouterr().out.decode()
    found = json.loads(line)
    assert line == json.dumps(found, sort_keys=True, ensure_ascii=False) + "\n"
    assert found == {
        "at": "2026-11-30T00:30:00Z",
        "contracts": ["language"],
        "decision": "suspended",
        "enforced": False,
        "level": 1,
        "model": "m",
        "route": "a",
        "until": "2026-12-01T00:30:00Z",
        "why": "Failed language in 2 rounds in a row; only observed: it would be kept from user traffic "
        "for 1 day (level 1); 3 providers left, the floor is 2.",
    }


def test_the_policy_file_decides_the_numbers(run):
    status, records, _ = run(
        a_round(0), policy='mode = "enforce"\nconsecutive_failures = 1\nsuspensions = ["2h"]\n'
    )
    assert status == 0
    assert [(r["decision"], r["until"], r["enforced"]) for r in records] == [
        ("suspended", "2026-11-30T02:00:00Z", True)
    ]


def test_bad_lines_are_told_with_their_number_and_stop_no_good_ones(run):
    status, records, told = run(a_round(0), "nonsense", {"event": "tick", "at": "soon"}, a_round(30))
    assert status == 1
    assert [r["decision"] for r in records] == ["suspended"]
    assert [line.partition("history0.jsonl, ")[2].partition(":")[0] for line in told] == ["line 2", "line 3"]


def test_a_bad_line_moves_no_clock(run):
    late = {**a_round(1439), "results": {"z": {}}}
    status, records, _ = run(a_round(0), late, a_round(30))
    assert (status, len(records)) == (1, 1)


def test_a_round_that_does_not_count_is_a_warning_and_no_error(run):
    status, records, told = run(a_round(0), a_round(10))
    assert (status, records) == (0, [])
    assert "line 2: the round of m is not counted: it is less than 15 minutes (min_gap) after" in told[0]


def test_a_lift_without_a_suspension_is_a_warning_and_no_decision(run):
    status, records, told = run({"at": at(0), "event": "lift", "route": "a", "model": "m"})
    assert (status, records) == (0, [])
    assert "line 1: a of m is not suspended: the lift only clears its streaks" in told[0]


def test_several_files_are_one_history(run):
    status, records, _ = run(a_round(0), a_round(30), files=2)
    assert (status, [r["decision"] for r in records]) == (0, ["suspended"])


def test_the_ignore_list_is_one_line_a_model_with_its_provenance(run):
    exclude = {
        "at": at(31),
        "event": "exclude",
        "layer": "operational",
        "route": "b",
        "by": "ops",
        "why": "slow",
    }
    status, records, told = run(a_round(0), a_round(30), exclude, ignore_at="2026-11-30T00:40:00Z")
    assert (status, told) == (0, [])
    assert records == [
        {
            "model": "m",
            "at": "2026-11-30T00:40:00Z",
            "ignore": ["a", "b"],
            "fail_open": False,
            "entries": [
                {
                    "name": "a",
                    "layer": "suspension",
                    "since": "2026-11-30T00:30:00Z",
                    "until": "2026-12-01T00:30:00Z",
                    "level": 1,
                    "contracts": ["language"],
                    "by": "canary",
                    "why": "It failed language in round after round: suspension of level 1.",
                },
                {
                    "name": "b",
                    "layer": "operational",
                    "since": "2026-11-30T00:31:00Z",
                    "until": None,
                    "level": None,
                    "contracts": None,
                    "by": "ops",
                    "why": "slow",
                },
            ],
        }
    ]


@pytest.mark.parametrize(
    ("when", "ignore"),
    [
        (at(29), []),
        (at(30), ["a"]),
        (at(89), ["a"]),
        (at(90), []),
        ("2026-11-30T05:00:00Z", []),
    ],
)
def test_the_list_is_as_it_stood_at_that_time(run, when, ignore):
    lift = {"at": at(90), "event": "lift", "route": "a", "model": "m"}
    _, records, _ = run(a_round(0), a_round(30), lift, a_round(120), ignore_at=when)
    assert [r["ignore"] for r in records] == [ignore]


def test_between_two_events_what_ran_out_has_run_out(run):
    policy = 'mode = "enforce"\nsuspensions = ["1h", "2h"]\n'
    _, (renewed,), _ = run(a_round(0), a_round(30), a_round(200), policy=policy, ignore_at=at(100))
    assert (renewed["ignore"], renewed["entries"][0]["level"]) == (["a"], 2)


def test_nothing_happens_after_the_last_event(run):
    policy = 'mode = "enforce"\nsuspensions = ["1h", "2h"]\n'
    _, (over,), _ = run(a_round(0), a_round(30), policy=policy, ignore_at=at(100))
    assert over["ignore"] == []


def test_bad_lines_after_that_time_are_told_too(run):
    status, records, told = run(a_round(0), a_round(30), "nonsense", ignore_at=at(0))
    assert (status, len(records), len(told)) == (1, 1, 1)


def test_a_list_that_would_leave_nothing_fails_open_and_says_so(run):
    acts = [
        {"at": at(31), "event": "exclude", "layer": "account", "route": r} for r in ("b", "c", "d", "Nobody")
    ]
    _, (found,), told = run(a_round(0), a_round(30), *acts, ignore_at=at(40))
    assert (found["ignore"], found["fail_open"]) == (["Nobody", "b", "c", "d"], True)
    assert [line.partition(";")[0] for line in told] == [
        "m: the exclusion of Nobody covers no known route, and the gateway drops such names silently",
        "m: the layers together cover every live route, so suspensions are left out.",
    ]


def test_every_mistake_in_the_policy_is_told_and_nothing_is_folded(run):
    status, records, told = run(a_round(0), policy='mode = "on"\nflor = 2\n')
    assert (status, records) == (2, [])
    assert [line.partition("policy.toml: ")[2].partition(",")[0] for line in told] == [
        'mode: found "on"',
        "flor: found an unknown key",
    ]


def test_what_cannot_be_read_is_told_and_nothing_is_folded(tmp_path, capsysbinary):
    good = tmp_path / "good.jsonl"
    good.write_text(json.dumps(a_round(0)), encoding="utf-8")
    for arguments in ({"policy": tmp_path / "none.toml"}, {"ignore_at": "soon"}):
        assert replay(good, **arguments) == 2
    assert replay(good, tmp_path / "none.jsonl") == 2
    assert replay(tmp_path) == 2
    out, err = capsysbinary.readouterr()
    assert out == b""
    assert len(err.splitlines()) == 4


def test_names_are_printed_as_utf8_and_shown_inert(run):
    history = [json.dumps(a_round(m)).replace('"m"', '"Möwe"') for m in (0, 30)]
    _, records, told = run(*history, {"at": at(31), "event": "lift", "route": "\x1b[2J", "model": "m"})
    assert records[0]["model"] == "Möwe"
    assert "\\x1b[2J of m is not suspended" in told[0]


def test_standard_input_is_read_where_no_file_is_named():
    lines = "".join(json.dumps(a_round(m)) + "\n" for m in (0, 30))
    done = subprocess.run(SERINUS, input=lines, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, json.loads(done.stdout)["decision"], done.stderr) == (0, "suspended", "")


def test_a_bad_line_is_exit_status_1():
    done = subprocess.run(SERINUS, input="{}\n", capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("standard input, line 1: event: found nothing, allowed is round, exclude")


def test_a_reader_that_has_seen_enough_ends_it_quietly(tmp_path):
    history = tmp_path / "history.jsonl"
    ticks = (datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=30 * n) for n in range(4000))
    weak = {"controls": {"c": "passed"}}
    lines = (json.dumps({**a_round(0), "at": format_instant(when), **weak}) for when in ticks)
    history.write_text("\n".join(lines), encoding="utf-8")
    command = [*SERINUS, str(history)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
