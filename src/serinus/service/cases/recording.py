"""A live transcript as a case (`formats.md` §1), so that it can be judged again by anybody.

The format has no place for our own lag, for the limits and for how an answer grew past our cap on size; what
rests on these is judged as if it had not been.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any, Final

from serinus.core.model import Probe
from serinus.core.transcript import End, Event, Transcript

OK: Final = 200
ENDS: Final = {End.CLOSED: "close", End.RESET: "reset", End.HELD: "hold", End.CAPPED: "hold"}
_NO_TEXT: Final = b"\xff"  # what was no UTF-8 comes back as U+FFFD, and its event is marked again


def case_document(identity: str, transcript: Transcript) -> dict[str, Any]:
    """The case of one answer, for every contract that reads its kind of probe."""
    return {
        "id": identity,
        "contract": "*",
        "request_hint": _hint(transcript),
        "response": _response(transcript),
    }


def _hint(transcript: Transcript) -> dict[str, Any]:
    probe = transcript.probe
    meta: dict[str, Any] = {"reasoning_mandatory": transcript.reasoning_mandatory}
    if transcript.claims is not None:
        meta["supported_parameters"] = sorted(transcript.claims)
    hint = {
        **dict(probe.parameters),
        **_asked(probe),
        **_promised(probe),
        "pin": transcript.pin,
        "model": transcript.route.model if transcript.route else None,
        "direct": transcript.direct or None,
        "proof": transcript.proof,
        "control": transcript.control or None,
        "model_meta": meta,
    }
    return {name: value for name, value in hint.items() if value is not None}


def _asked(probe: Probe) -> dict[str, Any]:
    return {
        "messages": [{"role": m.role, "content": m.content} for m in probe.messages],
        "expect_lang": probe.language,
        "max_tokens": probe.max_tokens,
        "stream": probe.stream,
        "stop": list(probe.stop) or None,
        "response_format": None if probe.schema is None else dict(probe.schema),
        "tools": [{"name": t.name, "parameters": dict(t.parameters)} for t in probe.tools] or None,
        "tool_choice": probe.tool_choice,
    }


def _promised(probe: Probe) -> dict[str, Any]:
    expect = probe.expect
    return {
        "nonce": expect.nonce,
        "needle": expect.needle,
        "other_nonces": list(expect.other_nonces) or None,
        "previous_nonces": list(expect.previous_nonces) or None,
        "expect_values": {name: list(values) for name, values in expect.values.items()} or None,
        "expect_call": expect.call,
        "empty_allowed": expect.empty_allowed or None,
        "seen_hashes": sorted(expect.seen_hashes) or None,
        "sent_tokens_est": list(expect.sent_tokens) or None,
        "peers_prompt_tokens": list(expect.peer_prompt_tokens) or None,
    }


def _response(transcript: Transcript) -> dict[str, Any]:
    if transcript.status is None:
        return {"type": "conn_error", "error": transcript.error or "silence"}
    headers = dict(transcript.headers)
    if transcript.status != OK:
        body = transcript.body if transcript.body is not None else _joined(transcript)
        return {"type": "http_error", "status": transcript.status, "body": body, "headers": headers}
    if transcript.body is not None:
        return {"type": "body", "status": OK, "raw": transcript.body, "headers": headers}
    return _chunks(transcript) | {"headers": headers}


def _chunks(transcript: Transcript) -> dict[str, Any]:
    events = [_event(event) for event in transcript.events]
    found: dict[str, Any] = {"type": "chunks", "events": events, "end": ENDS[transcript.end]}
    last = events[-1]["t"] if events else 0.0
    if found["end"] == "hold" and transcript.ended is not None:
        found["hold_ms"] = round(max(0.0, transcript.ended * 1000 - last), 3)
    return found


def _event(event: Event) -> Mapping[str, Any]:
    at = round((event.at or 0.0) * 1000, 3)
    lines = [] if event.name is None else [f"event: {event.name}"]
    if event.comment is not None:
        lines.append(f": {event.comment}")
    if event.data is not None:
        lines += [f"data: {line}" for line in event.data.split("\n")]
    text = "\n".join(lines)
    if not event.undecodable:
        return {"t": at, "sse": text}
    raw = f"{text}\n\n".encode().replace("\ufffd".encode(), _NO_TEXT)
    return {"t": at, "b64": base64.b64encode(raw).decode("ascii")}


def _joined(transcript: Transcript) -> str:
    return "\n".join(event.data for event in transcript.events if event.data is not None)
