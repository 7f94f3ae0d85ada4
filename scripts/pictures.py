"""Renders the pictures of README and docs: a day of the demo's hosts, seen in a real browser.

    python scripts/pictures.py [--into docs/pictures]

The simulated gateway's demo runs for 26 logical hours into a store of its own; its pages are served on
this machine with a clock that stands still, so that the same code gives the same pictures. Needs
playwright (make .venv/.browser) and a Chromium of the system.
"""

from __future__ import annotations

import argparse
import asyncio
import socket
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from shutil import which
from typing import Any, Final

import uvicorn
from playwright.sync_api import Browser, sync_playwright

from serinus.contracts import contracts
from serinus.core.exclusions import Layer
from serinus.core.policy import Exclude, Mode, Policy
from serinus.prober.pace import Pace
from serinus.probes.languages import LANGUAGES
from serinus.service.access.keeping import Keeper
from serinus.service.desk import Desk
from serinus.service.memory import Memory
from serinus.service.operators import act
from serinus.service.planning import ModelPlan
from serinus.service.storage import Store
from serinus.simulator.demo import demo
from serinus.simulator.drill import BEGAN, Drill
from serinus.store import open_store
from serinus.web.app import make_app
from serinus.web.gate import Gate
from serinus.web.live import Changes
from serinus.web.office import Office
from serinus.web.site import Site

LENGTH: Final = timedelta(hours=26)
INTERVAL: Final = timedelta(minutes=30)
POLICY: Final = Policy(mode=Mode.ENFORCE)
NAME, PASSWORD = "ada", "only for pictures"
MODEL = "acme/roleplay-70b"


@dataclass(frozen=True)
class Picture:
    """One picture: the page, how wide, in which scheme, cut to which height (None: the whole page)."""

    file: str
    path: str
    width: int = 1180
    height: int | None = 900
    scheme: str = "light"


PICTURES: Final = (
    Picture("overview.png", "/", height=1480),
    Picture("overview-dark.png", "/", height=1480, scheme="dark"),
    Picture("route.png", f"/route?model={MODEL}&tag=harbor/int8", height=1040),
    Picture(
        "exclude.png", f"/exclude?name=amber&model={MODEL}&look=1&why=slow+since+this+morning", height=760
    ),
    Picture("phone.png", "/", width=375, height=760),
)


def plan() -> ModelPlan:
    """What is asked of the demo's model."""
    scenario = demo()
    controls = frozenset(host.tag for host in scenario.hosts if host.control)
    return ModelPlan(MODEL, tuple(LANGUAGES), contracts(), controls)


def fill(store: Store) -> datetime:
    """A day and two hours of rounds, and one act; the instant after them."""
    drill = Drill(
        scenario=demo(),
        plan=plan(),
        policy=POLICY,
        store=store,
        pace=Pace(starts_per_second=float("inf")),
        length=LENGTH,
        interval=INTERVAL,
    )
    asyncio.run(drill.run(lambda done, of: print(f"\rround {done} of {of}", end="", file=sys.stderr)))
    print(file=sys.stderr)
    at = BEGAN + LENGTH - timedelta(minutes=12)
    event = Exclude(
        at, Layer.OPERATIONAL, "jasper", MODEL, NAME, "no answer since yesterday", at + 3 * LENGTH
    )
    act(Memory(store), POLICY, event)
    return at


def serve(store: Store, at: datetime) -> tuple[uvicorn.Server, str]:
    """The pages over a store, at an instant that stands still."""
    Keeper(store.access, "pictures", at).set_up(NAME, PASSWORD)
    memory = Memory(store)
    made = plan()
    desk = Desk(store, memory, POLICY, lambda: at, (MODEL,), INTERVAL, 1.0, {MODEL: made.controls})
    gate = Gate(store.access, lambda: at, session=timedelta(days=365 * 100))
    app = make_app(Office(desk, gate, Changes(lambda: 0), Site(), {MODEL: made}))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error", timeout_graceful_shutdown=1))
    threading.Thread(target=lambda: asyncio.run(server.serve()), daemon=True).start()
    while not server.started:
        time.sleep(0.05)
    return server, f"http://127.0.0.1:{port}"


def take(browser: Browser, base: str, picture: Picture, into: Path) -> None:
    """One picture."""
    size: Any = {"width": picture.width, "height": picture.height or 900}
    scheme: Any = picture.scheme
    context = browser.new_context(
        base_url=base,
        viewport=size,
        color_scheme=scheme,
        device_scale_factor=2 if picture.width < 500 else 1,  # noqa: PLR2004  a phone, reduced_motion="reduce"
    )
    tab = context.new_page()
    tab.goto("/login?next=/plan")
    tab.fill("#name", NAME)
    tab.fill("#password", PASSWORD)
    tab.click("main button")
    tab.goto(picture.path)
    if tab.locator("#feed").count():
        tab.wait_for_selector(".live[data-state=on]")
    tab.screenshot(path=into / picture.file, full_page=picture.height is None)
    print(f"{into / picture.file}  {(into / picture.file).stat().st_size // 1000} KB")
    context.close()


def main() -> None:
    """Fill, serve, take."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--into", type=Path, default=Path(__file__).parent.parent / "docs" / "pictures")
    into = parser.parse_args().into
    chromium = which("chromium") or which("chromium-browser") or which("google-chrome")
    if chromium is None:
        sys.exit("needs a Chromium; on Debian: apt-get install chromium")
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "serinus.sqlite", create=True)
        server, base = serve(store, fill(store))
        with sync_playwright() as started:
            browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            for picture in PICTURES:
                take(browser, base, picture, into)
            browser.close()
        server.should_exit = True


if __name__ == "__main__":
    main()
