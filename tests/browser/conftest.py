"""A real Chromium before a real server over a store that the simulator filled."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import TypeVar

import pytest

from offices import ANNA, PASSWORD, House

CHROMIUM = which("chromium") or which("chromium-browser") or which("google-chrome")
AXE = Path(__file__).parent / "vendor" / "axe.js"


T = TypeVar("T")


def apart(work: Callable[[], T]) -> T:
    """Work in a thread of its own: the browser's driver has a loop running in this one."""
    with ThreadPoolExecutor(1) as one:
        return one.submit(work).result()


@dataclass
class Served:
    """A house with its door open at `base`."""

    house: House
    base: str

    def round(self, *bad: str) -> None:
        """One more round."""
        apart(lambda: self.house.operated.round(*bad))


@pytest.fixture(scope="session")
def chromium():
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: make .venv/.browser")
    if CHROMIUM is None:
        pytest.skip("needs a Chromium; on Debian: apt-get install chromium")
    with sync_api.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def axe() -> str:
    if not AXE.exists():
        pytest.skip("needs axe-core: python hatch_build.py --test")
    return AXE.read_text(encoding="utf-8")


def serving(house: House) -> Iterator[Served]:
    """Serve a house on a free port until the end."""
    import uvicorn  # noqa: PLC0415  only these tests serve

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = uvicorn.Server(
        uvicorn.Config(house.app, port=port, log_level="error", timeout_graceful_shutdown=1)
    )
    thread = threading.Thread(target=lambda: asyncio.run(server.serve()), daemon=True)
    thread.start()
    until = time.monotonic() + 20
    while not server.started and time.monotonic() < until:
        time.sleep(0.05)
    yield Served(house, f"http://127.0.0.1:{port}")
    server.should_exit = True
    thread.join(10)


@pytest.fixture
def served(tmp_path) -> Iterator[Served]:
    yield from serving(apart(lambda: House(tmp_path, ((), ("beta",), ("beta",)))))


@pytest.fixture
def visit(chromium, served):
    """A page of a browser in which Anna is logged in; whatever its console complains of fails the test."""
    opened = []

    def page(path: str = "/", *, at: Served = served, **context):
        if at.house.store.access.operator(ANNA) is None:
            at.house.operator()
        found = chromium.new_context(base_url=at.base, **context)
        opened.append((found, complaints := []))
        tab = found.new_page()
        tab.on("console", lambda m: m.type in {"error", "warning"} and complaints.append(m.text))
        tab.on("pageerror", lambda e: complaints.append(str(e)))
        tab.goto("/login?next=" + path.replace("&", "%26").replace("?", "%3F"))
        tab.fill("#name", ANNA)
        tab.fill("#password", PASSWORD)
        tab.click("main button")
        return tab

    yield page
    for context, complaints in opened:
        context.close()
        assert complaints == []
