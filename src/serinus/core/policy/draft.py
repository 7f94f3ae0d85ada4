"""What one event leads to, entry by entry; each is taken into a state of its own as it is written."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from serinus.core.evidence import Tally
from serinus.core.policy.entries import Eased, Entry
from serinus.core.policy.evolve import evolve
from serinus.core.policy.lanes import LANES, Lane, lane_of
from serinus.core.policy.settings import Policy
from serinus.core.policy.state import State


class Draft:
    """The entries of one event in the making; whoever decides next sees what was decided before.

    `now` is the greatest instant so far, the event's own included.
    """

    def __init__(self, policy: Policy, state: State, at: datetime) -> None:
        self.policy = policy
        self.state = state
        self.now = at if state.now is None else max(state.now, at)
        self.entries: list[Entry] = []

    def add(self, entry: Entry) -> None:
        """Write down an entry and go on from the state after it."""
        self.entries.append(entry)
        self.state = evolve(self.state, entry)

    def lane_of(self, model: str, contract: str) -> Lane:
        """The lane a contract of a model belongs to now."""
        return lane_of(self.policy.mode, self.state.modes, model, contract)

    def in_lane(self, model: str, tallies: Mapping[str, Tally], lane: Lane) -> dict[str, Tally]:
        """Of the tallies of a route, those on contracts of one lane, by name."""
        return {c: tallies[c] for c in sorted(tallies) if self.lane_of(model, c) is lane}

    def ripe(self, model: str, tallies: Mapping[str, Tally], lane: Lane) -> dict[str, Tally]:
        """Of the tallies of a route, the lane's ripe ones, by name."""
        return {c: t for c, t in self.in_lane(model, tallies, lane).items() if self.policy.rule.ripe(t)}

    def ease(
        self, model: str, at: datetime, standing: Mapping[str, Mapping[str, Tally]] | None = None
    ) -> None:
        """Forget what was said of the floor where a lane has no ripe contract any more (rule 7).

        `standing` are the tallies to go by, by route, where they are not those of the state.
        """
        for tag, route in self.state.model(model).routes.items():
            tallies = route.tallies if standing is None else standing.get(tag, {})
            for lane in LANES:
                if route.lane(lane).held and not self.ripe(model, tallies, lane):
                    self.add(Eased(at, model, tag, lane))
