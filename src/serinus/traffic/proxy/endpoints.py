"""Which paths carry a `provider` object, and where any path leads.

After OpenRouter's own client library (`openrouter` 1.3.84), whose requests for these have
`provider.ignore`. Speech, transcription and video know provider options alone; a batch takes `only`
alone; `presets/{slug}/chat/completions` writes a preset, into which a passing suspension may not go.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote_to_bytes

ROUTED: Final = frozenset(
    {"chat/completions", "completions", "responses", "messages", "embeddings", "rerank", "images"}
)
_PREFIXES: Final = (b"/api/v1/", b"/v1/")  # as callers know the gateway, and as they know OpenAI
_PLAIN: Final = re.compile(rb"[!$-;=@-Z_a-z~]++")  # visible ASCII but no quote, bracket, backslash, ?, #


class BadPathError(ValueError):
    """The path leads nowhere that the proxy goes; the message says why."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a request goes: `path` beneath the gateway's base URL, as it was written."""

    path: str
    routed: bool


def endpoint_of(raw_path: bytes) -> Endpoint:
    """The endpoint of a request's path as it came, undecoded.

    Raises:
        BadPathError: it is not beneath `/v1/` or `/api/v1/`, or would leave it on the way.
    """
    prefix = next((p for p in _PREFIXES if raw_path.startswith(p)), None)
    if prefix is None:
        message = "the path is not beneath /v1/ (or /api/v1/)"
        raise BadPathError(message)
    rest = raw_path[len(prefix) :]
    if not _PLAIN.fullmatch(rest) or _strays(rest):
        message = "the path has dots, doubled slashes or characters that might lead elsewhere"
        raise BadPathError(message)
    path = rest.decode("ascii")
    return Endpoint(path, path.rstrip("/") in ROUTED)


def _strays(rest: bytes) -> bool:
    """Whether a server that decodes or tidies the path could read another one in it."""
    decoded = rest
    for _ in range(3):  # %252e is read as %2e by one server and as . by the next
        decoded = unquote_to_bytes(decoded)
    parts = decoded.replace(b"\\", b"/").split(b"/")
    return any(part in {b".", b".."} for part in parts) or b"" in parts[:-1] or min(decoded) < ord(" ")
