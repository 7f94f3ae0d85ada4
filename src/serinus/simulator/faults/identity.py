"""Answers that are not the pinned route's own."""

from __future__ import annotations

from dataclasses import replace

from serinus.simulator.draft import Attempt, Draft, Served
from serinus.simulator.faults.registry import Case, Stage, at
from serinus.simulator.repair import repaired
from serinus.simulator.scenario import Host


@at(Stage.ANSWER)
def wrong_model(draft: Draft, case: Case, *, model: str = "other/mini-8b") -> Draft:
    """The response names another model than the one asked for."""
    del case
    return replace(draft, served=replace(draft.served, model=model))


@at(Stage.ANSWER)
def wrong_provider(draft: Draft, case: Case) -> Draft:
    """The pin is not honoured: another provider answers and says so."""
    others = [h for h in case.peers if h.display != case.host.display]
    if not others:
        return replace(draft, served=_served_by(draft.served, "Unlisted Host", case.host.endpoint_id))
    other = case.chance.choice(others)
    return replace(draft, served=_served_by(draft.served, other.display, other.endpoint_id))


@at(Stage.ANSWER)
def sibling_answers(draft: Draft, case: Case) -> Draft:
    """Another endpoint of the same provider answers: only the generation record's endpoint id tells."""
    sibling = next((h for h in case.peers if h.provider == case.host.provider and h != case.host), None)
    endpoint = sibling.endpoint_id if sibling else "00000000-0000-4000-8000-000000000000"
    return replace(draft, served=_served_by(draft.served, draft.served.display, endpoint))


@at(Stage.ANSWER)
def fallback_attempt(draft: Draft, case: Case) -> Draft:
    """The first attempt failed and another host answered, although fallbacks were off."""
    other = next((h for h in case.peers if h.display != case.host.display), case.host)
    first = _attempt(draft.served, case.host, 502)
    second = _attempt(draft.served, other, 200)
    served = replace(draft.served, attempts=(first, second), display=other.display)
    return replace(draft, served=replace(served, endpoint_id=other.endpoint_id))


@at(Stage.ANSWER)
def retried_attempt(draft: Draft, case: Case) -> Draft:
    """The right host answered, but only at the second attempt."""
    attempts = (_attempt(draft.served, case.host, 502), *draft.served.attempts)
    return replace(draft, served=replace(draft.served, attempts=attempts))


@at(Stage.ANSWER)
def cache_hit(draft: Draft, case: Case) -> Draft:
    """The gateway's response cache answers: header HIT, usage zeroed, no metadata."""
    del case
    served = replace(draft.served, cached=True)
    return replace(draft, served=served, prompt_tokens=0, completion_tokens=0, reasoning_tokens=0)


@at(Stage.ANSWER)
def healed_json(draft: Draft, case: Case) -> Draft:
    """A plugin of the gateway repaired the answer, although the request switched it off."""
    del case
    stage = {"type": "response_healing", "name": "response-healing", "data": {"healed": True}}
    served = replace(draft.served, pipeline=(*draft.served.pipeline, stage))
    return replace(draft, served=served, text=None if draft.text is None else repaired(draft.text))


@at(Stage.ANSWER)
def compressed_prompt(draft: Draft, case: Case) -> Draft:
    """A plugin of the gateway shortened the prompt, although the request switched it off."""
    del case
    stage = {"type": "context_compression", "name": "context-compression", "data": {"removed_messages": 1}}
    return replace(draft, served=replace(draft.served, pipeline=(*draft.served.pipeline, stage)))


@at(Stage.ANSWER)
def nobody_named(draft: Draft, case: Case) -> Draft:
    """The response does not name the provider, in chunks or in metadata."""
    del case
    return replace(draft, served=replace(draft.served, display="", attempts=()))


@at(Stage.ANSWER)
def byok_answer(draft: Draft, case: Case) -> Draft:
    """The caller's own provider account answers: is_byok is true."""
    del case
    return replace(draft, served=replace(draft.served, byok=True))


def _served_by(served: Served, display: str, endpoint_id: str) -> Served:
    attempts = tuple(replace(a, display=display, endpoint_id=endpoint_id) for a in served.attempts)
    return replace(served, display=display, endpoint_id=endpoint_id, attempts=attempts)


def _attempt(served: Served, host: Host, status: int) -> Attempt:
    return Attempt(host.display, served.model, status, host.endpoint_id)
