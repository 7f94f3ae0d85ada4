"""What a round saw of one route: its findings, the answers they rest on, and where in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from serinus.core.transcript import Answer
from serinus.service.explaining import QUIET, answer_of
from serinus.service.storage import Document, FindingRow, Store, TranscriptRow
from serinus.text.spans import shown

Span = tuple[int, int]
_TOLD: Final = frozenset({"spans", "start", "end", "text", "votes", "also"})  # shown in a place of its own
_AROUND: Final = 40  # characters before an offset that evidence repeats
_MOST: Final = 12  # answers that are read of one round


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of text of an answer, and where in it the evidence is."""

    called: str
    text: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """One kept transcript: what was asked, what came, how it ended. Times are in seconds."""

    row: TranscriptRow
    language: str | None
    asked: Sequence[tuple[str, str]]
    parts: Sequence[Part]
    status: int | None
    end: str
    ended: float | None
    first_text: float | None
    error: str | None
    finish: str | None
    native_finish: str | None
    generation: str | None
    events: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """A round of a route: its findings, those that say something first, and the kept answers."""

    round: str
    at: datetime
    told: Sequence[FindingRow]
    quiet: Sequence[FindingRow]
    replies: Sequence[Reply]


def evidence(store: Store, model: str, tag: str, name: str, at: datetime) -> Evidence:
    """What the round of that name, planned for `at`, saw of a route.

    Raises:
        LookupError: it saw nothing, or that is past its retention.
    """
    found = store.findings(model, since=at, tag=tag, round_name=name)
    kept = store.transcripts(model, tag, since=at, round_name=name, limit=_MOST)
    if not found and not kept:
        message = f"Nothing is kept of {tag} in the round {name}: findings are kept for 90 days."
        raise LookupError(message)
    return evidence_of(name, at, found, kept)


def evidence_of(
    name: str, at: datetime, found: Sequence[FindingRow], kept: Sequence[TranscriptRow]
) -> Evidence:
    """These findings and answers, with what the findings rest on marked in the answers."""
    told = [f for f in found if f.word not in QUIET]
    spans = [piece for f in told for piece in pieces(f.evidence)]
    replies = sorted((reply_of(row, spans) for row in kept), key=_telling)
    return Evidence(name, at, told, [f for f in found if f.word in QUIET], replies)


def _telling(reply: Reply) -> tuple[bool, bool, str, int]:
    """Those in which something is marked first, then the anomalies."""
    marked = any(part.spans for part in reply.parts)
    return not marked, not reply.row.anomaly, reply.row.probe, reply.row.attempt


def pieces(document: Document) -> Iterator[Mapping[str, Any]]:
    """The places in the answers that a finding's evidence names: offsets in code points, and the text.

    Those of the first failing answer, then under `also` those of each further one.
    """
    also = document.get("also")
    for places in (document, *(also if isinstance(also, list) else ())):
        if isinstance(places, Mapping):
            spans = places.get("spans")
            yield from (p for p in (*(spans if isinstance(spans, list) else ()), places) if _is_place(p))


def _is_place(piece: object) -> bool:
    if not isinstance(piece, Mapping):
        return False
    start, end, offset = piece.get("start"), piece.get("end"), piece.get("offset")
    if isinstance(start, int) and isinstance(end, int):
        return 0 <= start < end
    return isinstance(offset, int) and offset >= 0 and isinstance(piece.get("around"), str)


def facts(document: Document) -> list[tuple[str, str]]:
    """What else a finding's evidence says, as names and values."""
    said = [(name.replace("_", " "), _said(value)) for name, value in document.items() if name not in _TOLD]
    votes = document.get("votes")
    if isinstance(votes, Mapping):
        said.insert(0, ("votes", ", ".join(f"{n} {word}" for word, n in votes.items())))
    return said


def _said(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    return "–" if value is None else str(value)


def reply_of(row: TranscriptRow, wanted: Sequence[Mapping[str, Any]] = ()) -> Reply:
    """A kept transcript as a person reads it; of the wanted pieces those that its texts hold are marked."""
    document = row.document
    answer = answer_of(document)
    probe: Mapping[str, Any] = document.get("probe") or {}
    expect: Mapping[str, Any] = probe.get("expect") or {}
    messages = probe.get("messages")
    return Reply(
        row=row,
        language=expect.get("language"),
        asked=[(str(m.get("role")), str(m.get("content"))) for m in messages or () if isinstance(m, Mapping)],
        parts=[Part(called, text, _within(text, wanted)) for called, text in _texts(answer)],
        status=document.get("status"),
        end=str(document.get("end")),
        ended=document.get("ended"),
        first_text=next((d.at for d in answer.deltas if d.text), None),
        error=document.get("error") or (answer.failure.message if answer.failure else None),
        finish=answer.finish_reason,
        native_finish=answer.native_finish_reason,
        generation=answer.ids[0] if answer.ids else None,
        events=len(document.get("events") or ()) + int(document.get("events_dropped") or 0),
    )


def _texts(answer: Answer) -> Iterator[tuple[str, str]]:
    if answer.text:
        yield "answer", answer.text
    if answer.refusal:
        yield "refusal", answer.refusal
    for call in answer.tool_calls:
        yield "tool call", f"{call.name}({call.arguments})"
    if answer.reasoning:
        yield "reasoning", answer.reasoning


def _within(text: str, wanted: Sequence[Mapping[str, Any]]) -> tuple[Span, ...]:
    """The wanted places whose own text stands there: evidence is of one of several answers."""
    found = (_span(text, piece) for piece in wanted)
    return tuple(dict.fromkeys(span for span in found if span is not None))


def _span(text: str, piece: Mapping[str, Any]) -> Span | None:
    start, end = piece.get("start"), piece.get("end")
    if isinstance(start, int) and isinstance(end, int):
        same = end <= len(text) and piece.get("text") in (None, shown(text[start:end]))
        return (start, end) if same else None
    return _line_at(text, piece["offset"], piece["around"])


def _line_at(text: str, offset: int, around: str) -> Span | None:
    """From an offset to the end of its line, where what stood around it stands there."""
    before = max(0, offset - _AROUND)
    if offset >= len(text) or not around or text[before : before + len(around)] != around:
        return None
    end = text.find("\n", offset + 1)
    return offset, min(len(text) if end < 0 else end, offset + _AROUND)
