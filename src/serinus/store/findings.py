"""What rounds found: findings, kept transcripts, debts, and what stands of a model."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, delete, insert, select

from serinus.service.storage import Document, FindingRow, RoundRow, TranscriptRow
from serinus.service.store_errors import StoreDamagedError
from serinus.store.tables import FINDING, OWED, ROUND, STANDING, TRANSCRIPT
from serinus.store.written import deflate, dump, inflate, instant, load, load_all, micros, seconds, words

NO_MODEL: Final = ""
FOLD: Final = "fold"


def add_findings(c: Connection, round_id: int, row: RoundRow, findings: Sequence[FindingRow]) -> None:
    """Write the findings of a round.

    Raises:
        ValueError: one belongs to another round, or a route has two on one contract.
    """
    if not findings:
        return
    _of_this_round(row, findings)
    c.execute(insert(FINDING), [_finding_values(round_id, f) for f in findings])


def findings(  # noqa: PLR0913, PLR0917  each narrows what is read
    c: Connection,
    model: str,
    since: datetime,
    tag: str | None,
    round_name: str | None,
    contract: str | None = None,
    quiet: Collection[str] = (),
) -> list[FindingRow]:
    """Findings of a model's rounds planned at `since` or later, oldest first."""
    wanted = (
        select(FINDING, ROUND.c.name, ROUND.c.model, ROUND.c.at)
        .join(ROUND)
        .where(ROUND.c.model == words(model), ROUND.c.at >= micros(since))
        .order_by(ROUND.c.at, FINDING.c.round_id, FINDING.c.tag, FINDING.c.contract)
    )
    if tag is not None:
        wanted = wanted.where(FINDING.c.tag == words(tag))
    if round_name is not None:
        wanted = wanted.where(ROUND.c.name == words(round_name))
    if contract is not None:
        wanted = wanted.where(FINDING.c.contract == words(contract))
    if quiet:
        wanted = wanted.where(FINDING.c.word.not_in(sorted(quiet)))
    rows = c.execute(wanted).all()
    evidence = load_all([row.evidence or "{}" for row in rows], lambda n: _named(rows[n]))
    return [_finding(row, document) for row, document in zip(rows, evidence, strict=True)]


def add_transcripts(c: Connection, round_id: int, row: RoundRow, kept: Sequence[TranscriptRow]) -> None:
    """Write the transcripts that a round keeps.

    Raises:
        ValueError: one belongs to another round.
    """
    if not kept:
        return
    for transcript in kept:
        _belongs(row, transcript.round, transcript.model)
    c.execute(insert(TRANSCRIPT), [_transcript_values(round_id, t) for t in kept])


def transcripts(  # noqa: PLR0913, PLR0917  each narrows what is read
    c: Connection, model: str, tag: str, since: datetime, round_name: str | None, limit: int | None
) -> list[TranscriptRow]:
    """Kept transcripts of a route, newest first."""
    of_route = (TRANSCRIPT.c.model == words(model)) & (TRANSCRIPT.c.tag == words(tag))
    wanted = (
        select(TRANSCRIPT, ROUND.c.name)
        .join(ROUND)
        .where(of_route, TRANSCRIPT.c.at >= micros(since))
        .order_by(TRANSCRIPT.c.at.desc(), TRANSCRIPT.c.id.desc())
        .limit(limit)
    )
    if round_name is not None:
        wanted = wanted.where(ROUND.c.name == words(round_name))
    return [_transcript(row) for row in c.execute(wanted)]


def replace_owed(c: Connection, model: str, owed: Mapping[str, Document]) -> None:
    """Put a model's debts in the place of those that stood."""
    c.execute(delete(OWED).where(OWED.c.model == words(model)))
    rows = [{"model": words(model), "tag": words(tag), "document": dump(d)} for tag, d in owed.items()]
    if rows:
        c.execute(insert(OWED), rows)


def owed(c: Connection, model: str) -> dict[str, Document]:
    """A model's debts by tag."""
    rows = c.execute(
        select(OWED.c.tag, OWED.c.document).where(OWED.c.model == words(model)).order_by(OWED.c.tag)
    )
    return {row.tag: load(row.document, f"What {row.tag} owes") for row in rows}


def replace_standing(c: Connection, model: str, name: str, document: Document) -> None:
    """Put a model's document in the place of the one of that name that stood."""
    c.execute(delete(STANDING).where(STANDING.c.model == words(model), STANDING.c.name == name))
    c.execute(insert(STANDING).values(model=words(model), name=name, document=dump(document)))


def standing(c: Connection, model: str, name: str) -> Document | None:
    """The document of that name that stands of a model."""
    wanted = select(STANDING.c.document).where(STANDING.c.model == words(model), STANDING.c.name == name)
    found = c.execute(wanted).scalar()
    return None if found is None else _document(found, f"The {name} of {model}")


def replace_fold(c: Connection, document: Document) -> None:
    """Put the fold of the log, which is of no model, in the place of the one that stood."""
    replace_standing(c, NO_MODEL, FOLD, document)


def fold(c: Connection) -> Document | None:
    """The fold that stands; one that cannot be read is none, for the log says it all again."""
    try:
        found = standing(c, NO_MODEL, FOLD)
    except StoreDamagedError:
        return None
    return found if isinstance(found, dict) else None


def _document(text: str, what: str) -> Document:
    document: Document = load(text, what)
    return document


def _of_this_round(row: RoundRow, found: Sequence[FindingRow]) -> None:
    once: set[tuple[str, str]] = set()
    for finding in found:
        _belongs(row, finding.round, finding.model)
        key = (words(finding.tag), words(finding.contract))
        if finding.at != row.at or key in once:
            wrong = "two findings" if key in once else f"a finding of {finding.at}, not of {row.at},"
            message = f"the round {row.name} brings {wrong} on {finding.tag} for {finding.contract}"
            raise ValueError(message)
        once.add(key)


def _belongs(row: RoundRow, name: str, model: str) -> None:
    if (name, model) != (row.name, row.model):
        message = f"the round {row.name} of {row.model} brings a row of {name} of {model}"
        raise ValueError(message)


def _finding_values(round_id: int, finding: FindingRow) -> dict[str, Any]:
    return {
        "round_id": round_id,
        "tag": words(finding.tag),
        "contract": words(finding.contract),
        "word": words(finding.word),
        "reason": words(finding.reason),
        "detail": words(finding.detail),
        "evidence": dump(finding.evidence) if finding.evidence else None,
        "language": finding.language and words(finding.language),
        "first_text": seconds(finding.first_text),
    }


def _finding(row: Row[Any], evidence: Document) -> FindingRow:
    return FindingRow(
        round=row.name,
        at=instant(row.at),
        model=row.model,
        tag=row.tag,
        contract=row.contract,
        word=row.word,
        reason=row.reason,
        detail=row.detail,
        evidence=evidence,
        language=row.language,
        first_text=row.first_text,
    )


def _named(row: Row[Any]) -> str:
    return f"The finding on {row.tag} for {row.contract} in {row.name}"


def _transcript_values(round_id: int, kept: TranscriptRow) -> dict[str, Any]:
    return {
        "round_id": round_id,
        "at": micros(kept.at),
        "model": words(kept.model),
        "tag": words(kept.tag),
        "probe": words(kept.probe),
        "attempt": kept.attempt,
        "anomaly": kept.anomaly,
        "document": deflate(kept.document),
    }


def _transcript(row: Row[Any]) -> TranscriptRow:
    return TranscriptRow(
        round=row.name,
        at=instant(row.at),
        model=row.model,
        tag=row.tag,
        probe=row.probe,
        attempt=row.attempt,
        anomaly=row.anomaly,
        document=inflate(row.document, f"The transcript of {row.probe} on {row.tag} in {row.name}"),
    )
