"""What exclusions cost an application, and how soon a change reaches it.

    python bench/client.py [--changes 20]

Lookups and hooks are timed beside a plain dict lookup in the same run, the fastest of several passes, so
that the ratio says more than the nanoseconds of a busy machine. An import is the fastest of several new
interpreters, less an empty one. A change is an operator's act in this process on a store that `serinus
serve` publishes from another one, until the client's view in this process has it. Exit status 1 if a
lookup takes more than 150 ns, a hook with nothing excluded more than 1 µs, or a change more than 1 s.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import timeit
from datetime import timedelta
from pathlib import Path
from typing import Any

from serinus.core.exclusions import Exclusion, Layer, Offered, merge
from serinus.core.policy import Exclude, Include, Policy
from serinus.core.published import OTHERS, Published, document
from serinus.engine.clock import now
from serinus.service.memory import Memory
from serinus.service.operators import act
from serinus.store import open_store
from serinus.traffic.client import Exclusions
from serinus.traffic.openai_hook import event_hooks, extra_body  # noqa: F401  timed by name

MODEL, OTHER = "acme/story-70b", "acme/tale-8b"
MODELS = 200
LOOKUP, HOOK = 150, 1000  # nanoseconds
EXPORT = ("lists.json", "--watch")
HONOURED = 1.0  # second
WAYS = ("URL, a long poll", "store, two looks a second", "exported file")


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--changes", type=int, default=20)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        slow = lookups(Path(folder))
    imports()
    with tempfile.TemporaryDirectory() as folder:
        late = changes(Path(folder), asked.changes)
    return 1 if slow or late else 0


def lists(*excluded: str) -> Published:
    """Many models; these names are suspended on one of them."""
    at = now()
    models = [MODEL, OTHER, *(f"maker-{n}/model-{n}" for n in range(MODELS)), OTHERS]
    suspended = [
        Exclusion(name, Layer.SUSPENSION, at, at + timedelta(days=1), MODEL, level=1, contracts=("language",))
        for name in excluded
    ]
    merged = {model: merge(model, at, suspended, Offered(frozenset(), {})) for model in models}
    return Published(at, {m: found for m, found in merged.items() if m != OTHERS}, merged[OTHERS])


class Url:
    """An address as an HTTP library has it."""

    host = "openrouter.ai"
    path = "/api/v1/chat/completions"


class Request:
    """A request as far as the hook looks at one."""

    def __init__(self, method: str, url: Any, **rest: Any) -> None:
        self.method, self.url, self.content = method, url, rest["content"]
        self.headers = type("Headers", (), {"raw": [(b"Content-Length", b"1")]})
        self.extensions: dict[str, Any] = {}


def lookups(folder: Path) -> bool:
    """Print what lookups and hooks cost; whether one is too slow."""
    nothing, something = folder / "nothing.json", folder / "something.json"
    nothing.write_text(json.dumps(document(lists())))
    something.write_text(json.dumps(document(lists("amber/fp8", "birch"))))
    plain: dict[str, tuple[str, ...]] = {MODEL: ("amber/fp8", "birch")}
    body = {"model": OTHER, "messages": [{"role": "user", "content": "Tell me."}]}
    small = json.dumps({**body, "model": MODEL}).encode()
    large = json.dumps({**body, "model": MODEL, "messages": [{"content": "lamp " * 4_000}]}).encode()
    with Exclusions(nothing, cache=False) as none, Exclusions(something, cache=False) as some:
        (idle,), (busy,) = event_hooks(none)["request"], event_hooks(some)["request"]
        quiet = Request("POST", Url, content=small)
        there = {**globals(), "plain": plain, "body": body, "none": none, "some": some, "idle": idle}
        there |= {
            "busy": busy,
            "quiet": quiet,
            "small": small,
            "large": large,
            "asked": {**body, "model": MODEL},
        }
        assert none.apply(body) is body  # noqa: S101  the measured thing is the promised one
        return table(there)


# What is timed: how it is called, the statement, and its limit in nanoseconds.
ROWS: list[tuple[str, str, int | None]] = [
    ("a plain dict lookup", "plain[MODEL]", None),
    ("ignore(model), two names", "some.ignore(MODEL)", LOOKUP),
    ("ignore(model), no name", "some.ignore(OTHER)", LOOKUP),
    ("ignore(a model that is not listed)", "some.ignore('who/knows')", None),
    ("apply(body), nothing of any model", "none.apply(body)", HOOK),
    ("apply(body), nothing of this model", "some.apply(body)", HOOK),
    ("apply(body), two names", "some.apply(asked)", None),
    ("openai hook, nothing of any model", "idle(quiet)", HOOK),
    ("openai extra_body, nothing of this model", "extra_body(some, OTHER)", HOOK),
    ("openai extra_body, two names", "extra_body(some, MODEL)", None),
    ("openai hook, two names, body of 80 bytes", "busy(Request('POST', Url, content=small))", None),
    ("openai hook, two names, body of 20 kB", "busy(Request('POST', Url, content=large))", None),
]


def table(there: dict[str, Any]) -> bool:
    """Print each row beside the first; whether one is over its limit."""
    base = fastest(ROWS[0][1], there)
    print(f"{'':<44}{'ns':>9}{'x dict':>9}{'limit ns':>10}")
    slow = False
    for name, statement, limit in ROWS:
        took = fastest(statement, there)
        slow = slow or (limit is not None and took > limit)
        print(f"{name:<44}{took:>9.0f}{took / base:>9.1f}{limit or '-':>10}", flush=True)
    return slow


def fastest(statement: str, there: dict[str, Any]) -> float:
    """Nanoseconds of one run, in the fastest of many short passes."""
    timer = timeit.Timer(statement, globals=there)
    number = max(10, timer.autorange()[0] // 400)  # a pass is short, so that some are not disturbed
    return min(timer.repeat(repeat=500, number=number)) / number * 1e9


def imports() -> None:
    """Print what importing costs."""
    wanted = {
        "import json, urllib.request": "import json, urllib.request",
        "import serinus.traffic.client": "import serinus.traffic.client",
        "the same, where those two are there": "import json, urllib.request; {}import serinus.traffic.client",
    }
    print(f"\n{'':<44}{'ms':>9}")
    for name, code in wanted.items():
        before, _, after = code.rpartition("{}")
        print(f"{name:<44}{importing(before, after):>9.1f}", flush=True)


def importing(before: str, code: str) -> float:
    """Milliseconds that the code takes in a new interpreter after what was there before."""
    script = f"{before}\nimport time\nbegan = time.perf_counter()\n{code}\nprint(time.perf_counter() - began)"
    return min(float(subprocess.check_output([sys.executable, "-c", script])) for _ in range(15)) * 1000


def changes(folder: Path, count: int) -> bool:
    """Print how long changes take to reach a client; whether one took too long."""
    (folder / "serinus.toml").write_text(f'[[model]]\nid = "{MODEL}"\n[store]\npath = "serinus.sqlite"\n')
    open_store(folder / "serinus.sqlite", create=True).close()
    print(f"\n{'until a change is honoured, ms':<44}{'median':>9}{'worst':>9}{'n':>5}")
    late = False
    with started(folder, "serve", "--port", "0") as serving, started(folder, "export", *EXPORT) as exporting:
        try:
            sources = (
                line_of(serving, r"serves\s+(\S+)"),
                str(folder / "serinus.sqlite"),
                str(folder / "lists.json"),
            )
            line_of(exporting, r"(\S+) holds")
            for way, source in zip(WAYS, sources, strict=True):
                took = [ms * 1000 for ms in honoured(folder, source, count)]
                late = late or (way.startswith("URL") and max(took) > HONOURED * 1000)
                print(f"{way:<44}{statistics.median(took):>9.0f}{max(took):>9.0f}{count:>5}", flush=True)
        finally:
            serving.terminate()
            exporting.terminate()
    return late


def started(folder: Path, *command: str) -> subprocess.Popen[str]:
    """A command of ours in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "serinus", *command],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def line_of(process: subprocess.Popen[str], wanted: str) -> str:
    """What it prints when it is ready."""
    for line in process.stderr or ():
        if found := re.match(wanted, line):
            return found[1]
    message = f"{process.args} did not start"
    raise RuntimeError(message)


def honoured(folder: Path, source: str, count: int) -> list[float]:
    """Seconds from an act until lookups have it, each."""
    heard = threading.Semaphore(0)
    store = open_store(folder / "serinus.sqlite")
    memory, took = Memory(store), []
    with Exclusions(source, cache=False, first=10.0, on_change=lambda _: heard.release()) as exclusions:
        heard.acquire(timeout=10)
        for n in range(count):
            time.sleep(0.05 + 0.9 * n / count)  # at another moment of whatever looks once a second
            event = (Include if n % 2 else Exclude)(
                now(), Layer.OPERATIONAL, "birch", MODEL, "bench", "bench"
            )
            act(memory, Policy(), event)
            began = time.perf_counter()
            heard.acquire(timeout=10)
            took.append(time.perf_counter() - began)
            assert exclusions.ignore(MODEL) == (() if n % 2 else ("birch",))  # noqa: S101  what is timed happened
    store.close()
    return took


if __name__ == "__main__":
    sys.exit(main())
