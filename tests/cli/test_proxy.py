"""`serinus proxy` and `serinus traffic` as a user runs them, before a simulated gateway."""

import json
import os
import re
import signal
import subprocess
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from serinus.store import open_store

CONFIG = """
[gateway]
base_url = "{base}"
[[model]]
id = "acme/roleplay-70b"
[proxy]
port = 0
"""
ASK = {"model": "acme/roleplay-70b:nitro", "messages": [{"role": "user", "content": "hello"}]}


def started(*arguments, cwd):
    environ = {n: v for n, v in os.environ.items() if not n.startswith(("SERINUS_", "OPENROUTER_"))}
    command = [sys.executable, "-m", "serinus", *arguments]
    return subprocess.Popen(
        command, cwd=cwd, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.fixture
def folder(tmp_path):
    gateway = started("simulate", "--port", "0", "--json", cwd=tmp_path)
    base = json.loads(gateway.stdout.readline())["base_url"]
    (tmp_path / "serinus.toml").write_text(CONFIG.format(base=base), encoding="utf-8")
    open_store(tmp_path / "serinus.sqlite", create=True).close()
    yield tmp_path
    gateway.send_signal(signal.SIGINT)
    gateway.communicate(timeout=30)


def asked(base, **more):
    request = Request(  # noqa: S310  the address is the proxy's own
        f"{base}/chat/completions",
        json.dumps(ASK | more).encode(),
        {"Authorization": "Bearer sk-simulated", "Content-Type": "application/json"},
    )
    with urlopen(request, timeout=30) as answer:  # noqa: S310  as above
        return json.load(answer)


def test_an_application_changes_its_base_url_and_nothing_else(folder):
    running = started("proxy", cwd=folder)
    base = re.search(r"http://\S+/v1", running.stdout.readline())[0]
    try:
        served = asked(base, provider={"only": ["birch"]})
        with pytest.raises(HTTPError) as refused:
            asked(base.replace("/v1", "/v2"))
        refused.value.close()
        with urlopen(base.replace("/v1", "/health"), timeout=30) as page:  # noqa: S310  as above
            health = json.load(page)
    finally:
        running.send_signal(signal.SIGTERM)
        out, errors = running.communicate(timeout=30)
    assert served["provider"] == "Birch AI"
    assert refused.value.code == 404
    assert health["status"] == "ok"
    assert health["exclusions"]["stale"] is False
    assert (running.returncode, errors) == (0, "")
    assert "other machines" not in out
    shown = started("traffic", "--json", cwd=folder).communicate(timeout=30)[0]
    (row,) = json.loads(shown)["served"]
    assert (row["provider"], row["requests"], row["errors"]) == ("Birch AI", 1, 0.0)


def test_who_listens_to_other_machines_is_told_what_guards_it(folder):
    running = started("proxy", "--host", "0.0.0.0", cwd=folder)  # noqa: S104  that is the question
    lines = [running.stdout.readline() for _ in range(6)]
    running.send_signal(signal.SIGTERM)
    running.communicate(timeout=30)
    assert "callers' own gateway keys are the only guard" in lines[5]


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ('upstream = "http://169.254.169.254/v1"', "link-local or metadata address"),
        ('exclusions = "ftp://x"', "proxy.exclusions"),
    ],
)
def test_a_wrong_setting_is_told_and_nothing_listens(tmp_path, setting, said):
    config = CONFIG.format(base="http://127.0.0.1:9/v1").replace("port = 0", setting)
    (tmp_path / "serinus.toml").write_text(config, encoding="utf-8")
    running = started("proxy", "--port", "0", cwd=tmp_path)
    out, errors = running.communicate(timeout=30)
    assert (running.returncode, out) == (2, "")
    assert said in errors
    assert "Traceback" not in errors
