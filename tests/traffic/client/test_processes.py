"""Processes that fork, end, and find their source in the environment."""

import json
import os
import subprocess
import sys
from datetime import timedelta

from serinus.engine.clock import now
from traffic.client.lists import MODEL, excluded, suspended, written

FORKING = """
import os, sys
from serinus.traffic.client import Exclusions

exclusions = Exclusions(on_change=lambda _: None)
assert exclusions.ignore(sys.argv[1]) == ("birch",), exclusions.trouble
pid = os.fork()
if not pid:
    import threading
    assert not [t for t in threading.enumerate() if t.name == "serinus-exclusions"]
    os.replace(sys.argv[2], os.environ["SERINUS_EXCLUSIONS"])
    assert exclusions.ignore(sys.argv[1])
    assert [t for t in threading.enumerate() if t.name == "serinus-exclusions"]
    while exclusions.ignore(sys.argv[1]) != ("cedar",):
        threading.Event().wait(0.01)
    os._exit(0)
_, status = os.waitpid(pid, 0)
while exclusions.ignore(sys.argv[1]) != ("cedar",):
    pass
sys.exit(status)
"""

ENDING = """
import sys
from serinus.traffic.client import Exclusions

exclusions = Exclusions("http://127.0.0.1:9", cache=False, first=0.01)
print(exclusions.ignore("model"), exclusions.stale)
"""

IMPORTED = """
import sys
before = set(sys.modules)
import serinus.traffic.client, serinus.traffic.openai_hook, serinus.traffic.litellm_hook
print(*sorted({name.partition(".")[0] for name in set(sys.modules) - before} - set(sys.stdlib_module_names)))
print(*sorted(n for n in sys.modules if n in {"ssl", "http.client", "sqlite3", "asyncio", "logging"}))
"""


def run(script, *arguments, **environ):
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", script, *arguments],
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_child_goes_on_by_itself_from_its_first_lookup(tmp_path):
    at = now()
    end = at + timedelta(days=1)
    (tmp_path / "lists.json").write_bytes(written(suspended("birch", end), at=at))
    (tmp_path / "next.json").write_bytes(written(excluded("cedar"), at=at))
    environ = {"SERINUS_EXCLUSIONS": str(tmp_path / "lists.json"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = run(FORKING, MODEL, str(tmp_path / "next.json"), **environ)
    assert (done.returncode, done.stderr) == (0, "")
    (kept,) = (tmp_path / "cache" / "serinus").glob("exclusions-*.json")
    assert json.loads(kept.read_bytes())["kept"]["source"] == str(tmp_path / "lists.json")


def test_an_interpreter_ends_cleanly_while_the_source_is_away():
    done = run(ENDING)
    assert (done.returncode, done.stdout) == (0, "() True\n")
    assert "Traceback" not in done.stderr


def test_importing_brings_nothing_but_the_standard_library_and_little_of_that():
    done = run(IMPORTED)
    assert (done.stderr, done.stdout) == ("", "serinus\n\n")
