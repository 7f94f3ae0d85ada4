"""What a case says came back: `response` to a transcript, through the same readers as a live answer."""

from __future__ import annotations

import base64
import binascii
import json
import math
from collections.abc import Mapping
from typing import Any, Final

from serinus.core.model import Limits, Route
from serinus.core.transcript import Answer, Delta, End, Event, Phase, Transcript
from serinus.service.cases.hints import Asked
from serinus.service.cases.problems import mapping, reject, wrong
from serinus.wire.chat import answer_of_body, answer_of_events
from serinus.wire.sse import EventReader
from serinus.wire.usage import usage_of

OK: Final = 200
ENDS: Final = {"close": End.CLOSED, "reset": End.RESET, "hold": End.HELD}
# Keys of each type that are read; others are ignored with a warning.
KEYS: Final[Mapping[str, frozenset[str]]] = {
    "text": frozenset({"type", "text", "finish_reason", "native_finish_reason", "usage"}),
    "samples": frozenset({"type", "items"}),
    "chunks": frozenset({"type", "events", "end", "hold_ms", "headers"}),
    "body": frozenset({"type", "status", "body", "raw", "content_type", "headers"}),
    "http_error": frozenset({"type", "status", "body", "headers"}),
    "conn_error": frozenset({"type", "error"}),
    "counts": frozenset({"type", "host", "reference"}),
    "counts_list": frozenset({"type", "prompt_tokens"}),
    "pair": frozenset({"type", "warm", "cold"}),
    "meta": frozenset({"type", "yesterday", "today", "provider_name"}),
}
STATISTICS: Final = frozenset({"counts", "counts_list", "pair", "meta"})
ANSWERS: Final = frozenset({"text", "chunks", "body", "http_error", "conn_error"})


def kind_of(response: Mapping[str, Any]) -> str:
    """The type of a response.

    Raises:
        CaseError: it is missing or unknown.
    """
    kind = response.get("type")
    if not isinstance(kind, str) or kind not in KEYS:
        wrong("response.type", kind, "one of " + ", ".join(sorted(KEYS)))
    return kind


def read_answer(response: Mapping[str, Any], asked: Asked, limits: Limits) -> Transcript:
    """The transcript of one recorded answer.

    Raises:
        CaseError: the response is not one answer, or misses what its type needs.
    """
    kind = kind_of(response)
    if kind not in ANSWERS:
        wrong("response.type", kind, "an answer: " + ", ".join(sorted(ANSWERS)))
    return _READERS[kind](response, asked, limits)


def _transcript(asked: Asked, limits: Limits, answer: Answer, **seen: Any) -> Transcript:
    model = asked.model
    return Transcript(
        probe=asked.probe,
        answer=answer,
        route=None if model is None else Route(model, asked.pin or ""),
        pin=asked.pin,
        direct=asked.direct,
        proof=asked.proof,
        limits=limits,
        reasoning_mandatory=asked.reasoning_mandatory,
        claims=asked.claims,
        control=asked.control,
        **seen,
    )


def _text(response: Mapping[str, Any], asked: Asked, limits: Limits) -> Transcript:
    text = response.get("text")
    if text is not None and not isinstance(text, str):
        wrong("response.text", text, "a string or null")
    finish, native = (response.get(key) for key in ("finish_reason", "native_finish_reason"))
    for key, word in (("finish_reason", finish), ("native_finish_reason", native)):
        if word is not None and not isinstance(word, str):
            wrong(f"response.{key}", word, "a string or null")
    answer = Answer(
        text=text,
        finish_reason=finish,
        native_finish_reason=native,
        usage=usage_of(response.get("usage")),
        done=True,
        choices=1,
        deltas=(Delta(None, 0, text or "", finish=finish is not None),),
    )
    return _transcript(asked, limits, answer, status=OK, timed=False)


def _chunks(response: Mapping[str, Any], asked: Asked, limits: Limits) -> Transcript:
    entries = response.get("events")
    if not isinstance(entries, list):
        wrong("response.events", entries, "a list")
    end = ENDS.get(str(response.get("end", "close")))
    if end is None:
        wrong("response.end", response.get("end"), "close, reset or hold")
    events, last = _events(entries, held=end is End.HELD)
    ended = last
    if end is End.HELD:  # without a duration it was held until the probe gave up
        held = response.get("hold_ms")
        ended = max(last, limits.hard) if held is None else last + _milliseconds(held, "response.hold_ms")
    return _transcript(
        asked,
        limits,
        answer_of_events(events),
        status=OK,
        headers=_headers(response),
        events=tuple(events),
        end=end,
        ended=ended,
    )


def _events(entries: list[Any], *, held: bool) -> tuple[list[Event], float]:
    """The events of recorded reads, in seconds, and when the last read came."""
    reader = EventReader()
    events: list[Event] = []
    at = 0.0
    for number, entry in enumerate(entries):
        path = f"response.events[{number}]"
        fields = mapping(entry, path)
        at = _milliseconds(fields.get("t"), f"{path}.t")
        events += reader.feed(_bytes(fields, path), at)
    return events + reader.finish(at, given_up=held), at


def _bytes(fields: Mapping[str, Any], path: str) -> bytes:
    text = fields.get("sse")
    if isinstance(text, str):
        return f"{text}\n\n".encode("utf-8", "surrogatepass")
    raw = fields.get("b64")
    if not isinstance(raw, str):
        reject(f"{path} has neither `sse` (text) nor `b64` (bytes of one read)")
    try:
        return base64.b64decode(raw, validate=True)
    except (binascii.Error, ValueError) as error:
        reject(f"{path}.b64 is not base64: {error}")


def _body(response: Mapping[str, Any], asked: Asked, limits: Limits) -> Transcript:
    status = _status(response)
    raw = response.get("raw")
    if raw is not None and not isinstance(raw, str):
        wrong("response.raw", raw, "a string")
    if raw is None and "body" not in response:
        reject("response has neither `body` (JSON) nor `raw` (text)")
    text = _dumped(response.get("body")) if raw is None else raw
    kind = response.get("content_type")
    answer = answer_of_body(status, text, kind if isinstance(kind, str) else None)
    return _transcript(
        asked, limits, answer, status=status, headers=_headers(response), body=text, timed=False
    )


def _http_error(response: Mapping[str, Any], asked: Asked, limits: Limits) -> Transcript:
    status = _status(response)
    body = response.get("body")
    text = body if isinstance(body, str) else _dumped(body)
    answer = answer_of_body(status, text)
    return _transcript(
        asked, limits, answer, status=status, headers=_headers(response), body=text, timed=False
    )


def _conn_error(response: Mapping[str, Any], asked: Asked, limits: Limits) -> Transcript:
    error = str(response.get("error", ""))
    return _transcript(asked, limits, Answer(), error=error, phase=_phase(error), end=End.RESET)


def _phase(error: str) -> Phase:
    """How far the request got, by the words of the error."""
    told = error.lower()
    if any(
        word in told
        for word in ("refused", "dns", "resolve", "name or service", "tls", "ssl", "certificate", "connect ")
    ):
        return Phase.CONNECT
    if any(word in told for word in ("while sending", "broken pipe", "while writing")):
        return Phase.SEND
    return Phase.WAIT


def _status(response: Mapping[str, Any]) -> int:
    status = response.get("status")
    if isinstance(status, bool) or not isinstance(status, int):
        wrong("response.status", status, "an HTTP status")
    return status


def _headers(response: Mapping[str, Any]) -> dict[str, str]:
    given = response.get("headers")
    return {str(k).lower(): str(v) for k, v in given.items()} if isinstance(given, dict) else {}


def _milliseconds(value: Any, path: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        wrong(path, value, "a number of milliseconds")
    return value / 1000


def _dumped(body: Any) -> str:
    try:
        return json.dumps(body, ensure_ascii=False)
    except RecursionError:
        reject("response.body is nested too deep")


_READERS: Final = {
    "text": _text,
    "chunks": _chunks,
    "body": _body,
    "http_error": _http_error,
    "conn_error": _conn_error,
}
