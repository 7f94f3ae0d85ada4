"""A comparison over a scripted gateway: what is asked of whom, what it costs, how it ends, what is kept."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest

from compared import AT, HEALTHY, TAGS, Answering, held, request, sick, world
from serinus.core.comparison.conclusion import Kind
from serinus.core.model import Listing, Word
from serinus.core.transcript import Answer
from serinus.service.comparing.documents import comparison_of, document, progress_document
from serinus.service.comparing.plan import plan
from serinus.service.comparing.request import ComparisonError
from serinus.service.comparing.run import BudgetError, compare
from serinus.service.comparisons import SILENT, ComparisonState


def test_every_route_is_asked_the_same_prompts_and_the_sick_one_is_found():
    gateway, hands = world()
    found = held(hands)
    by_tag = {tag: Counter(str(p.messages) for t, p, _ in gateway.asked if t == tag) for tag in TAGS}
    assert all(prompts == by_tag["iris"] and len(prompts) == 8 for prompts in by_tag.values())
    assert (found.state, found.done) == (ComparisonState.DONE, 40)
    assert (found.conclusion.kind, found.conclusion.blamed) == (Kind.ENDPOINT, ("iris",))


def test_routes_are_interleaved_in_an_order_that_the_seed_fixes():
    def order(seed):
        _, hands = world()
        found = asyncio.run(plan(request(seed=seed), hands))
        return [ask.offer.route.tag for ask in found.asks]

    tags = order("one")
    assert all(set(tags[n : n + 5]) == set(TAGS) for n in range(0, 40, 5))
    assert order("one") == tags
    assert order("two") != tags


def test_no_prompt_is_warm_and_every_request_has_a_session_of_its_own():
    gateway, hands = world()
    held(hands)
    assert len({session for _, _, session in gateway.asked}) == 40
    assert len({p.expect.nonce for _, p, _ in gateway.asked}) == 8


def test_peers_may_be_asked_less_and_together_answer_every_prompt():
    gateway, hands = world()
    held(hands, routes=("iris",), peer_answers=2)
    counts = Counter(tag for tag, _, _ in gateway.asked)
    assert counts == {"iris": 8, "amber": 2, "birch": 2, "cedar": 2, "dune": 2}
    assert len({p.expect.nonce for tag, p, _ in gateway.asked if tag != "iris"}) >= 5


def test_answers_that_do_not_count_are_counted_apart():
    _, hands = world(lambda tag, _p: "lost" if tag == "amber" else HEALTHY)
    found = held(hands)
    amber = next(r for r in found.routes if r.tag == "amber")
    assert (amber.total.counted, amber.apart) == (0, {Word.TRANSPORT: 8})
    assert found.conclusion.kind is Kind.NOT_REPRODUCED


def test_what_it_costs_is_known_before_and_noted_as_it_goes():
    priced = tuple(replace(o, prompt_price=1e-6, completion_price=2e-6) for o in Answering.offers)
    gateway, hands = world()
    gateway.offers = priced
    found = asyncio.run(plan(request(), hands))
    assert found.estimate.requests == 40
    assert 0 < found.estimate.usd < found.estimate.most
    held(hands)
    assert hands.store.spent(AT.date()) == pytest.approx(0.04)


def test_a_route_without_a_price_is_told():
    _, hands = world()
    assert set(asyncio.run(plan(request(), hands)).estimate.unpriced) == set(TAGS)


def priced_world(budget):
    gateway, hands = world(budget=budget)
    gateway.offers = tuple(replace(o, prompt_price=1e-3, completion_price=1e-3) for o in Answering.offers)
    return gateway, hands


def test_what_the_day_cannot_pay_for_is_refused_before_anything_is_asked():
    gateway, hands = priced_world(0.5)
    with pytest.raises(BudgetError, match=r"the day's budget of 0.50 USD has 0.5000 USD left.*--budget"):
        held(hands)
    assert gateway.asked == []
    assert hands.store.comparisons.latest() == []


def test_a_leave_of_its_own_or_a_yes_goes_above_the_day():
    for more in ({"leave": 1000.0}, {"yes": True}):
        _, hands = priced_world(0.5)
        assert held(hands, **more).state is ComparisonState.DONE


def test_a_leave_that_is_used_up_ends_it_and_what_was_measured_stays():
    gateway, hands = world()
    gateway.cost = 0.01
    found = held(hands, leave=0.055)
    assert found.state is ComparisonState.PARTIAL
    assert 6 <= found.done < 40
    assert "its budget was used up" in document(found)["verdict"]["notes"][0]


def test_a_stop_ends_it_after_the_requests_in_flight():
    _, hands = world()
    stop = asyncio.Event()

    def progress(at):
        if at.done == 10:
            stop.set()

    async def run():
        return await compare(request(), hands, progress, stop)

    found = asyncio.run(run())
    assert found.state is ComparisonState.PARTIAL
    assert 10 <= found.done < 40
    kept = hands.store.comparisons.get(found.asked.name)
    assert kept.state is ComparisonState.PARTIAL


class Cut(Answering):
    """Hangs after some answers."""

    async def ask(self, offer, probe, *, session, limits):
        if len(self.asked) >= 12:
            await asyncio.Event().wait()
        return await super().ask(offer, probe, session=session, limits=limits)


def test_a_cancelled_one_keeps_what_was_measured_and_what_it_cost():
    _, hands = world()
    hands = replace(hands, gateway=Cut(sick))

    async def run():
        seen = asyncio.Event()

        def progress(at):
            if at.done == 12:
                seen.set()

        async with asyncio.TaskGroup() as group:
            task = group.create_task(compare(request(name="cut"), hands, progress))
            await seen.wait()
            task.cancel()

    asyncio.run(run())
    kept = hands.store.comparisons.get("cut")
    assert (kept.state, kept.document["done"]) == (ComparisonState.PARTIAL, 12)
    assert hands.store.spent(AT.date()) == pytest.approx(0.012)


class Refusing(Answering):
    """Refuses our own key."""

    async def ask(self, offer, probe, *, session, limits):
        found = await super().ask(offer, probe, session=session, limits=limits)
        body = {"error": {"code": 401, "message": "No auth credentials found"}}
        return replace(found, answer=Answer(), status=401, body=json.dumps(body))


def test_a_refused_key_is_ours_and_ends_it_early():
    _, hands = world()
    gateway = Refusing(sick)
    found = asyncio.run(compare(request(), replace(hands, gateway=gateway)))
    assert found.state is ComparisonState.PARTIAL
    assert len(gateway.asked) < 40
    assert "our own key or account" in found.why
    assert found.conclusion.kind is Kind.UNDECIDED


def test_a_judge_that_dies_leaves_a_failed_comparison_and_its_cost():
    async def dead(*_asked):
        message = "the judges are gone"
        raise RuntimeError(message)

    _, hands = world()
    with pytest.raises(RuntimeError, match="the judges are gone"):
        held(replace(hands, judges=dead), name="broken")
    assert hands.store.comparisons.get("broken").state is ComparisonState.FAILED


def test_one_whose_process_died_is_called_failed_when_the_next_begins():
    _, hands = world()
    held(hands, name="old")
    row = hands.store.comparisons.get("old")
    hands.store.comparisons.keep(
        replace(row, state=ComparisonState.RUNNING, touched=AT - SILENT - timedelta(seconds=1))
    )
    held(hands, name="new")
    assert hands.store.comparisons.get("old").state is ComparisonState.FAILED
    assert comparison_of(hands.store.comparisons.get("old")).why == "its process ended"


def test_what_was_kept_reads_back_as_it_was():
    _, hands = world()
    found = held(hands, routes=("iris",), peer_answers=4)
    again = comparison_of(hands.store.comparisons.get(found.asked.name))
    assert document(again) == document(found)


def test_what_another_release_kept_beside_it_is_passed_over():
    _, hands = world()
    found = held(hands, routes=("iris",))
    row = hands.store.comparisons.get(found.asked.name)
    samples = [{**sample, "body": {}} for sample in row.document["samples"]]
    again = comparison_of(replace(row, document={**row.document, "address": "x", "samples": samples}))
    assert document(again) == document(found)


def test_a_name_is_taken_once_and_one_that_was_made_up_gives_way():
    _, hands = world()
    first, second = held(hands), held(hands)
    assert (first.asked.name, second.asked.name) == (
        "opening-story-70b-20261130t023000z",
        "opening-story-70b-20261130t023000z-2",
    )
    held(hands, name="mine")
    with pytest.raises(ComparisonError, match="there is a comparison mine already"):
        held(hands, name="mine")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"contract": "usage"}, "contract: found 'usage'; those that can judge a comparison are first_token"),
        ({"contract": "nonsense"}, "contract: found 'nonsense'"),
        ({"routes": ("nobody",)}, "route: 'nobody' does not serve acme/story-70b now; live are iris, amber"),
        ({"languages": ("xx",)}, "language: found 'xx', known are en"),
        ({"answers": 0}, "answers: found 0, allowed are 1 to 500"),
        ({"name": "Two Words"}, "name: found 'Two Words', allowed are a-z"),
    ],
)
def test_what_cannot_be_compared_is_told_with_what_can(more, said):
    _, hands = world()
    with pytest.raises(ComparisonError) as error:
        held(hands, **more)
    assert said in str(error.value)


def test_a_listing_that_cannot_be_had_is_told():
    class Dumb(Answering):
        async def discover(self, model):
            return Listing(model, trouble="the listing was empty")

    _, hands = world()
    with pytest.raises(ComparisonError, match="cannot be compared: the listing was empty"):
        held(replace(hands, gateway=Dumb(sick)))


def test_controls_are_no_peers_and_a_lone_route_has_none():
    gateway, hands = world(controls=frozenset({"dune"}))
    found = held(hands)
    assert found.asked.left_out == {"dune": "a control, which is known to filter"}
    assert "dune" not in {tag for tag, _, _ in gateway.asked}
    gateway.offers = gateway.offers[:1]
    with pytest.raises(ComparisonError, match="2 are the least"):
        held(hands)


def test_a_route_that_does_not_claim_what_is_asked_is_left_out_or_told():
    gateway, hands = world()
    able = tuple(replace(o, claims=frozenset({"structured_outputs", "seed"})) for o in gateway.offers)
    gateway.offers = (replace(able[0], claims=frozenset({"seed"})), *able[1:])
    found = asyncio.run(plan(request(contract="structured_output"), hands))
    assert list(found.left_out) == ["iris"]
    with pytest.raises(ComparisonError, match="iris cannot be asked this"):
        held(hands, contract="structured_output", routes=("iris",))


def test_progress_tells_counts_as_they_come():
    _, hands = world()
    seen = []
    held(hands, lambda p: seen.append(progress_document(p)))
    assert [p["done"] for p in seen] == list(range(1, 41))
    assert seen[-1]["counts"]["iris"] == {"failed": 8, "counted": 8}
    json.dumps(seen)
