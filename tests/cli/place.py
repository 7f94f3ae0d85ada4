"""A folder with a configuration before a gateway; its channels are paths of a receiver."""

from __future__ import annotations

import json
from pathlib import Path

from receiver import Receiver

QUICK = {"first_text": 0.01, "per_token": 0.0}
SCENARIO = {
    "model": [{"id": "acme/story-70b"}],
    "host": [
        {"tag": "alpha", "latency": QUICK},
        {"tag": "beta", "latency": QUICK},
        {"tag": "gamma", "latency": QUICK, "faults": [{"name": "json_fenced"}]},
    ],
}
CONFIG = """
[gateway]
base_url = "{gateway}"
api_key_file = "key"

[[model]]
id = "acme/story-70b"
"""
OFTEN = """
languages = ["en"]

[rounds]
interval = "1s"
jitter = "0s"

[policy]
mode = "enforce"
min_gap = "0s"

[heartbeat]
url_file = "heartbeat"
"""
CHANNEL = """
[[notify]]
name = "{name}"
kind = "webhook"
url_file = "{name}"
secret_file = "key"
kinds = {kinds}
"""


def configured(folder: Path, gateway: str, more: str = "", *, key: str = "sk-for-a-simulator") -> Path:
    """The configuration of one model before a gateway, its key beside it; `more` goes on in `[[model]]`."""
    (folder / "key").write_text(key, encoding="utf-8")
    file = folder / "serinus.toml"
    file.write_text(CONFIG.format(gateway=gateway) + more, encoding="utf-8")
    return file


class Place:
    """A folder with a configuration whose channels are paths of a receiver."""

    def __init__(self, folder: Path, receiver: Receiver) -> None:
        self.folder = folder
        self.receiver = receiver
        self.config = folder / "serinus.toml"
        self.store = folder / "serinus.sqlite"

    def write(self, gateway: str, **channels: list[str]) -> None:
        for name in channels:
            self.hold(name, f"{self.receiver.base}/{name}")
        self.hold("heartbeat", f"{self.receiver.base}/beat")
        told = (CHANNEL.format(name=name, kinds=json.dumps(kinds)) for name, kinds in channels.items())
        configured(self.folder, gateway, "".join([OFTEN, *told]), key="sk-secret")

    def hold(self, name: str, secret: str) -> None:
        (self.folder / name).write_text(secret, encoding="utf-8")
