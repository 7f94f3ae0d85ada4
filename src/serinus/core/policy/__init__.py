"""Decide and evolve: the policy of `formats.md` §2 as two pure functions.

`decide(policy, state, event)` says what follows from an event and changes nothing;
`evolve(state, entry)` takes one recorded entry into the state and decides nothing. The live state
is the fold of the recorded entries, so that changing a policy never rewrites the past; a backtest
folds recorded events under another policy instead.
"""

from __future__ import annotations

from serinus.core.policy.decide import decide
from serinus.core.policy.entries import Decision, Entry, Kind, Warned
from serinus.core.policy.events import Event, Exclude, Include, Lift, Mode, SetMode, Tick
from serinus.core.policy.evolve import evolve, fold
from serinus.core.policy.lanes import Lane
from serinus.core.policy.settings import Policy
from serinus.core.policy.state import State

__all__ = [
    "Decision",
    "Entry",
    "Event",
    "Exclude",
    "Include",
    "Kind",
    "Lane",
    "Lift",
    "Mode",
    "Policy",
    "SetMode",
    "State",
    "Tick",
    "Warned",
    "decide",
    "evolve",
    "fold",
]
