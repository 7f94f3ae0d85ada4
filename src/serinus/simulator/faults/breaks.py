"""Streams that break: errors inside a 200, closed and reset connections, ends that are no ends."""

from __future__ import annotations

import json
from typing import Any, Literal

from serinus.simulator.faults.registry import Case, Stage, at
from serinus.simulator.faults.streams import finishing, share
from serinus.simulator.steps import DONE, Chunk, Drop, Open, Raw, Reset, Step

Shape = Literal["typed", "text_code", "no_choices", "raw"]


def _error(shape: Shape, error_type: str, case: Case) -> dict[str, Any]:
    status = {"rate_limit_exceeded": 429, "timeout": 504, "content_policy_violation": 400}.get(
        error_type, 502
    )
    message = "Upstream error from provider"
    if shape == "text_code":
        return {"code": error_type, "message": message, "metadata": {"error_type": error_type}}
    if shape == "raw":
        raw = json.dumps({"error": {"message": "worker died", "code": status}})
        return {"code": status, "message": "Provider returned error", "metadata": _raw(raw, case)}
    return {"code": status, "message": message, "metadata": {"error_type": error_type}}


def _raw(raw: str, case: Case) -> dict[str, Any]:
    return {"raw": raw, "provider_name": case.host.display}


@at(Stage.STREAM, bodies=False)
def error_in_stream(
    steps: list[Step],
    case: Case,
    *,
    after: float = 0.3,
    shape: Shape = "typed",
    error_type: str = "provider_unavailable",
) -> list[Step]:
    """After a share of the answer the stream carries an error object and ends, with status 200."""
    chunk = case.framer.error(_error(shape, error_type, case), choices=shape != "no_choices")
    return [*steps[: share(steps, after)], Chunk(chunk), DONE]


@at(Stage.STREAM, bodies=False)
def error_first_event(
    steps: list[Step], case: Case, *, shape: Shape = "typed", error_type: str = "provider_overloaded"
) -> list[Step]:
    """The only event of the stream is an error object, with status 200."""
    head = steps[: share(steps, 0.0)]
    chunk = case.framer.error(_error(shape, error_type, case), choices=shape != "no_choices")
    return [*(s for s in head if not isinstance(s, Chunk)), Chunk(chunk)]


@at(Stage.STREAM, bodies=False)
def policy_error_in_stream(steps: list[Step], case: Case, *, after: float = 0.0) -> list[Step]:
    """The stream carries an error of type content_policy_violation: a filter, not a breakdown."""
    chunk = case.framer.error(_error("typed", "content_policy_violation", case))
    return [*steps[: share(steps, after)], Chunk(chunk), DONE]


@at(Stage.STREAM, bodies=False)
def error_frame(steps: list[Step], case: Case, *, after: float = 0.3) -> list[Step]:
    """The error comes as a named event whose data is spread over several lines."""
    error = json.dumps({"error": _error("typed", "provider_unavailable", case)}, indent=1)
    lines = "".join(f"data: {line}\n" for line in error.splitlines())
    return [*steps[: share(steps, after)], Raw(f"event: error\n{lines}\n".encode())]


@at(Stage.STREAM)
def error_in_body(steps: list[Step], case: Case) -> list[Step]:
    """Status 200, and the body is nothing but an error object."""
    del steps
    error = {"error": _error("typed", "provider_unavailable", case)}
    return [Open(), Raw(json.dumps(error).encode())]


@at(Stage.STREAM, bodies=False)
def reset_mid_answer(steps: list[Step], case: Case, *, after: float = 0.4) -> list[Step]:
    """After a share of the answer the connection is reset."""
    del case
    return [*steps[: share(steps, after)], Reset()]


@at(Stage.STREAM)
def reset_before_headers(steps: list[Step], case: Case) -> list[Step]:
    """The connection is reset before a status line."""
    del steps, case
    return [Reset()]


@at(Stage.STREAM, bodies=False)
def silent_close(steps: list[Step], case: Case, *, after: float = 0.5) -> list[Step]:
    """The stream ends in an orderly way after a share of the answer: no finish reason, no end mark."""
    del case
    return steps[: share(steps, after)]


@at(Stage.STREAM, bodies=False)
def dropped_socket(steps: list[Step], case: Case, *, after: float = 0.5) -> list[Step]:
    """After a share of the answer the socket closes in the middle of the transfer."""
    del case
    return [*steps[: share(steps, after)], Drop()]


@at(Stage.STREAM, bodies=False)
def finish_never_set(steps: list[Step], case: Case) -> list[Step]:
    """The whole text and the end mark come, and the finish reason stays null."""
    del case
    place = finishing(steps)
    return steps if place is None else [*steps[:place], *steps[place + 1 :]]


@at(Stage.STREAM, bodies=False, harmless=True)
def end_mark_missing(steps: list[Step], case: Case) -> list[Step]:
    """The finish reason and usage come, and the end mark does not (common and harmless)."""
    del case
    return [s for s in steps if s is not DONE]


@at(Stage.STREAM, bodies=False)
def fabricated_stop(steps: list[Step], case: Case, *, after: float = 0.5) -> list[Step]:
    """A broken answer is closed with an invented stop: text cut, finish reason stop, no usage."""
    stop = case.framer.chunk({"content": ""}, "stop", "stop")
    return [*steps[: share(steps, after)], Chunk(stop), DONE]


@at(Stage.STREAM)
def body_truncated(steps: list[Step], case: Case, *, keep: float = 0.5) -> list[Step]:
    """A whole body ends in the middle of its JSON, with status 200."""
    del case
    return [
        Raw(s.data[: int(len(s.data) * keep)]) if isinstance(s, Raw) and s is not DONE else s for s in steps
    ]
