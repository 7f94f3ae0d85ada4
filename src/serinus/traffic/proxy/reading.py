"""An answer's metadata, read from its bytes as they pass, without parsing or holding them up.

Parsing each chunk would cost more than passing it on. So a few patterns look through the first
kilobytes until the first text was seen; after that a chunk costs a reference kept for the tail, and the
last kilobytes are looked through once, at the end. Inside a JSON string each quote is escaped, so text
that speaks of `"finish_reason":` can not be taken for the field.
"""

from __future__ import annotations

import json
import re
from collections import deque
from typing import Final

_HEAD: Final = 64 * 1024  # bytes looked through for the first text
_TAIL: Final = 16 * 1024  # bytes kept for the end, and the whole chunk that begins them
_OVERLAP: Final = 64  # a pattern may be torn by two reads

# Text, reasoning or a tool call in a chat chunk; the deltas of /responses and /messages are named.
_FIRST: Final = re.compile(
    rb'"(?:content|reasoning|reasoning_content|refusal|text)"\s*:\s*"(?!")'
    rb'|"tool_calls"\s*:\s*\[\s*\{'
    rb'|"type"\s*:\s*"(?:response\.[a-z_.]*|content_block_)delta"'
)
_ID: Final = re.compile(rb'"id"\s*:\s*"([^"\\]{1,128})"')
_MODEL: Final = re.compile(rb'"model"\s*:\s*"([^"\\]{1,256})"')
_PROVIDER: Final = re.compile(rb'"provider"\s*:\s*("(?:[^"\\]|\\.){1,128}")')
_ENDINGS: Final = (
    (b'"finish_reason"', re.compile(rb'"finish_reason"\s*:\s*"([^"\\]{1,64})"')),
    (b'"stop_reason"', re.compile(rb'"stop_reason"\s*:\s*"([^"\\]{1,64})"')),
    (b'"status"', re.compile(rb'"status"\s*:\s*"(completed|incomplete|failed)"')),
)
_NORMAL: Final = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "completed": "stop",
    "max_tokens": "length",
    "incomplete": "length",
    "tool_use": "tool_calls",
    "refusal": "content_filter",
    "failed": "error",
}
_ASKED_TOKENS: Final = re.compile(rb'"(?:prompt|input)_tokens"\s*:\s*(\d{1,12})')
_SAID_TOKENS: Final = re.compile(rb'"(?:completion|output)_tokens"\s*:\s*(\d{1,12})')


class Reading:
    """Reads one answer. After `end`, what was not found is None.

    `feed` takes the bytes of each read and when they came; times are as the caller gives them. Of an
    answer that is not `plain` (a compressed one) only the size is known.
    """

    __slots__ = (
        *("_from", "_head", "_held", "_plain", "_seeking", "_stream", "_tail"),
        *("completion_tokens", "finish", "first_token", "generation", "model", "prompt_tokens", "provider"),
        "received",
    )

    def __init__(self, *, stream: bool, plain: bool) -> None:
        self._stream = stream
        self._plain = plain
        self._seeking = plain
        self._head = bytearray()
        self._from = 0
        self._tail: deque[bytes] = deque()
        self._held = 0
        self.received = 0
        self.first_token: float | None = None
        self.generation: str | None = None
        self.provider: str | None = None
        self.model: str | None = None
        self.finish: str | None = None
        self.prompt_tokens: int | None = None
        self.completion_tokens: int | None = None

    def feed(self, data: bytes, at: float) -> None:
        """Take what one read brought."""
        self.received += len(data)
        if not self._plain:
            return
        if self._seeking:
            self._seek(data, at)
        self._tail.append(data)
        self._held += len(data)
        while self._held - len(self._tail[0]) >= _TAIL:
            self._held -= len(self._tail.popleft())

    def end(self) -> None:
        """The answer is over: look at how it began and how it ended."""
        head, tail = bytes(self._head[:_HEAD]), b"".join(self._tail)
        self.generation = self.generation or _text(_ID.search(head))
        self.model = _text(_MODEL.search(head))
        named = _PROVIDER.search(head)
        self.provider = None if named is None else _unquoted(named[1])
        self.finish = _finish(tail)
        usage = max(0, tail.rfind(b'"usage"'))
        self.prompt_tokens = _number(_ASKED_TOKENS.search(tail, usage) or _ASKED_TOKENS.search(head))
        self.completion_tokens = _number(_SAID_TOKENS.search(tail, usage))
        self._tail.clear()
        self._head = bytearray()

    def _seek(self, data: bytes, at: float) -> None:
        self._head += data
        if self._stream and _FIRST.search(self._head, self._from):
            self.first_token = at
            self._seeking = False
        elif len(self._head) > _HEAD:
            self._seeking = False
        self._from = max(0, len(self._head) - _OVERLAP)


def _finish(tail: bytes) -> str | None:
    """The last ending that says something; the fields that say null come before it."""
    for name, pattern in _ENDINGS:
        at = tail.rfind(name)
        while at >= 0:
            found = pattern.match(tail, at)
            if found:
                said = found[1].decode("utf-8", "replace")
                return _NORMAL.get(said, said)
            at = tail.rfind(name, 0, at)
    return None


def _text(found: re.Match[bytes] | None) -> str | None:
    return None if found is None else found[1].decode("utf-8", "replace")


def _number(found: re.Match[bytes] | None) -> int | None:
    return None if found is None else int(found[1])


def _unquoted(written: bytes) -> str | None:
    try:
        return str(json.loads(written.decode("utf-8", "replace"), strict=False))
    except ValueError:
        return None
