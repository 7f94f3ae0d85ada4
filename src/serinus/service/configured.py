"""What the configuration says, taken into the log when it changed: built-in exclusions and modes.

The log alone makes the state, so what a reviewed file says must stand in it. Nothing is written where
nothing changed, so that restarts leave no trace and what operators set at run time survives them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from serinus.core.exclusions import Layer
from serinus.core.policy import Entry, Exclude, Include, Mode, Policy, SetMode, State, Tick, decide, fold
from serinus.core.policy.events import Event
from serinus.core.policy.journal import from_json
from serinus.core.policy.lanes import replaced_by
from serinus.service.memory import Memory
from serinus.service.operators import Done, record

BY = "exclusions.toml"  # who takes a built-in exclusion back: nobody at run time does

Scope = tuple[str | None, str | None]  # model, contract; None stands for all


@dataclass(slots=True)
class _Draft:
    """Entries in the making, each decided on the state after the ones before."""

    policy: Policy
    state: State
    entries: list[Entry] = field(default_factory=list)

    def take(self, event: Event) -> None:
        """What the policy decides on an event."""
        self.add(decide(self.policy, self.state, event))

    def add(self, entries: Iterable[Entry]) -> None:
        """Entries that nobody has to decide."""
        added = tuple(entries)
        self.entries += added
        self.state = fold(added, self.state)


def sync_builtin(memory: Memory, policy: Policy, exclusions: Sequence[Exclude], at: datetime) -> Done:
    """Make the built-in layer what the reviewed file says (R22).

    `exclusions` are the file's entries, each dated with its review. New and changed ones are excluded as
    of `at`, vanished ones included: the one way in which a built-in exclusion ends.
    """
    wanted = {(e.route, e.model): _dated(e, at) for e in exclusions}

    def decided(state: State) -> tuple[Entry, ...]:
        standing = {(e.name, e.model): e for e in state.exclusions.values() if e.layer is Layer.BUILTIN}
        draft = _Draft(policy, state)
        for key, event in wanted.items():
            found = standing.get(key)
            if found is None or (found.by, found.why) != (event.by, event.why):
                draft.take(event)
        gone = [key for key in standing if key not in wanted]
        why = "It is no longer in the reviewed file."
        draft.add(Include(at, Layer.BUILTIN, name, model, BY, why) for name, model in gone)
        if gone:
            draft.take(Tick(at))  # capacity may be back
        return tuple(draft.entries)

    return record(memory, decided, policy)


def _dated(event: Exclude, at: datetime) -> Exclude:
    """The entry as of now, its review's date in its reason: the log tells when things happened."""
    return replace(event, at=at, why=f"{event.why} Reviewed on {event.at:%Y-%m-%d}.")


def sync_modes(memory: Memory, policy: Policy, settings: Sequence[SetMode], at: datetime) -> Done:
    """Take in what the configuration says of modes, where it says otherwise than it last did (R17).

    `settings` are all that it says, from the widest scope to the narrowest. A scope that it says nothing
    new of is left as operators set it; one that changed is set anew, with all inside it (`formats.md` §2
    rule 5).
    """
    by = {s.by for s in settings}

    def decided(state: State) -> tuple[Entry, ...]:
        draft = _Draft(policy, state)
        for setting in changed_modes(_last_said(memory, by), settings, at):
            draft.take(setting)
        return tuple(draft.entries)

    return record(memory, decided, policy)


def changed_modes(before: Sequence[SetMode], now: Sequence[SetMode], at: datetime) -> list[SetMode]:
    """What must be set so that each scope of either list has its mode, the widest first.

    A scope is said again, though its own mode is the same, if a wider one is set before it.
    """
    explicit = {(s.model, s.contract) for s in now}
    by = now[0].by if now else None
    said: list[SetMode] = []
    for scope in sorted(explicit | {(s.model, s.contract) for s in before}, key=_breadth):
        mode = _mode(now, scope)
        changed = mode is not _mode(before, scope)
        replaced = any(_within(scope, (s.model, s.contract)) for s in said)
        wanted = changed or replaced if scope in explicit else changed and not replaced
        if mode and wanted:
            said.append(SetMode(at, mode, *scope, by=by, why="It is configured so."))
    return said


def _last_said(memory: Memory, by: set[str | None]) -> list[SetMode]:
    """What the configuration last said, as if nobody else had said anything."""
    standing: list[SetMode] = []
    for logged in memory.store.log(kinds=("mode",)):
        entry = from_json(logged.document)
        if isinstance(entry, SetMode) and entry.by in by:
            standing = [*(old for old in standing if not replaced_by(entry, old)), entry]
    return standing


def _mode(settings: Sequence[SetMode], scope: Scope) -> Mode | None:
    """The mode of a scope as a whole by these settings; None where they do not reach it."""
    mode = None
    for setting in settings:
        if _within(scope, (setting.model, setting.contract)):
            mode = setting.mode
    return mode


def _within(scope: Scope, other: Scope) -> bool:
    """Whether a scope lies inside another or is the same."""
    return all(theirs in (None, mine) for mine, theirs in zip(scope, other, strict=True))


def _breadth(scope: Scope) -> tuple[int, str, str]:
    model, contract = scope
    return (sum(part is not None for part in scope), model or "", contract or "")
