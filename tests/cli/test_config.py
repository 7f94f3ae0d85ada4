"""`serinus config`, as a user runs it."""

import json
import os
import subprocess
import sys

import pytest


def serinus(*arguments, folder, **variables):
    command = [sys.executable, "-m", "serinus", *arguments]
    environ = {name: value for name, value in os.environ.items() if not name.startswith("SERINUS_")}
    done = subprocess.run(
        command,
        cwd=folder,
        env={**environ, **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_init_writes_a_file_that_check_calls_good_and_never_writes_over_one(tmp_path):
    status, out, _ = serinus("config", "init", folder=tmp_path)
    assert (status, out.startswith("Wrote serinus.toml.")) == (0, True)
    status, out, _ = serinus("config", "check", folder=tmp_path)
    assert status == 0
    assert out.startswith("serinus.toml is good: 1 model, a round each 30m, observe mode")
    (tmp_path / "serinus.toml").write_text("mine", encoding="utf-8")
    status, out, err = serinus("config", "init", folder=tmp_path)
    assert (status, out) == (1, "")
    assert err == "serinus.toml is already there; --force writes over it\n"
    assert (tmp_path / "serinus.toml").read_text(encoding="utf-8") == "mine"
    assert serinus("config", "init", "--force", folder=tmp_path)[0] == 0


def test_check_prints_each_problem_on_a_line_and_fails(tmp_path):
    (tmp_path / "mine.toml").write_text("[[model]]\nid = 'a/b'\n[policy]\nflor = 1\n", encoding="utf-8")
    status, out, _ = serinus("config", "check", "mine.toml", folder=tmp_path)
    assert status == 1
    assert out.splitlines()[0].startswith("mine.toml: policy.flor: found an unknown key; allowed: mode, ")
    status, out, _ = serinus("config", "check", "mine.toml", "--json", folder=tmp_path)
    found = json.loads(out)
    assert (status, found["ok"], found["problems"][0]["advice"]) == (1, False, "did you mean floor?")


def test_a_configuration_may_stand_in_the_environment_alone(tmp_path):
    status, out, _ = serinus("config", "check", folder=tmp_path, SERINUS_MODEL="author/a,author/b")
    assert (status, out.partition(",")[0]) == (0, "environment is good: 2 models")
    status, out, _ = serinus("config", "check", "none.toml", folder=tmp_path, SERINUS_MODEL="author/a")
    assert (status, "found no such file" in out) == (1, True)


def test_a_missing_file_is_told_with_the_command_that_writes_one(tmp_path):
    status, out, _ = serinus("config", "check", folder=tmp_path)
    assert status == 1
    assert "`serinus config init serinus.toml` writes one" in out


@pytest.mark.parametrize("module", ["pydantic", "aiohttp", "serinus.contracts"])
def test_the_help_does_not_pay_for_what_it_does_not_use(module, tmp_path):
    code = f"""
import sys
from serinus.cli import main
sys.argv = ["serinus", "--help"]
try:
    main()
except SystemExit:
    sys.exit({module!r} in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, b"config" in done.stdout) == (0, True)
