"""Every example of the documents that is marked to be run says what it shows.

`<!-- file: NAME -->` before a block writes it to that name; `<!-- run -->` before a console block runs each
of its commands in the same folder. A line of `…` in the expected output stands for any lines.
"""

import os
import re
import shlex
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
STEP = re.compile(r"<!-- (?P<what>run|file: (?P<name>\S+)) -->\n+```\w*\n(?P<text>.*?)```", re.DOTALL)
COMMAND = re.compile(r"^\$ (?P<line>.*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)
PAGES = [
    p for p in chain(ROOT.glob("*.md"), (ROOT / "docs").rglob("*.md")) if STEP.search(p.read_text("utf-8"))
]


def run(line, folder):
    words = shlex.split(line)
    assert words[0] == "serinus"
    environ = {n: v for n, v in os.environ.items() if not n.startswith(("SERINUS_", "OPENROUTER_"))}
    command = [sys.executable, "-m", *words]
    done = subprocess.run(
        command,
        cwd=folder,
        env={**environ, "COLUMNS": "100"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    return done.stdout


def as_shown(output):
    """What an expected output allows: itself, with any lines for a line of `…`."""
    return re.escape(output).replace("…\\\n", "(?:.*\n)*?").replace("…", ".*?")


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_example_says_what_it_shows(page, tmp_path):
    for step in STEP.finditer(page.read_text(encoding="utf-8")):
        if step["name"]:
            (tmp_path / step["name"]).write_text(step["text"], encoding="utf-8")
            continue
        for command in COMMAND.finditer(step["text"]):
            said = run(command["line"], tmp_path)
            assert re.fullmatch(as_shown(command["output"]), said), f"$ {command['line']}\n{said}"
