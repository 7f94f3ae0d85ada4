"""The merged lists as a file."""

import json
import os
import shutil
import signal
import subprocess
import sys
from datetime import timedelta

import pytest

from cli.operated import suspended_beta
from serinus.cli.export import export
from serinus.cli.lift import lift
from serinus.core.policy import State
from serinus.core.published_reading import read
from serinus.traffic.client import Exclusions
from serinus.traffic.export import PULSE, Export
from traffic.client.lists import AT
from world import MODEL


@pytest.fixture
def canary(tmp_path):
    """Beta is suspended."""
    with suspended_beta(tmp_path) as canary:
        yield canary


def test_applications_read_what_was_exported(canary, tmp_path, capsys):
    target = tmp_path / "lists.json"
    assert export(target, config=canary.config) == 0
    assert "holds the lists of 1 model, with 1 name, as of " in capsys.readouterr().err
    with Exclusions(target, cache=False) as exclusions:
        assert exclusions.ignore(MODEL) == ("beta",)
        assert not exclusions.stale
    assert target.stat().st_mode & 0o777 == 0o644
    assert not list(tmp_path.glob(".*.part"))


def test_without_a_file_it_is_printed(canary, capsys):
    assert export(config=canary.config) == 0
    assert read(json.loads(capsys.readouterr().out)).of(MODEL).ignore == ("beta",)


def test_a_store_that_cannot_be_read_leaves_the_file_as_it_is(canary, tmp_path, capsys):
    target = tmp_path / "lists.json"
    target.write_text("the last good list")
    canary.store.close()
    (tmp_path / "serinus.sqlite").write_bytes(b"SQLite format 3\0" + b"garbage" * 999)
    assert export(target, config=canary.config) == 2
    assert target.read_text() == "the last good list"
    (tmp_path / "serinus.sqlite").unlink()
    assert export(target, config=canary.config) == 2
    assert target.read_text() == "the last good list"
    assert "serinus.sqlite" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["missing/lists.json", "folder"])
def test_a_place_that_cannot_be_written_is_told(canary, tmp_path, capsys, name):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "inside").touch()
    assert export(tmp_path / name, config=canary.config) == 2
    assert name.partition("/")[0] in capsys.readouterr().err


def test_watching_needs_a_file(canary, capsys):
    assert export(watch=True, config=canary.config) == 2
    assert "--watch needs a file" in capsys.readouterr().err


def test_watching_writes_what_is_news_and_bears_with_a_lost_folder_until_it_is_ended(canary, tmp_path):
    target = tmp_path / "served" / "lists.json"
    target.parent.mkdir()
    command = [
        sys.executable,
        "-m",
        "serinus",
        "export",
        str(target),
        "--watch",
        "--config",
        str(canary.config),
    ]
    environ = {name: value for name, value in os.environ.items() if not name.startswith("SERINUS_")}
    with subprocess.Popen(command, env=environ, stderr=subprocess.PIPE, text=True) as watching:
        try:
            assert "with 1 name" in watching.stderr.readline()
            shutil.rmtree(target.parent)
            assert lift("beta", model=MODEL, config=canary.config, by="anna", why="it is well") == 0
            assert f"{target}: no such file or directory. The file stays" in watching.stderr.readline()
            target.parent.mkdir()
            assert "with 0 names" in watching.stderr.readline()
            assert read(json.loads(target.read_bytes())).of(MODEL).ignore == ()
            watching.send_signal(signal.SIGINT)
            assert watching.wait(30) == 130
        finally:
            watching.kill()


def test_a_file_that_says_the_same_is_written_again_now_and_then_so_that_its_age_tells_that_we_live(tmp_path):
    kept = Export(tmp_path / "lists.json", (MODEL,))
    assert kept.put(State(), AT)
    assert not kept.put(State(), AT + PULSE - timedelta(seconds=1))
    assert read(json.loads(kept.path.read_bytes())).at == AT
    assert not kept.put(State(), AT + PULSE)
    assert read(json.loads(kept.path.read_bytes())).at == AT + PULSE
    assert not kept.put(State(), AT)  # the clock was set back
    assert read(json.loads(kept.path.read_bytes())).at == AT
