"""A store in which every text that a host or a gateway has a say in is an attack."""

from __future__ import annotations

import json
from datetime import timedelta

from serinus.core.model import Offer, Round, Route, Word
from serinus.core.policy import decide
from serinus.service.documents import listing_document
from serinus.service.memory import Memory
from serinus.service.planning import round_name
from serinus.service.storage import ClosedRound, FindingRow, RoundState, TranscriptRow

SCRIPT = "<script>alert(1)</script>"
TAGS = (
    'a"><img src=x onerror=alert(1)>',
    "b\u202egnp.exe\u2066",
    "c\x1b[31mred\x1b[0m",
    "d' onmouseover='alert(1)",
    "=cmd|' /C calc'!A0",
    "e/{{ 7*7 }}{% raw %}",
    "javascript:alert(1)",
    "f\x00\ud800\u200b",
)
ATTACK = f"{SCRIPT}\x1b[2J\x00\u202e\u2028]]>--><svg onload=alert(1)>{{{{ 7*7 }}}} =1+1 \ud800 &lt;"
LONG = "x" * 1_000_000
ARABIC = "مرحبا بك في النزل الصغير."
HINDI = "क्\u200dष और फ़ारसी می\u200cخواهم"


def write(store, policy, model, at):
    """Two rounds in which every route fails, with transcripts."""
    memory = Memory(store)
    for n in range(2):
        _round(store, memory, policy, model, at - timedelta(minutes=30) * (1 - n))


def _round(store, memory, policy, model, at):
    name = round_name(model, at)
    row = store.open_round(name, model, at)
    bad = TAGS[:2]
    results = {t: {"language": Word.FAIL if t in bad else Word.PASS} for t in TAGS}
    providers = {t: f"{SCRIPT}{n}" for n, t in enumerate(TAGS)}
    event = Round(at, model, frozenset(TAGS), results, providers=providers)
    found = [
        FindingRow(name, at, model, t, "language", "fail", "language_mixed", ATTACK, evidence(t), "ar", 0.4)
        for t in TAGS
    ]
    kept = [
        TranscriptRow(name, at, model, t, f"roleplay.{SCRIPT}", 0, True, transcript(text))
        for t in TAGS
        for text in (ATTACK, ARABIC + HINDI, *([LONG] if t == TAGS[0] else []))
    ]
    offers = [Offer(Route(model, t), providers[t], ATTACK) for t in TAGS]
    closed = {
        "name": name, "model": model, "at": at, "index": row.index, "state": RoundState.CLOSED,
        "closed_at": at, "routes": len(TAGS), "trouble": ATTACK,
    }  # fmt: skip

    def put(proposal):
        end = ClosedRound(
            type(row)(**closed),
            proposal.seen,
            proposal.records,
            found,
            kept,
            listing=listing_document(offers),
        )
        return store.close_round(end)

    memory.record(lambda state: decide(policy, state, event), put)


def evidence(tag):
    spans = [{"start": 0, "end": 8, "text": "<script>"}, {"start": "x"}, 7]
    return {"spans": spans, ATTACK.replace("\ud800", ""): ATTACK, "n": LONG if tag == TAGS[0] else 1}


def transcript(text):
    chunk = {"id": ATTACK, "choices": [{"delta": {"content": text}, "finish_reason": ATTACK}]}
    return {
        "version": 1,
        "probe": {"messages": [{"role": SCRIPT, "content": ATTACK}], "expect": {"language": '"><b>'}},
        "status": 200,
        "headers": {"x": ATTACK},
        "events": [{"at": 0.5, "data": json.dumps(chunk)}],
        "end": ATTACK,
        "error": ATTACK,
        "ended": 1.0,
    }
