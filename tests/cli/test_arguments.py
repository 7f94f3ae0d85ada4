import subprocess
import sys
from pathlib import Path

import pytest

from serinus.cli import make_app


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["round", "--every", "3x"], ("3x", "a whole number with s, m, h or d")),
        (["run", "--every", "0s"], ("no time at all", "a whole number with s, m, h or d")),
        (["drill", "--every", "-30m"], ("-30m", "a whole number with s, m, h or d")),
        (["round", "--rounds", "0"], ("found 0", "a whole number from 1 on")),
        (["run", "--rounds", "-1"], ("found -1", "a whole number from 1 on")),
        (["drill", "--hours", "-3"], ("found -3", "a whole number from 1 on")),
        (["report", "show", "9" * 25], ("9" * 25, "at most 1000000000")),
        (["compare", "list", "--limit", "9" * 25], ("9" * 25, "at most 1000000000")),
        (["traffic", "--since", "0s"], ("no time at all", "a whole number with s, m, h or d")),
        (["compare", "--budget", "-1"], ("found -1", "a number of US dollars, from 0 on")),
        (["compare", "--budget", "nan"], ("found nan", "a number of US dollars, from 0 on")),
    ],
)
def test_a_wrong_pace_count_or_sum_is_refused_with_what_is_allowed(arguments, told, capsys):
    with pytest.raises(SystemExit) as ended:
        make_app()(arguments)
    assert ended.value.code == 2
    shown = " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert all(part in shown for part in told)


def test_a_drill_that_is_shorter_than_its_interval_is_refused(capsys):
    with pytest.raises(SystemExit) as ended:
        make_app()(["drill", "--hours", "1", "--every", "2h"])
    assert ended.value.code == 2
    assert capsys.readouterr().err == "--every: found 2h, allowed is at most --hours, 1h\n"


def test_a_reader_that_has_seen_enough_ends_a_command_without_a_traceback():
    command = [sys.executable, "-m", "serinus", "--help"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as heard:
        assert heard.stdout is not None
        assert heard.stderr is not None
        heard.stdout.close()
        assert heard.stderr.read() == b""


def test_a_closed_standard_output_ends_nothing_with_a_traceback():
    done = subprocess.run(
        ["/bin/sh", "-c", '"$0" -m serinus log --since 1h >&- ', sys.executable],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parent,
    )
    assert "Traceback" not in done.stderr
    assert "serinus.toml" in done.stderr


def test_an_ascii_locale_shows_what_it_lacks_as_utf_8():
    ascii_alone = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "serinus", "--help"], capture_output=True, check=False, env=ascii_alone
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Find silently degraded hosts" in done.stdout.decode("utf-8")
