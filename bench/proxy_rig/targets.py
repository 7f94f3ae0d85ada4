"""The proxies that are compared, each at its defaults, with one worker, before the same gateway."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from proxy_rig.processes import free_port, running

MODEL = "acme/story-70b"
_NGINX = """
daemon off; master_process off; worker_processes 1; pid {folder}/nginx.pid; error_log stderr error;
events {{ worker_connections 8192; }}
http {{
  access_log off; client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
  uwsgi_temp_path {folder}; scgi_temp_path {folder}; keepalive_requests 1000000;
  upstream gateway {{ server 127.0.0.1:{upstream}; keepalive 1024; keepalive_requests 1000000; }}
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    location / {{ proxy_pass http://gateway; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_buffering off; client_max_body_size 64m; }}
  }}
}}
"""
_SERINUS = """
[gateway]
base_url = "http://127.0.0.1:{upstream}/v1"
[[model]]
id = "{model}"
[store]
path = "{folder}/ledger.sqlite"
[proxy]
exclusions = "{folder}/exclusions.json"
ledger = {ledger}
"""
_LITELLM = """
model_list:
  - model_name: {model}
    litellm_params: {{model: openai/{model}, api_base: "http://127.0.0.1:{upstream}/v1", api_key: sk-bench}}
litellm_settings: {{telemetry: false}}
"""


@dataclass(frozen=True)
class Target:
    """A proxy: how to start it before a gateway's port, and the header lines that its callers add."""

    name: str
    start: Callable[[Path, int, int], Iterator[int]]
    headers: Callable[[int], str] = lambda _: ""

    @contextmanager
    def before(self, folder: Path, upstream: int) -> Iterator[tuple[int, int]]:
        """Its port and process id, running before this gateway."""
        port = free_port()
        own = folder / f"{self.name.replace(' ', '-')}-{upstream}"
        own.mkdir(exist_ok=True)
        with contextmanager(self.start)(own, port, upstream) as pid:
            yield port, pid


def targets(
    portkey: Path | None, litellm: Path, uvloop: Path | None = None
) -> tuple[list[Target], list[str]]:
    """Those that are installed, and a line for each that is not."""
    found, missing = [], []
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    if Path(nginx).exists():
        found.append(Target("nginx", _starter([nginx, "-c", "{folder}/conf"], "conf", _NGINX)))
    else:
        missing.append("nginx: not installed, so there is nothing to compare with")
    found += [Target("serinus", _serinus(ledger=True)), Target("serinus, no ledger", _serinus(ledger=False))]
    if uvloop is not None:
        found.append(Target("serinus, uvloop", _serinus(ledger=True, env={"PYTHONPATH": str(uvloop)})))
    if litellm.exists():
        command = [str(litellm), "--config", "{folder}/conf.yaml", "--host", "127.0.0.1", "--port", "{port}"]
        found.append(Target("litellm", _starter(command, "conf.yaml", _LITELLM)))
    else:
        missing.append(f"litellm: no {litellm}; make .venv-litellm/.locked installs it")
    server = None if portkey is None else portkey / "node_modules/@portkey-ai/gateway/build/start-server.js"
    if server is not None and server.exists() and shutil.which("node"):
        command = ["node", str(server), "--port={port}", "--headless"]
        found.append(Target("portkey", _starter(command, "conf", ""), _portkey_headers))
    else:
        missing.append("portkey: name with --portkey the folder where npm installed @portkey-ai/gateway")
    return found, missing


def _portkey_headers(upstream: int) -> str:
    return f"x-portkey-provider: openai\r\nx-portkey-custom-host: http://127.0.0.1:{upstream}/v1\r\n"


def _starter(command: list[str], name: str, conf: str) -> Callable[[Path, int, int], Iterator[int]]:
    def start(folder: Path, port: int, upstream: int) -> Iterator[int]:
        told = {"folder": folder, "port": port, "upstream": upstream, "model": MODEL}
        (folder / name).write_text(conf.format(**told), encoding="utf-8")
        env = {"NODE_ENV": "production", "TRUSTED_CUSTOM_HOSTS": "127.0.0.1,localhost"}
        env |= {"LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY": "true"}  # as this rig has no key
        filled = [part.format(**told) for part in command]
        with running(filled, port, folder / "log", env) as pid:
            yield pid

    return start


def _serinus(*, ledger: bool, env: dict[str, str] | None = None) -> Callable[[Path, int, int], Iterator[int]]:
    """The whole command, with a list that excludes two hosts and a ledger in a file."""

    def start(folder: Path, port: int, upstream: int) -> Iterator[int]:
        (folder / "exclusions.json").write_text(json.dumps(exclusions()), encoding="utf-8")
        command = serinus_command(folder, port, upstream, ledger=ledger)
        with running(command, port, folder / "log", env) as pid:
            yield pid

    return start


def serinus_command(folder: Path, port: int, upstream: int, *, ledger: bool = True) -> list[str]:
    """The whole command, with its configuration in a folder that holds the list."""
    told = {"folder": folder, "upstream": upstream, "model": MODEL, "ledger": str(ledger).lower()}
    (folder / "serinus.toml").write_text(_SERINUS.format(**told), encoding="utf-8")
    program = str(Path(sys.executable).with_name("serinus"))
    return [program, "proxy", "--config", str(folder / "serinus.toml"), "--port", str(port)]


def exclusions() -> dict[str, object]:
    """A published list that excludes two hosts of the model."""
    at = "2026-11-30T00:00:00Z"
    entries = [
        {"name": name, "layer": "operational", "since": at, "until": None, "by": "bench", "why": "bench"}
        for name in ("cedar/fp4", "novita")
    ]
    found = {"model": MODEL, "at": at, "ignore": ["cedar/fp4", "novita"], "fail_open": False}
    ours = {**found, "entries": [{**e, "level": None, "contracts": None} for e in entries], "unmatched": []}
    others = {"model": None, "at": at, "ignore": [], "fail_open": False, "entries": [], "unmatched": []}
    return {"version": 1, "at": at, "models": {MODEL: ours}, "others": others}
