"""What the canary knew of a route around a time: where it stood, what it found, what it decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from serinus.core import explain
from serinus.core.exclusions import covers, in_force
from serinus.core.policy import Decision, Lane, State, evolve
from serinus.core.policy.journal import from_json
from serinus.service.desk import Desk
from serinus.service.reporting.findings import Candidate, Look, Served, Stand, Standing
from serinus.service.storage import FindingRow, RoundRow, RoundState

KINDS: Final = ("decision", "exclude", "include", "lift", "mode", "moved", "eased", "regained")
ROUNDS: Final = 3  # before and after
REACH: Final = timedelta(hours=6)  # what was found longer before or after says little of that time
NEAR: Final = timedelta(days=1)  # decisions that are told


@dataclass(frozen=True, slots=True)
class Past:
    """A model around an instant: its state then and now, the rounds before and after, its decisions."""

    desk: Desk
    model: str
    at: datetime
    then: State
    now: State
    before: Sequence[RoundRow]
    after: Sequence[RoundRow]
    decisions: Sequence[tuple[int, Decision]]
    providers: Mapping[str, str]
    looks: Mapping[str, Mapping[str, Look]] = field(default_factory=dict)  # by tag and round

    def candidate(self, served: Served, contract: str | None) -> Candidate:
        """All that is known of one route."""
        tag = served.tag
        before = tuple(look for r in self.before if (look := self._look(tag, r)))
        after = tuple(look for r in self.after if (look := self._look(tag, r)))
        failed = {f.contract for look in (*before, *after) for f in look.failed}
        return Candidate(
            served,
            self._standing(self.then, tag, self.at, known=bool(before or after)),
            self._standing(self.now, tag, self.desk.at, known=tag in self.now.model(self.model).live),
            before,
            after,
            tuple((seq, d) for seq, d in self.decisions if d.route == tag),
            tuple(sorted(failed, key=lambda c: (c != contract, c))),
        )

    def _look(self, tag: str, row: RoundRow) -> Look | None:
        return self.looks.get(tag, {}).get(row.name)

    def _standing(self, state: State, tag: str, at: datetime, *, known: bool) -> Standing:
        """Where a route stood: what keeps it out first, then what would; `known` says that it was live."""
        for entry in state.exclusions.values():
            if entry.holds(self.model, at) and covers(entry.name, tag, self.providers):
                return Standing(Stand.EXCLUDED, explain.of_exclusion(entry))
        route = state.model(self.model).route(tag)
        for lane in (Lane.REAL, Lane.SHADOW):
            s = route.lane(lane).suspension
            if s is not None and in_force(s.since, s.until, at):
                stand = Stand.SUSPENDED if lane is Lane.REAL else Stand.WOULD_BE_SUSPENDED
                return Standing(stand, explain.of_confinement(s, enforced=lane is Lane.REAL, running=True))
        if route.real.held or route.shadow.held:
            return Standing(Stand.HELD_AT_FLOOR, explain.of_held())
        if known:
            return Standing(Stand.PRODUCTION, explain.of_in_production())
        return Standing(Stand.UNKNOWN, explain.of_never_seen())

    def production(self) -> Iterator[str]:
        """The routes that nothing kept out then: those that were asked, else all that were ever listed."""
        for tag in sorted(self.looks or self.providers):
            stand = self._standing(self.then, tag, self.at, known=True).stand
            if stand not in {Stand.EXCLUDED, Stand.SUSPENDED}:
                yield tag


def past_of(desk: Desk, model: str, at: datetime) -> Past:
    """Read a model's past around an instant."""
    then, decisions = _folded(desk, model, at)
    reach = max(REACH, ROUNDS * desk.interval)
    rounds = [
        r
        for r in desk.store.rounds(model, since=at - reach)
        if r.state is RoundState.CLOSED and r.routes and r.at <= at + reach
    ]
    before = [r for r in rounds if r.at <= at][::-1][:ROUNDS]
    after = [r for r in rounds if r.at > at][:ROUNDS]
    (names,) = desk.names([model])
    looks: dict[str, dict[str, Look]] = {}
    for row in (*before, *after):
        for tag, found in _by_tag(desk.store.findings(model, since=row.at, round_name=row.name)).items():
            looks.setdefault(tag, {})[row.name] = Look(row.name, row.at, tuple(found))
    return Past(desk, model, at, then, desk.state, before, after, decisions, names.providers, looks)


def _by_tag(found: Iterable[FindingRow]) -> dict[str, list[FindingRow]]:
    by_tag: dict[str, list[FindingRow]] = {}
    for finding in found:
        by_tag.setdefault(finding.tag, []).append(finding)
    return by_tag


def _folded(desk: Desk, model: str, at: datetime) -> tuple[State, list[tuple[int, Decision]]]:
    """The state at an instant as far as routes' standing goes, and the decisions near it.

    Rounds themselves are passed over: suspensions, exclusions and holds are told by other entries.
    """
    state, near = State(), []
    for logged in desk.store.log(model=model, kinds=KINDS):
        entry = from_json(logged.document)
        if entry.at <= at:
            state = evolve(state, entry)
        if isinstance(entry, Decision) and abs(entry.at - at) <= NEAR:
            near.append((logged.seq, entry))
    return state, near
