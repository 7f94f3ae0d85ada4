import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from compared import held, world
from serinus.cli.compare import compare, list_, show
from serinus.service.comparisons import ComparisonState
from serinus.store import open_store

# Three hosts, one of which begins its answers wrong; nothing waits, so that a comparison takes a moment.
SCENARIO = """
[[model]]
id = "acme/story-70b"

[[host]]
tag = "acme/bf16"
precision = "bf16"
latency = { first_text = 0.01, per_token = 0.0 }

[[host]]
tag = "beta/fp8"
precision = "fp8"
latency = { first_text = 0.01, per_token = 0.0 }

[[host]]
tag = "iris/fp8"
precision = "fp8"
latency = { first_text = 0.01, per_token = 0.0 }
faults = [{ name = "opening_stray_punctuation", marks = ",)" }]
"""


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    file = tmp_path / "scenario.toml"
    file.write_text(SCENARIO, encoding="utf-8")
    return file


def test_a_comparison_tells_its_price_each_answer_and_its_verdict_and_packs_its_evidence(
    scenario, tmp_path, capsys
):
    pack = tmp_path / "pack"
    languages = ("en", "pt")
    done = compare(
        simulate=scenario,
        contract="opening",
        route=("iris",),
        answers=4,
        language=languages,
        pack=pack,
        json_=True,
    )
    said = capsys.readouterr()
    assert done == 0
    *progress, whole = map(json.loads, said.out.splitlines())
    assert [p["progress"]["done"] for p in progress] == list(range(1, 13))
    assert whole["state"] == "done"
    assert "12 requests to 3 routes" in said.err
    assert "stands out four times in five" in said.err
    assert whole["verdict"]["blamed"] == ["iris/fp8"]
    assert "The fault follows the endpoint iris/fp8: " in whole["verdict"]["sentence"]
    assert {f.name for f in pack.iterdir()} == {"README.md", "results.json", "repeat.sh"}
    assert compare(simulate=scenario, contract="opening", pack=pack) == 2
    assert "holds something already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "which contract? Give --contract; allowed are first_token, filtering"),
        ({"contract": "wit"}, "contract: found 'wit'"),
        ({"contract": "language", "prompts": Path(__file__)}, "must know the language of the prompts"),
    ],
)
def test_what_cannot_be_compared_is_told_and_nothing_is_asked(scenario, capsys, more, said):
    assert compare(simulate=scenario, **more) == 2
    assert said in capsys.readouterr().err


def test_a_file_of_prompts_that_is_none_is_told_without_its_text(scenario, tmp_path, capsys):
    prompts = tmp_path / "prompts.jsonl"
    prompts.write_text('{"secret words": 1}\n', encoding="utf-8")
    assert compare(simulate=scenario, contract="opening", prompts=prompts) == 2
    said = capsys.readouterr()
    assert "line 1 of the prompts" in said.err
    assert "secret words" not in said.err + said.out
    prompts.write_bytes(b"caf\xe9 \xff secret words")
    assert compare(simulate=scenario, contract="opening", prompts=prompts) == 2
    assert "the file of prompts is no UTF-8" in capsys.readouterr().err
    assert compare(simulate=scenario, contract="opening", prompts=tmp_path / "absent") == 2
    assert "absent: no such file" in capsys.readouterr().err


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A configuration whose store holds one comparison, held over a script."""
    file = tmp_path / "serinus.toml"
    file.write_text('[[model]]\nid = "acme/story-70b"\n[store]\npath = "serinus.sqlite"\n', encoding="utf-8")
    store = open_store(tmp_path / "serinus.sqlite", create=True)
    _, hands = world()
    held(replace(hands, store=store), name="one")
    store.close()
    return file


def test_what_is_kept_is_listed_and_shown_again(config, tmp_path, capsys):
    assert list_(config=config) == 0
    assert "one  2026-11-30 02:30  acme/story-70b  opening  The fault follows" in capsys.readouterr().out
    assert list_(config=config, json_=True) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "endpoint"
    assert show("one", config=config, json_=True) == 0
    assert json.loads(capsys.readouterr().out)["verdict"]["blamed"] == ["iris"]
    assert show("one", config=config, markdown=True) == 0
    out = capsys.readouterr().out
    assert out.startswith("# Comparison one\n")
    assert re.search(r"^\| iris \| \? \| 8/8 \|", out, re.MULTILINE)
    assert show("one", config=config, pack=tmp_path / "pack") == 0
    assert "The fault follows the endpoint iris: 8/8 here, 0/32 on 4 others" in capsys.readouterr().out
    assert (tmp_path / "pack" / "README.md").exists()


def test_one_that_is_not_there_is_told(config, capsys):
    assert show("two", config=config) == 2
    assert "there is no comparison 'two'" in capsys.readouterr().err


def test_a_crashed_one_is_shown_as_failed(config, capsys):
    store = open_store(config.parent / "serinus.sqlite")
    row = store.comparisons.get("one")
    store.comparisons.keep(replace(row, name="one", state=ComparisonState.RUNNING, document=row.document))
    store.close()
    assert list_(config=config) == 0
    assert "failed: " in capsys.readouterr().out
