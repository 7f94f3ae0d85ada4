"""LiteLLM with our callback, as a library and as a router, against the simulated gateway."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from serinus.core.published import OTHERS, Published, document
from serinus.engine.clock import now
from simulated import host, scenario
from standing_gateway import AT_ONCE, standing
from traffic.client.lists import DAY, MODEL, merged

ROOT = Path(__file__).parents[2]
INTERPRETER = ROOT / ".venv-litellm" / "bin" / "python"
pytestmark = [
    pytest.mark.litellm,
    pytest.mark.skipif(
        not INTERPRETER.exists(), reason="LiteLLM is not installed: make .venv-litellm/.locked"
    ),
]


def run(script: Path, folder: Path, *suspended: str) -> str:
    """What a script of LiteLLM's interpreter prints, where these routes are suspended."""
    at = now()
    lists = Published(at, {MODEL: merged(MODEL, at, *suspended, until=at + DAY)}, merged(OTHERS, at))
    (folder / "lists.json").write_text(json.dumps(document(lists)))
    environ = {
        "SERINUS_EXCLUSIONS": str(folder / "lists.json"),
        "XDG_CACHE_HOME": str(folder),
        "PYTHONPATH": str(ROOT / "src"),
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "OPENROUTER_API_KEY": "sk-x",
        "MODEL": MODEL,
    }
    hosts = [host(tag, latency=AT_ONCE) for tag in ("amber/fp8", "birch", "cedar")]
    with standing(scenario(*hosts)) as url:
        done = subprocess.run(
            [INTERPRETER, script, url],
            env={**os.environ, **environ, "OPENROUTER_BASE_URL": url},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Who served, where birch is suspended; LiteLLM's import alone takes seconds, so one process asks all."""
    said = run(Path(__file__).with_name("litellm_hook_asks.py"), tmp_path_factory.mktemp("lists"), "birch")
    found: dict[str, Any] = json.loads(said.splitlines()[-1])
    return found


def test_the_example_runs(tmp_path: Path) -> None:
    said = run(ROOT / "examples" / "litellm_library.py", tmp_path, "birch", "cedar")
    assert said.splitlines()[-2:] == ["left out: birch cedar", "served by: Amber"]


def test_requests_to_openrouter_models_leave_out_what_is_suspended(seen: dict[str, Any]) -> None:
    assert seen["library"] == ["Amber", "Cedar"]
    assert seen["streamed"] in (["Amber"], ["Cedar"], [])  # LiteLLM's chunks do not always say


def test_what_the_caller_ignores_is_kept_wherever_he_says_it(seen: dict[str, Any]) -> None:
    assert seen["own"] == seen["extra"] == ["Amber"]


def test_a_router_leaves_out_the_deployment_of_a_suspended_route(seen: dict[str, Any]) -> None:
    assert seen["routed"] == ["host-a", "host-c"]


def test_a_deployment_that_is_asked_by_its_own_id_can_still_be_probed(seen: dict[str, Any]) -> None:
    assert seen["pinned"] == ["host-b", "Birch"]
