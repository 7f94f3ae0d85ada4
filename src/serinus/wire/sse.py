"""Bytes to events, by the server-sent events standard, each with its arrival time.

Sans-io: the caller feeds what one read brought and when. WHATWG HTML §9.2.
"""

from __future__ import annotations

import re

from serinus.core.transcript import Event

_BOM = b"\xef\xbb\xbf"
_LINE_END = re.compile(rb"\r\n|\r|\n")  # bytes, because str.splitlines would also split at U+0085, U+2028, …


class EventReader:
    """Turns the bytes of a stream into events.

    Usage: `reader.feed(data, at)` for each read, `reader.finish(at)` once at the end. Both return
    the events completed by it, in order. An event is dispatched at its blank line; its `at` is the
    arrival of the read that completed it. `finish` also returns an event left without its blank
    line (the standard drops it; as evidence it stays). A comment is an event of its own, complete
    at the end of its line. `id` and `retry` serve reconnecting, which a probe never does; they are
    read over. Bytes that are not UTF-8 become U+FFFD and mark their event as `undecodable`; a
    character that the end of the stream cut in two does not, since what is missing may have been right.

    Time is linear in the bytes fed, however they are cut: a line without an end is scanned once.
    Memory is what the unfinished event holds; a cap on it is the caller's.
    """

    __slots__ = ("_after_cr", "_bad", "_data", "_head", "_line", "_name")

    def __init__(self) -> None:
        self._head: bytes | None = b""  # first bytes, while they may still be a byte order mark; then None
        self._line = bytearray()  # the line so far
        self._after_cr = False  # the last read ended in CR: an LF that comes next belongs to it
        self._data: list[str] = []
        self._name = ""
        self._bad = False

    def feed(self, data: bytes, at: float | None) -> list[Event]:
        """Events completed by these bytes."""
        if self._head is not None:
            data = self._without_mark(self._head + data)
        if not data:
            return []
        start = 1 if self._after_cr and data.startswith(b"\n") else 0
        self._after_cr = data.endswith(b"\r")
        events: list[Event] = []
        for end in _LINE_END.finditer(data, start):
            self._line += data[start : end.start()]
            self._take_line(events, at)
            start = end.end()
        self._line += data[start:]
        return events

    def finish(self, at: float | None, *, given_up: bool = False) -> list[Event]:
        """What was left at the end of the stream.

        Where it is we who gave up, a line that was still being written is no event: it would be read
        as a broken one, and a host that goes silent inside a line as one whose answers break.
        """
        if self._head:
            self._line += self._head
        self._head = None
        events: list[Event] = []
        if self._line and not given_up:
            self._take_line(events, at, cut=True)
        self._dispatch(events, at)
        return events

    def _without_mark(self, head: bytes) -> bytes:
        """The first bytes less a byte order mark; nothing while they are too few to know."""
        if len(head) < len(_BOM) and _BOM.startswith(head):
            self._head = head
            return b""
        self._head = None
        return head.removeprefix(_BOM)

    def _take_line(self, events: list[Event], at: float | None, *, cut: bool = False) -> None:
        """Read the finished line, and append what it completed to `events`."""
        if not self._line:
            self._dispatch(events, at)
            return
        line, bad = _decoded(self._line, cut=cut)
        self._line.clear()
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if line.startswith(":"):
            events.append(Event(at, comment=value, undecodable=bad))
            return
        self._bad = self._bad or bad
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._name = value

    def _dispatch(self, events: list[Event], at: float | None) -> None:
        """Append the event gathered so far, if it has data, and begin another."""
        if self._data:
            data = "\n".join(self._data)
            events.append(Event(at, data, name=self._name or None, undecodable=self._bad))
        self._data, self._name, self._bad = [], "", False


def _decoded(line: bytearray, *, cut: bool) -> tuple[str, bool]:
    """The line as text, and whether bytes in it were not UTF-8.

    Decoding by lines equals decoding the stream: CR and LF are never part of a longer character.
    """
    try:
        return line.decode(), False
    except UnicodeDecodeError as error:
        only_cut = cut and error.reason == "unexpected end of data"
        return line.decode(errors="replace"), not only_cut
