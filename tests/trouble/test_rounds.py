"""Whole rounds over a troubled wire: each trouble is told for what it is, and nobody else pays for it."""

from __future__ import annotations

import pytest

from serinus.core.model import Word
from serinus.core.transcript import End, Transcript
from troubled import GROUPS, TROUBLES, World, live, troubled, two_rounds

KEPT = 2_000_000  # bytes of one answer


@pytest.mark.parametrize("tags", GROUPS, ids=["light", "heavy"])
def test_each_trouble_is_told_for_what_it_is_and_only_silence_suspends(tags):
    world = live(troubled(tags), two_rounds)
    words = world.words("first_token")
    assert {tag: words[tag] for tag in tags} == {tag: {TROUBLES[tag].word} for tag in tags}
    assert {tag: said for tag, said in words.items() if tag not in tags and said != {Word.PASS}} == {}
    assert world.suspended() == {tag for tag in tags if TROUBLES[tag].suspends}
    assert max(size(t) for t in transcripts(world)) <= KEPT
    for tag in {"long_line", "long_body"} & set(tags):
        assert {t.end for t in transcripts(world, tag)} == {End.CAPPED}
    if "ten_thousand" in tags:
        assert min(len(t.events) for t in transcripts(world, "ten_thousand")) >= 9_990


def transcripts(world: World, tag: str | None = None) -> list[Transcript]:
    return [
        answered.transcript
        for outcome in world.outcomes
        for route in outcome.report.routes
        if tag in (None, route.offer.route.tag)
        for answered in route.answered
    ]


def size(transcript: Transcript) -> int:
    events = (len(e.data or "") + len(e.comment or "") for e in transcript.events)
    return len(transcript.body or "") + sum(events)
