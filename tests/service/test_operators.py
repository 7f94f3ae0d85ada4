from dataclasses import replace
from datetime import timedelta

import pytest

from serinus.core.exclusions import Layer
from serinus.core.policy import Exclude, Include, Kind, Lift, Mode, SetMode
from serinus.service.memory import Memory
from serinus.service.names import UnknownNameError, names_of, proved
from serinus.service.operators import Mark, act, foreseen, mark
from service.test_canary import HALF_HOUR, MODEL, Life, decided


@pytest.fixture
def life():
    life = Life()
    life.bad = {"beta"}
    life.round(), life.round()
    return life


def beside(life):
    """An operator's own look at the store of a running canary."""
    return Memory(life.store)


def lift(life, **rest):
    return Lift(life.at, MODEL, "beta", by="ops", why="a false alarm", **rest)


def test_a_lift_beside_a_running_canary_counts_at_its_next_decision(life):
    done = act(beside(life), life.canary.policy, lift(life, grace=timedelta(hours=6)))
    assert [d.kind for _, d in done.decisions] == [Kind.LIFTED]
    assert decided(life.round()) == decided(life.round()) == []
    assert life.canary.ignore(MODEL).ignore == ()


def test_a_lift_resolves_what_was_told_of_the_suspension(life):
    act(beside(life), life.canary.policy, lift(life))
    began, ended = [n for _, n in life.store.outbox("mail")]
    assert ended.resolves == began.key


def test_decisions_of_an_act_carry_their_numbers_in_the_log(life):
    done = act(beside(life), life.canary.policy, lift(life))
    logged = {e.seq: e.document for e in life.store.log()}
    assert [logged[seq]["entry"] for seq, _ in done.entries] == ["lift", "decision"]


def test_a_lift_without_a_suspension_warns_and_clears_all_the_same():
    life = Life()
    life.bad = {"beta"}
    life.round()
    done = act(beside(life), life.canary.policy, lift(life))
    assert [w.code for w in done.warnings] == ["nothing_to_lift"]
    assert decided(life.round()) == []


def test_an_exclusion_shows_what_it_takes_before_it_is_made(life):
    event = Exclude(life.at, Layer.OPERATIONAL, "gamma", None, "ops", "slow")
    (room,) = foreseen(life.canary.policy, beside(life).catch_up(), event, [MODEL])
    assert (room.before, room.after, room.falls) == (3, 2, False)
    lower = replace(event, route="delta")
    act(beside(life), life.canary.policy, event)
    (room,) = foreseen(life.canary.policy, beside(life).catch_up(), lower, [MODEL])
    assert (room.before, room.after, room.falls) == (2, 1, True)
    assert life.canary.memory.catch_up().exclusions.keys() == {(Layer.OPERATIONAL, "gamma", None)}


def test_an_exclusion_below_the_floor_tells_operators_and_taking_it_back_resolves_that(life):
    for name in ("gamma", "delta"):
        act(beside(life), life.canary.policy, Exclude(life.at, Layer.OPERATIONAL, name, None, "ops", "slow"))
    act(beside(life), life.canary.policy, Include(life.at, Layer.OPERATIONAL, "delta", None, "ops", "fine"))
    assert life.told() == ["suspended", "below_floor", "floor_regained"]


def test_observe_ends_what_was_enforced(life):
    done = act(beside(life), life.canary.policy, SetMode(life.at, Mode.OBSERVE, None, None, "ops", "unsure"))
    assert [d.kind for _, d in done.decisions] == [Kind.LIFTED]
    assert life.canary.memory.catch_up().model(MODEL).suspensions() == []


def test_a_mark_is_an_opinion_of_a_decision_and_of_nothing_else(life):
    seqs = {e.kind: e.seq for e in life.store.log()}
    mark(life.store, Mark(seqs["decision"], False, "ops", "it was us", life.at))
    assert life.store.marks() == {seqs["decision"]: False}
    mark(life.store, Mark(seqs["decision"], None, "ops", "not so sure", life.at))
    assert life.store.marks() == {}
    for wrong in (seqs["counted"], 0, 99):
        with pytest.raises(LookupError, match="no decision"):
            mark(life.store, Mark(wrong, True, "ops", "it was right", life.at))


def test_a_name_is_proved_against_what_was_listed(life):
    known = [names_of(life.store, life.canary.memory.state, MODEL)]
    assert proved("delta", known) == {MODEL: ["delta/fp8"]}
    assert proved("delta/fp8", known) == {MODEL: ["delta/fp8"]}
    with pytest.raises(UnknownNameError, match=r"nearest known names: delta"):
        proved("Delta", known)
    with pytest.raises(UnknownNameError, match="covers no known route"):
        proved("zzz", known)


def test_a_route_that_left_the_listing_is_still_known(life):
    life.town.listed = replace(life.town.listed, offers=life.town.listed.offers[:2])
    life.at += HALF_HOUR
    life.round()
    names = names_of(life.store, life.canary.memory.state, MODEL)
    assert names.covered("gamma") == ["gamma"]
    assert names.live == {"alpha", "beta"}
