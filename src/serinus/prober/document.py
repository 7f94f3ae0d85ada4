"""A JSON document that the gateway was asked for, or one sentence on why there is none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from serinus.core.http_date import http_date
from serinus.core.transcript import End
from serinus.prober.exchange import Exchange
from serinus.wire.json_text import UNREADABLE, as_mapping, as_text, read_json

_OK: Final = 200
_SHOWN: Final = 120  # characters of a foreign text that an operator is shown


@dataclass(frozen=True, slots=True)
class Document:
    """What came: the parsed value, or the trouble. `status` is None if no answer came at all.

    `date` is the gateway's own clock when it answered, to the second; None where it did not say.
    """

    status: int | None
    value: Any = None
    trouble: str | None = None
    date: datetime | None = None

    @property
    def data(self) -> Any:
        """The value inside the usual `{"data": …}`, or the value itself where there is no wrapper."""
        return self.value["data"] if isinstance(self.value, dict) and "data" in self.value else self.value


def document_of(exchange: Exchange) -> Document:
    """Read an exchange as a document; anything but a whole JSON answer with status 200 is trouble."""
    return replace(_document(exchange), date=http_date(exchange.headers.get("date", "")))


def _document(exchange: Exchange) -> Document:
    if exchange.status is None:
        return Document(None, trouble=f"no answer: {exchange.error}")
    value = read_json(exchange.body or "")
    if exchange.status != _OK:
        return Document(exchange.status, trouble=f"status {exchange.status}: {_said(value, exchange)}")
    if exchange.end is not End.CLOSED:
        how = exchange.error or exchange.end.value
        return Document(exchange.status, trouble=f"the answer did not come whole ({how})")
    if value is UNREADABLE:
        kind = exchange.content_type or "no content type"
        return Document(exchange.status, trouble=f"no JSON ({kind}): {_short(exchange.body or '')}")
    if isinstance(value, dict) and value.get("error") and "data" not in value:
        return Document(exchange.status, trouble=f"an error under status 200: {_said(value, exchange)}")
    return Document(exchange.status, value)


def _said(value: Any, exchange: Exchange) -> str:
    error = as_mapping(value).get("error")
    message = as_text(error) or as_text(as_mapping(error).get("message"))
    return _short(message or exchange.body or exchange.headers.get("location", "") or "nothing more")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= _SHOWN else line[:_SHOWN] + "…")
