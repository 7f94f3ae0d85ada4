"""Prompts of an operator's file: what may stand in one, what can judge it, and that nothing of it is kept."""

from __future__ import annotations

import asyncio
import json

import pytest

from compared import HEALTHY, held, request, sick, world
from serinus.service.comparing.documents import document, plan_document
from serinus.service.comparing.markdown import markdown
from serinus.service.comparing.pack import pack
from serinus.service.comparing.plan import plan
from serinus.service.comparing.prompts import PromptsError, read_prompts
from serinus.service.comparing.request import ComparisonError

SECRET = "ZQX-private-words"  # noqa: S105  no password, but nobody's business


def test_of_an_operators_prompts_nothing_is_kept_but_count_and_digest():
    prompts = read_prompts(f'{SECRET} one\n{{"messages": [{{"role": "user", "content": "{SECRET} two"}}]}}\n')
    gateway, hands = world(
        lambda tag, p: f"{SECRET}, {sick(tag, p)}" if tag != "iris" else f", {SECRET} {HEALTHY}"
    )
    found = held(hands, prompts=prompts, routes=("iris",))
    assert any(SECRET in p.prompt for _, p, _ in gateway.asked)
    assert found.asked.prompts == 2
    assert found.asked.digest == prompts.digest
    assert found.conclusion.blamed == ("iris",)
    whole = [
        json.dumps(document(found)),
        markdown(found),
        *pack(found).values(),
        repr(prompts),
        repr(request(prompts=prompts)),
    ]
    row = hands.store.comparisons.get(found.asked.name)
    planned = asyncio.run(plan(request(prompts=prompts), hands))
    whole += [json.dumps(row.document), json.dumps(plan_document(planned)), repr(planned)]
    assert [text for text in whole if SECRET in text] == []
    assert "repeat.sh" not in pack(found)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no prompt"),
        ("\n  \n", "holds no prompt"),
        ('{"messages": []}', "line 1 of the prompts"),
        ('fine\n{"messages": [{"role": "robot", "content": "x"}]}', "line 2 of the prompts: each message"),
        ("{broken", "line 1 of the prompts: a line that begins with { is one JSON object"),
        ('{"messages": [{"role": "system", "content": "x"}]}', "a message of the role user"),
        ("x\n" * 201, "at most 200"),
        ("x" * 64_001, "at most 64000 characters"),
    ],
)
def test_a_file_that_holds_no_prompts_is_told_without_what_it_holds(text, said):
    with pytest.raises(PromptsError) as error:
        read_prompts(text)
    assert said in str(error.value)
    assert "robot" not in str(error.value)


def test_prompts_may_be_lines_objects_or_texts_in_objects():
    read = read_prompts(
        '\ufeffone\n\n{"prompt": "two"}\n{"messages": [{"role": "user", "content": "three"}]}'
    )
    assert [m[0].content for m in read.messages] == ["one", "two", "three"]
    assert len(read) == 3


def test_a_contract_that_needs_more_than_a_prompt_says_so():
    _, hands = world()
    prompts = read_prompts("one")
    with pytest.raises(ComparisonError, match="prompts of a file are first_token, filtering, language"):
        held(hands, prompts=prompts, contract="structured_output")
    with pytest.raises(ComparisonError, match="must know the language"):
        held(hands, prompts=prompts, contract="language")
    with pytest.raises(ComparisonError, match="in one language"):
        held(hands, prompts=prompts, languages=("en", "pt"))
