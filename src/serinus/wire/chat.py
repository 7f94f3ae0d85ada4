"""The lenient reading of an OpenAI-compatible chat answer: parsed once, nothing defaulted.

Fields are merged by name, never by the position of their event: gateways differ in which event carries
usage, metadata, the finish reason or an error (`openrouter-facts.md` §4, §15).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from serinus.core.transcript import Answer, Event
from serinus.wire.choices import AnswerDraft, Place
from serinus.wire.failures import error_of, failure_of, no_completion, unparsable
from serinus.wire.json_text import UNREADABLE, as_list, as_text, read_json
from serinus.wire.sse import EventReader
from serinus.wire.usage import usage_of

DONE: Final = "[DONE]"
OK: Final = 200
# Equal events on end are a fault of delivery if they carry more than one short word (`faults.md` F146):
# a model may well write "ha ha".
SHORT_WORD: Final = 8


def answer_of_events(events: Sequence[Event]) -> Answer:
    """The answer that a stream's events add up to; never raises, whatever they hold."""
    draft = AnswerDraft()
    previous: str | None = None
    for index, event in enumerate(events):
        if event.undecodable:
            draft.odd("undecodable", f"event {index} is not UTF-8")
        if event.data is None or not event.data.strip():
            continue
        if event.data.strip() == DONE:
            draft.done = True
            continue
        before = draft.characters
        try:
            _take_event(draft, index, event)
        except RecursionError:
            draft.odd("malformed_event", f"event {index} is nested too deep")
        if event.data == previous and draft.characters - before > SHORT_WORD:
            draft.odd("repeated_event", f"event {index} is the one before it once more")
        previous = event.data
    return draft.answer()


def answer_of_body(status: int, body: str, content_type: str | None = None) -> Answer:
    """The answer, or the failure, that a plain body holds; never raises, whatever it holds."""
    where = "body" if status == OK else "http"
    http_status = None if status == OK else status
    payload = read_json(body)
    if payload is UNREADABLE:
        if status == OK and _is_stream(body, content_type):
            return _answer_of_recorded_stream(body)
        return Answer(failure=unparsable(where, body, http_status))
    try:
        return _answer_of_payload(payload, where, http_status)
    except RecursionError:
        return Answer(failure=unparsable(where, body, http_status))


def _is_stream(body: str, content_type: str | None) -> bool:
    named = content_type is not None and "event-stream" in content_type.lower()
    return named or body.lstrip().startswith(("data:", "event:", ": "))


def _answer_of_recorded_stream(body: str) -> Answer:
    reader = EventReader()
    events = reader.feed(body.encode("utf-8", "surrogatepass"), None)
    return answer_of_events([*events, *reader.finish(None)])


def _answer_of_payload(payload: Any, where: str, status: int | None) -> Answer:
    if not isinstance(payload, dict):
        return Answer(failure=no_completion(where, f"a {type(payload).__name__}"))
    draft = AnswerDraft()
    _take_envelope(draft, payload)
    error = error_of(payload, named=status is not None)
    if error is not None:
        draft.fail(failure_of(error, where, status))
    elif not isinstance(payload.get("choices"), list):
        draft.fail(no_completion(where, ", ".join(sorted(payload)[:10]) or "nothing"))
    for position, choice in enumerate(as_list(payload.get("choices"))):
        draft.take_choice(choice, position, Place(None, 0, "message", where))
    draft.done = draft.failure is None
    return draft.answer()


def _take_event(draft: AnswerDraft, index: int, event: Event) -> None:
    data = event.data or ""
    payload = read_json(data)
    if payload is UNREADABLE:
        # What does not even begin like JSON is chatter between events ("ping"), not a lost piece of text.
        broken = data.lstrip().startswith(("{", "["))
        code = "malformed_event" if broken and not draft.done else "unknown_shape"
        draft.odd(code, f"event {index} is not JSON: {data[:80]!r}")
        return
    if not isinstance(payload, dict):
        draft.odd("unknown_shape", f"event {index} is a {type(payload).__name__}")
        return
    _take_envelope(draft, payload)
    error = error_of(payload, named=event.name == "error")
    if error is not None:
        draft.fail(failure_of(error, "stream"))
    for position, choice in enumerate(as_list(payload.get("choices"))):
        draft.take_choice(choice, position, Place(event.at, index, "delta", "stream"))


def _take_envelope(draft: AnswerDraft, payload: dict[str, Any]) -> None:
    """What stands beside the choices: who served, under which id, at what cost."""
    draft.take_provider(as_text(payload.get("provider")))
    draft.take_model(as_text(payload.get("model")))
    draft.take_id(as_text(payload.get("id")))
    usage = usage_of(payload.get("usage"))
    if usage is not None:
        draft.usage = usage  # cumulative counts come in each event of some hosts: the last one counts
    metadata = payload.get("openrouter_metadata")
    if isinstance(metadata, dict):
        draft.metadata = {**(draft.metadata or {}), **metadata}
    for key in ("prompt_filter_results", "prompt_annotations"):
        for entry in as_list(payload.get(key)):
            draft.take_annotations(entry)
