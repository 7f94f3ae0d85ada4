"""What follows from a round (rules 1 to 8)."""

from __future__ import annotations

from collections.abc import Mapping

from serinus.core.evidence import READINGS, Reading, Tally
from serinus.core.instants import format_instant
from serinus.core.model import Round, Word
from serinus.core.policy.draft import Draft
from serinus.core.policy.entries import Counted, Decision, Fact, Kind, Warned
from serinus.core.policy.floor import View, capacity
from serinus.core.policy.ladder import grounds, next_level
from serinus.core.policy.lanes import LANES, Lane
from serinus.core.policy.readings import FILTERING, Words, asked, doubted, suspicions, weak_controls
from serinus.core.policy.state import ModelState, RouteState, Suspension

Tallies = dict[str, Mapping[str, Tally]]  # by route, then contract


def on_round(draft: Draft, round_: Round) -> None:
    """Take in a round if it counts: read it, then restore, then suspend."""
    model = draft.state.model(round_.model)
    if model.latest is not None and round_.at - model.latest < draft.policy.min_gap:
        facts: dict[str, Fact] = {
            "latest": format_instant(model.latest),
            "min_gap": draft.policy.min_gap.total_seconds(),
        }
        draft.add(Warned(round_.at, "round_not_counted", round_.model, facts=facts))
        return
    standing = _carried(draft, model, round_)
    draft.ease(round_.model, round_.at, standing)
    words = _brakes(draft, round_, asked(round_, model), standing)
    draft.add(
        Counted(
            round_.at,
            round_.model,
            round_.live,
            round_.providers,
            words,
            tallies=_changes(draft, model, round_, words, standing),
            clean=_recoveries(draft, model, round_, words),
        )
    )
    draft.ease(round_.model, round_.at)
    _restore(draft, round_)
    _suspend(draft, round_, words)


def _carried(draft: Draft, model: ModelState, round_: Round) -> Tallies:
    """What is still held against each route as the round begins (rule 3)."""
    rule = draft.policy.rule
    return {
        tag: {
            c: left
            for c, held in route.tallies.items()
            if (left := rule.carried(held, round_.at)) is not None
        }
        for tag, route in model.routes.items()
        if route.tallies
    }


def _brakes(draft: Draft, round_: Round, words: Words, standing: Tallies) -> Words:
    """Suspect the probe before any host; the weak probe is said first (rules 4 and 11)."""
    found = suspicions(words, standing, round_.providers) if draft.policy.void_majority else []
    if weak := weak_controls(round_):
        facts: dict[str, Fact] = {"controls": list(weak)}
        draft.add(Decision(round_.at, round_.model, Kind.PROBE_WEAK, contracts=(FILTERING,), facts=facts))
    for suspicion in found:
        facts = {"failing": list(suspicion.failing), "providers": suspicion.providers}
        draft.add(
            Decision(round_.at, round_.model, Kind.ROUND_VOID, contracts=(suspicion.contract,), facts=facts)
        )
        words = doubted(words, suspicion.contract, Word.FAIL)
    return doubted(words, FILTERING, Word.PASS) if weak else words


def _changes(
    draft: Draft, model: ModelState, round_: Round, words: Words, standing: Tallies
) -> dict[str, dict[str, Tally | None]]:
    """Each contract's tally that this round changed, by route."""
    rule = draft.policy.rule
    changes: dict[str, dict[str, Tally | None]] = {}
    for tag in sorted({*words, *standing}):
        before = model.route(tag).tallies
        after = dict(standing.get(tag, {}))
        for contract, word in words.get(tag, {}).items():
            held = rule.weighed(after.pop(contract, None), READINGS[word], round_.at)
            if held is not None:
                after[contract] = held
        changed = {c: after.get(c) for c in sorted({*before, *after}) if before.get(c) != after.get(c)}
        if changed:
            changes[tag] = changed
    return changes


def _recoveries(
    draft: Draft, model: ModelState, round_: Round, words: Words
) -> dict[str, dict[Lane, Tally | None]]:
    """Each suspension's recovery that this round changed (rule 8)."""
    changes: dict[str, dict[Lane, Tally | None]] = {}
    for tag, lane, suspension in model.suspensions():
        if round_.at > suspension.since and tag in words:
            clean = _cleaner(draft, round_, suspension, lane, words[tag])
            if clean != suspension.clean:
                changes.setdefault(tag, {})[lane] = clean
    return changes


def _cleaner(
    draft: Draft, round_: Round, suspension: Suspension, lane: Lane, words: Mapping[str, Word]
) -> Tally | None:
    """Only contracts that are in the lane now are seen: a shadow never lengthens a real suspension."""

    def here(contract: str) -> bool:
        return draft.lane_of(round_.model, contract) is lane

    readings: dict[str, Reading] = {c: READINGS[word] for c, word in words.items() if here(c)}
    rests_on = {c for c in suspension.contracts if here(c)}
    return draft.policy.rule.cleaner(suspension.clean, readings, rests_on, round_.at)


def _restore(draft: Draft, round_: Round) -> None:
    rule = draft.policy.rule
    for tag, lane, suspension in draft.state.model(round_.model).suspensions():
        if not rule.recovered(suspension.clean):
            continue
        route = draft.state.model(round_.model).route(tag)
        held = draft.in_lane(round_.model, route.tallies, lane)
        draft.add(
            Decision(
                round_.at,
                round_.model,
                Kind.RESTORED,
                tag,
                lane,
                suspension.contracts,
                suspension.level,
                facts={"clean": suspension.clean.rounds if suspension.clean else 0},
                tallies={contract: rule.probation(tally) for contract, tally in held.items()},
            )
        )
        draft.ease(round_.model, round_.at)


def _suspend(draft: Draft, round_: Round, words: Words) -> None:
    """Suspend what is due, the worst first, as far as the floor allows (rules 6 and 7)."""
    model = draft.state.model(round_.model)
    for lane in LANES:
        due = [
            (tag, ripe)
            for tag in round_.live
            if (ripe := _due(draft, round_, model.route(tag), lane, words.get(tag, {})))
        ]
        for tag, ripe in sorted(due, key=_worst_first):
            _suspend_or_hold(draft, round_, tag, lane, ripe)


def _due(
    draft: Draft, round_: Round, route: RouteState, lane: Lane, words: Mapping[str, Word]
) -> dict[str, Tally]:
    """The lane's ripe contracts of a route that is due in it; nothing if it is not due (rule 6)."""
    if not route.tallies or route.lane(lane).suspension is not None:
        return {}
    if route.grace is not None and round_.at < route.grace:
        return {}
    ripe = draft.ripe(round_.model, route.tallies, lane)
    return ripe if any(words.get(contract) is Word.FAIL for contract in ripe) else {}


def _worst_first(due: tuple[str, dict[str, Tally]]) -> tuple[int, int, str]:
    tag, ripe = due
    return (-max(tally.weight for tally in ripe.values()), -len(ripe), tag)


def _suspend_or_hold(draft: Draft, round_: Round, tag: str, lane: Lane, ripe: Mapping[str, Tally]) -> None:
    room = capacity(draft.policy, draft.state, View(round_.model, lane, draft.now))
    standing = draft.state.model(round_.model).route(tag).lane(lane)
    facts = grounds(draft.policy, ripe, room, tag)
    if room.allows(tag):
        level = next_level(draft.policy, standing.latest, round_.at)
        until = round_.at + draft.policy.length(level)
        kind = Kind.SUSPENDED
        draft.add(Decision(round_.at, round_.model, kind, tag, lane, tuple(ripe), level, until, facts))
    elif not standing.held:
        draft.add(Decision(round_.at, round_.model, Kind.HELD_AT_FLOOR, tag, lane, tuple(ripe), facts=facts))
