"""`serinus doctor --deep` before a simulated gateway, whose answers are known."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Mapping
from contextlib import redirect_stdout
from typing import Any

import pytest

from serinus.cli.deep import CANNOT, REFUSED, SETTLED, deep
from serinus.config.settings import Settings
from serinus.prober.secret import Secret
from serinus.simulator.scenario import Host, Latency, Model, Scenario
from serinus.simulator.simulator import Simulator

MODEL = "acme/story-70b"
AT_ONCE = Latency(0.0, 0.0, 0.0)


def host(tag: str, name: str, **more: Any) -> Host:
    return Host(tag, name, tag.partition("/")[0], latency=more.pop("latency", AT_ONCE), **more)


def run(*hosts: Host, key: str | None = "sk-x", yes: bool = True, as_json: bool = True) -> tuple[int, float]:
    """The exit status, and what the gateway took."""

    async def inner() -> tuple[int, float]:
        world = Scenario((Model(MODEL, "Story"),), hosts, generation_delay=0.3)
        async with Simulator(world) as simulator:
            settings = Settings.model_validate(
                {"model": [{"id": MODEL}], "gateway": {"base_url": simulator.base_url}}
            )
            done, _ = await deep(settings, Secret(key) if key else None, yes=yes, as_json=as_json)
            return done, simulator.ledger.spent

    return asyncio.run(inner())


HOSTS = (
    host("amber/fp8", "Amber AI", latency=Latency(0.05, 0.0, 0.0), status=-2),
    host("birch", "Birch Cloud", latency=Latency(0.05, 0.0, 0.0)),
    host("cobalt", "Cobalt"),
)


@pytest.fixture(scope="module")
def answers() -> Mapping[str, Any]:
    """What it settles, of a run that prints JSON."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with redirect_stdout(out):
        done, spent = run(*HOSTS)
    assert done == SETTLED
    out.seek(0)
    told = json.loads(out.read())
    return {**told, "spent": spent}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("unknown name in provider.only", "it is refused (404)"),
        ("unknown name in provider.ignore", "it passes without a word"),
        (
            "display name in provider.only and provider.ignore",
            "in only it means nobody (404); in ignore it has no effect",
        ),
        (
            "tag in upper case in provider.only and provider.ignore",
            "in only it means nobody (404); in ignore it has no effect",
        ),
        ("full tag in provider.ignore", "it leaves the route out"),
        (
            "status of an endpoint, and whether a negative one answers a pin",
            "amber/fp8 with status -2 answers",
        ),
        ("header X-OR-Endpoint-Id with an ordinary key", "it has no effect"),
        ("a conversation whose host is ignored from now on", "it is served elsewhere at once"),
        (
            "where availability stands beside code",
            "at error.availability; code at error.code, error.availability.code",
        ),
        ("unit of latency_last_30m", "milliseconds"),
    ],
)
def test_the_simulated_gateway_gives_its_answers(answers, question, answer):
    found = next(q for q in answers["questions"] if q["question"] == question)
    assert found["answer"] == answer
    assert found["evidence"]


def test_a_record_that_comes_late_is_waited_for(answers):
    found = next(q for q in answers["questions"] if "record" in q["question"])
    assert found["answer"].startswith("it is there after at most 0.")


def test_what_cannot_be_settled_is_named_with_why(answers):
    open_ = {q["question"]: q["why"] for q in answers["questions"] if q["answer"] is None}
    assert set(open_) == {
        "variant tag in a guardrail's ignored_providers",
        "request `provider` against a preset's",
    }
    assert all(open_.values())


def test_each_answer_tells_its_cost_and_all_of_them_the_sum(answers):
    assert answers["usd"] == pytest.approx(answers["spent"])
    assert answers["usd"] == pytest.approx(sum(q["usd"] for q in answers["questions"]))
    assert answers["asked"] == sum(q["asked"] for q in answers["questions"])


def test_nothing_is_asked_before_somebody_agrees(capsys):
    done, spent = run(*HOSTS, yes=False)
    assert (done, spent) == (REFUSED, 0.0)
    said = capsys.readouterr().err
    assert "At most 16 short questions to " in said
    assert "for at most 0.000" in said


@pytest.mark.parametrize(
    ("hosts", "key", "says"),
    [(HOSTS, None, "set OPENROUTER_API_KEY"), (HOSTS[:1], "sk-x", "not two providers to compare")],
)
def test_it_says_what_it_lacks(capsys, hosts, key, says):
    assert run(*hosts, key=key) == (CANNOT, 0.0)
    assert says in capsys.readouterr().err


def test_a_person_reads_question_answer_and_evidence(capsys):
    run(*HOSTS, as_json=False)
    said = capsys.readouterr().out
    first = "unknown name in provider.only (1 asked, 0.000000 USD)"
    assert said.startswith(f"{first}\n    it is refused (404)\n    | 404: No allowed")
    assert "11 of 13 settled" in said
