"""One request to a gateway and everything that came back, before anybody reads meaning into it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from serinus.core.transcript import End, Event, Phase, Timing
from serinus.prober.secret import Key, redacted


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent. `key` goes into the `Authorization` header and nowhere else."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    key: Key | None = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """What one request brought; the fields mean what they mean in a `Transcript`.

    `headers` have lower-case names and no cookies; a repeated header is joined by commas. `error`
    is `<code>: <detail>` with a code of `errors.py`.
    """

    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    events: tuple[Event, ...] = ()
    body: str | None = None
    end: End = End.CLOSED
    ended: float | None = None
    phase: Phase | None = None
    error: str | None = None
    timing: Timing = Timing()

    @property
    def content_type(self) -> str | None:
        """The answer's content type, as it was sent."""
        return self.headers.get("content-type")

    def without(self, key: Key | None) -> Exchange:
        """The same without the key, should the peer have echoed it: evidence is stored, keys are not."""
        if key is None:
            return self
        return replace(
            self,
            headers={name: redacted(value, key) for name, value in self.headers.items()},
            events=tuple(_event_without(event, key) for event in self.events),
            body=None if self.body is None else redacted(self.body, key),
            error=None if self.error is None else redacted(self.error, key),
        )


def _event_without(event: Event, key: Key) -> Event:
    value = key.get_secret_value()
    if not value or (value not in (event.data or "") and value not in (event.comment or "")):
        return event
    return replace(
        event,
        data=None if event.data is None else redacted(event.data, key),
        comment=None if event.comment is None else redacted(event.comment, key),
    )
