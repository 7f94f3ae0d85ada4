from __future__ import annotations

import io
import json
import os
import subprocess
import sys

import pytest

from recorded import FIXTURES, INN, SCENE, scene, text
from serinus.cli.judge import judge

REFUSAL = "I'm sorry, but I can't help with that request."


@pytest.fixture
def run(tmp_path, capfdbinary):
    """Judge these lines; gives (exit status, records, lines of standard error)."""

    def run_(*lines, fixtures=None, config=None):
        raw = b"".join((x if isinstance(x, bytes) else json.dumps(x).encode()) + b"\n" for x in lines)
        options = {}
        if fixtures is not None:
            (tmp_path / "fixtures.json").write_text(json.dumps(fixtures))
            options["fixtures"] = tmp_path / "fixtures.json"
        if config is not None:
            (tmp_path / "serinus.toml").write_text(config)
            options["config"] = tmp_path / "serinus.toml"
        (tmp_path / "cases.jsonl").write_bytes(raw)
        status = judge(tmp_path / "cases.jsonl", **options)
        out, err = capfdbinary.readouterr()
        return status, [json.loads(line) for line in out.splitlines()], err.decode().splitlines()

    return run_


def case(response, contract="filtering", **hint):
    return {"id": "a", "contract": contract, "request_hint": hint, "response": response}


def test_one_line_goes_in_and_one_judgement_comes_out(run):
    status, records, errors = run(case(text(REFUSAL)))
    assert (status, errors) == (0, [])
    assert [sorted(r) for r in records] == [["contract", "detail", "evidence", "id", "reason", "verdict"]]
    assert (records[0]["id"], records[0]["verdict"], records[0]["reason"]) == ("a", "fail", "canned_refusal")


def test_without_a_contract_every_one_that_applies_is_asked_in_one_order(run):
    for absent in ({"id": 7, "response": scene()}, {"id": 7, "contract": "*", "response": scene()}):
        _, records, _ = run(absent)
        names = [r["contract"] for r in records]
        assert names[:2] == ["first_token", "filtering"]
        assert len(names) == len(set(names)) >= 8
        assert {r["id"] for r in records} == {7}


def test_a_bad_line_is_told_with_its_number_and_stops_nobody(run):
    status, records, errors = run(
        case(text(SCENE)), b"{nonsense", b"", b"\xff\xfe", [1], {"id": 2}, case(text(SCENE))
    )
    assert status == 1
    assert len(records) == 2
    assert [e.split(": ")[1].rsplit(", ", 1)[-1] for e in errors] == ["line 2", "line 4", "line 5", "line 6"]
    assert all(e.startswith("error: ") for e in errors)


def test_unknown_keys_are_a_warning_and_no_error(run):
    status, records, errors = run(case(text(SCENE)) | {"title": "x"}, case(text(SCENE)) | {"title": "y"})
    assert (status, len(records)) == (0, 2)
    assert [e.split(": ", 1)[0] for e in errors] == ["warning"]


def test_fixtures_are_names_and_an_unknown_one_is_an_error_of_its_line(run):
    asked = case(text(INN), "structured_output", response_format="inn_v1")
    assert run(asked, fixtures=FIXTURES)[1][0]["verdict"] == "pass"
    status, records, errors = run(asked, case(text(SCENE)))
    assert (status, len(records)) == (1, 1)
    assert "inn_v1" in errors[0]
    assert "--fixtures" in errors[0]


def test_limits_of_a_model_come_from_the_configuration(run):
    config = '[[model]]\nid = "acme/slow"\nlimits = { first_text = "20s" }\n'
    slow = case(scene(14_000), "first_token", model="acme/slow", pin="host-a")
    slow["response"] = json.loads(json.dumps(slow["response"]).replace("acme/roleplay-70b", "acme/slow"))
    assert run(slow)[1][0]["verdict"] == "fail"
    assert run(slow, config=config)[1][0]["verdict"] == "pass"
    status, records, errors = run(slow, config='[limits]\nfirst_text = "soon"\n')
    assert (status, records) == (2, [])
    assert "limits.first_text" in errors[0]


def test_a_file_that_is_not_there_is_told_before_anything_is_judged(tmp_path, capfd):
    assert judge(tmp_path / "none.jsonl") == 2
    assert "none.jsonl cannot be read" in capfd.readouterr().err


@pytest.mark.parametrize("seed", ["0", "1", "4711"])
def test_the_same_input_gives_the_same_bytes_whatever_the_hash_seed(seed):
    lines = [
        case(scene(), "*", expect_lang="en"),
        case(text(REFUSAL), "*"),
        case(text(INN), "*", stop=["x"], odd=1),
    ]
    given = "\n".join(map(json.dumps, lines)).encode()

    def output(hash_seed):
        command = [sys.executable, "-m", "serinus", "judge"]
        environment = os.environ | {"PYTHONHASHSEED": hash_seed}
        return subprocess.run(command, input=given, env=environment, capture_output=True, check=True).stdout

    assert output(seed) == output("99")
    assert io.BytesIO(output(seed)).read().count(b"\n") > 20


def test_a_byte_order_mark_costs_no_line(run):
    first = b"\xef\xbb\xbf" + json.dumps(case(text(REFUSAL))).encode() + b"\r"
    status, records, errors = run(first)
    assert (status, len(records), errors) == (0, 1, [])


def test_what_python_cannot_read_as_json_is_said_plainly(run):
    status, _, errors = run(b"[" * 100_000, b'{"id": ' + b"9" * 5000 + b"}")
    assert status == 1
    assert "line 1: the JSON nests too deeply, allowed are some hundred levels" in errors[0]
    assert "line 2: a whole number of thousands of digits, allowed are 4300" in errors[1]
