"""What follows when suspensions run out: renewed while still failing, else back in production (rule 9)."""

from __future__ import annotations

from serinus.core.policy.draft import Draft
from serinus.core.policy.entries import Decision, Kind
from serinus.core.policy.floor import View, capacity
from serinus.core.policy.ladder import grounds, next_level
from serinus.core.policy.lanes import Lane
from serinus.core.policy.state import Suspension


def run_out(draft: Draft) -> None:
    """End or renew every suspension whose `until` has come, one after the other, the earliest first.

    A renewed one may itself run out before `now`, in its turn.
    """
    while (ending := _next(draft)) is not None:
        _end_or_renew(draft, *ending)


def _next(draft: Draft) -> tuple[str, str, Lane, Suspension] | None:
    ended = [
        (suspension.until, name, tag, lane, suspension)
        for name, model in draft.state.models.items()
        if model.ending is not None and model.ending <= draft.now
        for tag, lane, suspension in model.suspensions()
        if suspension.until <= draft.now
    ]
    return min(ended, key=lambda found: found[:4])[1:] if ended else None


def _end_or_renew(draft: Draft, name: str, tag: str, lane: Lane, suspension: Suspension) -> None:
    until = suspension.until
    route = draft.state.model(name).route(tag)
    ripe = draft.ripe(name, route.tallies, lane)
    failing = any(draft.policy.rule.fresh(tally, until) for tally in ripe.values())
    # At `until` it is no longer in force, so that its route is reckoned as if it were in production.
    room = capacity(draft.policy, draft.state, View(name, lane, until))
    facts = grounds(draft.policy, ripe, room, tag)
    if failing and room.allows(tag):
        level = next_level(draft.policy, route.lane(lane).latest, until)
        end = until + draft.policy.length(level)
        draft.add(Decision(until, name, Kind.RENEWED, tag, lane, tuple(ripe), level, end, facts))
        return
    draft.add(
        Decision(
            until,
            name,
            Kind.EXPIRED,
            tag,
            lane,
            suspension.contracts,
            suspension.level,
            facts={**facts, "failing": failing},
            tallies={} if failing else dict.fromkeys(draft.in_lane(name, route.tallies, lane)),
        )
    )
    draft.ease(name, until)
