"""Which places of an answer the evidence of a finding marks."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from serinus.core.model import Verdict, Word
from serinus.judging.votes import settle_round
from serinus.service.evidence import facts, pieces, reply_of
from serinus.service.storage import TranscriptRow
from serinus.text.spans import pieces as as_evidence

AT = datetime(2026, 11, 30, tzinfo=UTC)


def failing(text: str, start: int, end: int) -> Verdict:
    evidence = {"spans": as_evidence(text, [(start, end)]), "share": 0.5}
    return Verdict(Word.FAIL, "language_mixed", "", evidence)


def fenced(text: str) -> Verdict:
    return Verdict(Word.FAIL, "fenced", "", {"offset": 0, "around": text[:40]})


def marked(text: str, found: Verdict) -> list[str]:
    """What is marked in an answer of this text."""
    document = {"status": 200, "body": json.dumps({"choices": [{"message": {"content": text}}]})}
    row = TranscriptRow("r", AT, "m", "t", "p", 0, True, {**document, "end": "closed"})
    (part,) = reply_of(row, list(pieces(found.evidence))).parts
    return [part.text[a:b] for a, b in part.spans]


def test_each_of_several_failing_answers_has_its_own_place_marked():
    first, second = "One tavern, zwei Krüge.", "She laughs. Draußen läutet es."
    found = settle_round([failing(first, 12, 22), failing(second, 12, 29), Verdict(Word.PASS, "language_ok")])
    assert marked(first, found) == ["zwei Krüge"]
    assert marked(second, found) == ["Draußen läutet es"]


def test_the_place_of_one_answer_marks_nothing_in_another():
    found = settle_round([failing("One tavern, zwei Krüge.", 12, 22)] * 2)
    assert marked("One tavern, two mugs of ale.", found) == []


def test_a_place_that_is_only_where_something_begins_is_marked_to_the_end_of_its_line():
    text = '```json\n{"mood": "calm"}\n```'
    assert marked(text, settle_round([fenced(text)] * 2)) == ["```json"]


def test_places_are_not_told_as_facts_a_second_time():
    found = settle_round([failing("One tavern, zwei Krüge.", 12, 22)] * 2)
    assert [name for name, _ in facts(found.evidence)] == ["votes", "share"]
