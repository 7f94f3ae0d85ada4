"""Bytes to events, by the server-sent events standard, each with its arrival time.

Sans-io: the caller feeds what one read brought and when. WHATWG HTML §9.2.
"""

from __future__ import annotations

from serinus.core.transcript import Event


class EventReader:
    """Turns the bytes of a stream into events.

    Usage: `reader.feed(data, at)` for each read, `reader.finish(at)` once at the end. Both return
    the events completed by it, in order. An event is dispatched at its blank line; its `at` is the
    arrival of the read that completed it. `finish` also returns an event left without its blank
    line (the standard drops it; as evidence it stays).
    """

    def feed(self, data: bytes, at: float | None) -> list[Event]:
        """Events completed by these bytes."""
        raise NotImplementedError

    def finish(self, at: float | None) -> list[Event]:
        """What was left at the end of the stream."""
        raise NotImplementedError
