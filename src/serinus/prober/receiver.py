"""What the bytes of an answer are: events, a plain body, or neither, within a cap on size.

No network here: bytes go in with the time they came, evidence comes out.
"""

from __future__ import annotations

import zlib
from typing import Final

from serinus.core.transcript import Event
from serinus.wire.sse import EventReader

# How an event stream begins. Some hosts send one as text/plain or application/json.
_OPENINGS: Final = (b"data:", b"event:", b"id:", b"retry:", b":")
_BLANK: Final = b"\xef\xbb\xbf \t\r\n"
_UNDECIDED: Final = 4096  # bytes of nothing but blanks after which it is no stream
_DONE: Final = "[DONE]"
_GZIP_OR_ZLIB: Final = 47  # wbits of zlib: 15 bits of window, header recognised by itself


class Receiver:
    """Gathers one answer.

    `feed` returns False once no more is wanted: the cap is reached, or the encoding is broken.
    `events` and `body` are what came; a stream without any data has in `body` the lines that no
    stream has (a bare JSON error under `text/event-stream`, say). `trouble` says what could not be
    decoded, `done` that `[DONE]` was seen.
    """

    __slots__ = (
        *("_inflate", "_last", "_raw", "_reader", "_room", "_stream"),
        *("body", "capped", "done", "events", "trouble"),
    )

    def __init__(self, cap: int, content_type: str = "", encoding: str = "") -> None:
        self.events: list[Event] = []
        self.body: str | None = None
        self.capped = False
        self.done = False
        self.trouble: str | None = None
        self._room = cap
        self._reader = EventReader()
        self._stream: bool | None = True if content_type.startswith("text/event-stream") else None
        self._raw: bytearray | None = bytearray()  # None once data events made it needless
        self._last: float | None = None
        self._inflate = _Inflater() if encoding in {"gzip", "x-gzip", "deflate"} else None
        if not self._inflate and encoding not in {"", "identity"}:
            self.trouble = f"encoding: the answer came as {encoding!r}, which was not asked for"

    def feed(self, data: bytes, at: float) -> bool:
        """Take what one read brought; False when no more is wanted."""
        self._last = at
        data = self._plain(data)
        if len(data) > self._room:
            data, self.capped = data[: self._room], True
        self._room -= len(data)
        if self._raw is not None:
            self._raw += data
        if self._stream is None:
            data = self._recognise()
        if self._stream:
            self._take(self._reader.feed(data, at))
        return not self.capped and not self._broken

    def finish(self, *, given_up: bool = False) -> None:
        """The answer ended, or we gave it up: keep what it left unfinished."""
        if self._inflate and not self._inflate.finished and not self.trouble:
            self.trouble = "encoding: the compressed answer ends early"
        if self._stream:
            self._take(self._reader.finish(self._last, given_up=given_up))
        if not self._raw:
            return
        text = self._raw.decode("utf-8", "replace")
        if self._stream:
            lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            lines = lines[:-1] if given_up else lines  # the last was still being written
            text = "\n".join(line for line in lines if _is_foreign(line))
        self.body = text if text or not self._stream else None

    @property
    def _broken(self) -> bool:
        return bool(self._inflate and self._inflate.broken)

    def _plain(self, data: bytes) -> bytes:
        """The bytes, decompressed if they came compressed; never more than one above the room left."""
        if not self._inflate:
            return data
        try:
            return self._inflate.feed(data, self._room + 1)
        except zlib.error as error:
            self.trouble = f"encoding: the compressed answer is broken: {error}"
            return b""

    def _recognise(self) -> bytes:
        """Look whether this is a stream after all; returns the bytes that its reader has not seen."""
        raw = bytes(self._raw or b"")
        head = raw.lstrip(_BLANK)[: max(map(len, _OPENINGS))]
        if head.startswith(_OPENINGS):
            self._stream = True
            return raw
        if len(raw) > _UNDECIDED or (head and not any(opening.startswith(head) for opening in _OPENINGS)):
            self._stream = False
        return b""

    def _take(self, events: list[Event]) -> None:
        self.events += events
        for event in events:
            if event.data is not None:
                self._raw = None
                self.done = self.done or event.data.strip() == _DONE


class _Inflater:
    """Gzip or zlib bytes made plain, in bounded pieces, so that no small answer unpacks to a large one."""

    __slots__ = ("_decoder", "broken", "finished")

    def __init__(self) -> None:
        self._decoder = zlib.decompressobj(_GZIP_OR_ZLIB)
        self.broken = False
        self.finished = True  # nothing came yet, so nothing is missing

    def feed(self, data: bytes, most: int) -> bytes:
        """At most `most` plain bytes of these.

        Raises:
            zlib.error: they are neither gzip nor zlib.
        """
        plain = b""
        try:
            while data and len(plain) < most:
                if self._decoder.eof:  # another member follows
                    self._decoder = zlib.decompressobj(_GZIP_OR_ZLIB)
                plain += self._decoder.decompress(data, most - len(plain))
                data = self._decoder.unused_data
        except zlib.error:
            self.broken = True
            raise
        self.finished = self._decoder.eof
        return plain


def _is_foreign(line: str) -> bool:
    """Whether a line has no place in an event stream."""
    return bool(line.strip()) and not line.encode().startswith(_OPENINGS)
