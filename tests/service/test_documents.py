"""What is kept of an answer does not depend on how long the process has lived."""

from __future__ import annotations

from dataclasses import replace

from serinus.core.model import Expectation, Probe
from serinus.core.transcript import Answer, Transcript
from serinus.service.documents import transcript_document

PROBE = Probe(key="k", kind="roleplay", language="en")


def kept(text: str, *nonces: str) -> list[str]:
    probe = replace(PROBE, expect=Expectation(previous_nonces=nonces))
    return transcript_document(Transcript(probe, Answer(text=text)))["probe"]["expect"]["previous_nonces"]


def test_earlier_nonces_are_kept_only_where_the_answer_holds_them():
    assert kept("As I said, the Amber\nKestrel flew.", "amber kestrel", "violet anvil") == ["amber kestrel"]
    assert kept("A quiet evening.", "amber kestrel", "violet anvil") == []
