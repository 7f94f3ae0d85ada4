"""No contract is blind, and none cries wolf: each judges the simulator's faults and its healthy hosts."""

import asyncio
from dataclasses import replace

import pytest

from serinus.contracts import contracts
from serinus.core.model import Message, Word
from serinus.judging.judge import judge, judge_samples
from serinus.probes.languages import available
from serinus.simulator.faults import catalogue
from serinus.simulator.scenario import FaultUse
from serinus.simulator.tokens import count_prompt
from simulated import ASKS, probe, transcript

SOME = ("en", "pt", "ja", "ru", "th")


@pytest.mark.parametrize("contract", contracts(), ids=lambda c: c.name)
def test_every_contract_names_a_fault_that_there_is(contract):
    assert contract.blind_fault in catalogue()


def plain(kind):
    return lambda language, index: probe(kind, language, index)


def with_a_stop_string(language, index):
    asked = probe("roleplay", language, index)
    return replace(asked, stop=("a", "а", "の", "า"))


def with_a_needle(language, index):
    """A long prompt whose first words must be in the answer."""
    asked = probe("roleplay", language, index)
    padded = Message("system", f"{asked.messages[0].content}\n{PADDING}")
    sent = count_prompt([padded.content, asked.prompt])
    expect = replace(asked.expect, sent_tokens=(sent,))
    return replace(asked, kind="needle", messages=(padded, *asked.messages[1:]), expect=expect)


def beside_another(language, index):
    """A probe that knows the nonce of the one before it."""
    asked = probe("roleplay", language, index)
    expect = replace(asked.expect, other_nonces=(BEFORE.expect.nonce,))
    return replace(asked, expect=expect)


SPECIAL = {"parameters": with_a_stop_string, "context": with_a_needle, "isolation": beside_another}
BEFORE = probe("roleplay", "it", 9)
# A cut word can be told where the word lists know what it should have been: not in every language.
SEEN_IN = {"completion": ("de", "en", "es")}
PADDING = "The road goes on and on. " * 60


def question(contract):
    kind = next(
        (k for k in ASKS if k in contract.kinds and k in catalogue()[contract.blind_fault].kinds), None
    )
    return SPECIAL.get(contract.name) or plain(kind)


CASES = [(c, language) for c in contracts() for language in SEEN_IN.get(c.name, SOME)]


@pytest.mark.parametrize(("contract", "language"), CASES, ids=lambda v: getattr(v, "name", v))
def test_no_contract_is_blind(contract, language):
    make, use = question(contract), FaultUse(contract.blind_fault)
    struck = [asyncio.run(transcript(make(language, i), use, before=BEFORE)) for i in (2, 6, 3)]
    verdict = judge_samples(contract, struck)
    votes = [judge(contract, t) for t in struck]
    wanted = {Word.FAIL} if contract.scored else {Word.FAIL, Word.WARN, Word.VOID}
    assert verdict.word in wanted, [v.reason for v in votes]


@pytest.mark.parametrize("language", available())
def test_no_contract_fails_a_healthy_host(language):
    for kind in ASKS:
        for index in (0, 1, 2, 3):
            seen = asyncio.run(transcript(probe(kind, language, index)))
            words = {c.name: judge(c, seen).word for c in contracts() if kind in c.kinds}
            assert {n: w for n, w in words.items() if w in (Word.FAIL, Word.TRANSPORT, Word.VOID)} == {}
