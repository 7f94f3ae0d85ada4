"""A healthy simulated answer passes every contract in every language: prompts, passages and judges agree."""

import json

import pytest

from serinus.contracts import contracts
from serinus.core.model import Turn, Word
from serinus.core.transcript import Answer, Transcript, Usage
from serinus.judging.judge import judge
from serinus.probes import roleplay, structured
from serinus.simulator import passages

ALL = pytest.mark.parametrize("code", passages.languages())
HARMLESS = {Word.PASS, Word.NOT_APPLICABLE}


def transcript(probe, text):
    usage = Usage(prompt_tokens=60, completion_tokens=len(text) // 4, total_tokens=60 + len(text) // 4)
    answer = Answer(
        text=text, finish_reason="stop", native_finish_reason="stop", usage=usage, done=True, choices=1
    )
    return Transcript(probe=probe, answer=answer, status=200, direct=True, timed=False)


def verdicts(probe, text):
    read = [c for c in contracts() if probe.kind in c.kinds]
    found = {c.name: judge(c, transcript(probe, text)) for c in read}
    return {name: (v.reason, v.detail) for name, v in found.items() if v.word not in HARMLESS}


@ALL
def test_every_passage_passes_every_contract_that_reads_it(code):
    for index in range(8):
        probe = roleplay.ask(Turn(f"acme/model@{index}", index, "deepinfra/fp8", code))
        text = passages.passage(code, probe.key.rpartition(".")[2])
        assert verdicts(probe, text.replace("{nonce}", probe.expect.nonce)) == {}


@ALL
def test_a_right_object_passes_every_contract_that_reads_it(code):
    for index in range(4):
        probe = structured.ask(Turn(f"acme/model@{index}", 2 * index, "deepinfra/fp8", code))
        values = {key: allowed[0] for key, allowed in probe.expect.values.items()}
        line = passages.lines(code)[index % 2]
        wanted = {"mood": "tense", "guests": 4, "password": probe.expect.nonce, "line": line} | values
        assert verdicts(probe, json.dumps(wanted, ensure_ascii=False)) == {}
