"""One notice of each kind, as operators will read it: to look at before it is three in the morning."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from serinus.core.exclusions import Layer
from serinus.core.explain.reviews import of_old_review
from serinus.core.model import Listing, Verdict, Word
from serinus.core.policy import Decision, Exclude, Kind, Lane, Mode, Policy, SetMode, State
from serinus.core.policy.entries import Counted, Fact, Regained
from serinus.core.policy.evolve import fold
from serinus.service import notices
from serinus.service.reviews import Doubt, notice_of
from serinus.service.round_report import RoundReport
from serinus.service.storage import Notice
from serinus.service.troubles import BUDGET, REFUSED

MODEL: Final = "acme/story-70b"
TAG: Final = "cedar/fp4"
FOUND: Final = {
    (TAG, "language"): Verdict(
        Word.FAIL,
        "language_mixed",
        "2 of 3 answers in pt: 38 % of the words are Spanish, from “pero luego” on.",
    )
}
HALF_HOUR: Final = timedelta(minutes=30)


def samples(at: datetime) -> Iterator[Notice]:
    """A notice of each kind that may be sent."""
    yield from _decided(at)
    yield from _acted(at)
    yield from _met(at)
    yield from _kept(at)


def _decided(at: datetime) -> Iterator[Notice]:
    held: dict[str, Fact] = {"held": {"language": {"rounds": 2}}, "left": 3, "floor": 2}
    floor: dict[str, Fact] = {**held, "left": 1}

    def out(kind: Kind, lane: Lane, level: int = 1, days: int = 1) -> Decision:
        until = at + timedelta(days=days)
        return Decision(at, MODEL, kind, TAG, lane, ("language",), level, until, facts=held)

    decisions = [
        out(Kind.SUSPENDED, Lane.REAL),
        out(Kind.SUSPENDED, Lane.SHADOW),
        Decision(at, MODEL, Kind.HELD_AT_FLOOR, TAG, Lane.REAL, ("language",), facts=floor),
        out(Kind.RENEWED, Lane.REAL, level=2, days=3),
        Decision(at, MODEL, Kind.RESTORED, TAG, Lane.REAL, ("language",), 1, facts={"clean": 2}),
        Decision(at, MODEL, Kind.EXPIRED, TAG, Lane.REAL, ("language",), 1),
        Decision(at, MODEL, Kind.EXPIRED, TAG, Lane.REAL, ("language",), 1, facts={**floor, "failing": True}),
        Decision(
            at,
            MODEL,
            Kind.LIFTED,
            TAG,
            Lane.REAL,
            ("language",),
            1,
            facts={"by": "anna", "why": "They fixed it."},
        ),
        Decision(at, MODEL, Kind.PROBE_WEAK, contracts=("filtering",), facts={"controls": ["openai"]}),
        Decision(
            at,
            MODEL,
            Kind.ROUND_VOID,
            contracts=("first_token",),
            facts={"failing": ["alder", "birch", "cedar"], "providers": 5},
        ),
        Decision(at, MODEL, Kind.BELOW_FLOOR, facts={"providers": 1, "floor": 2}),
    ]
    for seq, decision in enumerate(decisions, 16):
        grounds = notices.Grounds(seq, FOUND)
        yield from notices.notices_of(State(), [decision], grounds)
    yield from notices.notices_of(State(), [Regained(at, MODEL)])


def _acted(at: datetime) -> Iterator[Notice]:
    live = frozenset({"alder", "birch"})
    read = {tag: {"language": Word.PASS} for tag in live}
    two = fold([Counted(at, MODEL, live, {}, read)])
    out = Exclude(at, Layer.OPERATIONAL, "birch", MODEL, "anna", "Their contract ended.")
    yield from notices.notices_of(two, [out], notices.Grounds(policy=Policy()))
    for mode in (Mode.ENFORCE, Mode.OBSERVE):
        act = SetMode(at, mode, MODEL, "language", "anna", "Nine of nine were right.")
        before = fold([SetMode(at, Mode.ENFORCE)])
        yield from notices.notices_of(before, [act])


def _met(at: datetime) -> Iterator[Notice]:
    gone = "the listing could not be had: status 503: 'upstream unavailable'"
    detail = "status 402, the account has no credit left. Nothing is known of any route"
    refused = f"{REFUSED} at every route: {detail}; `serinus doctor` looks it over."
    report = RoundReport(f"{MODEL}@{at:%Y-%m-%dT%H:%MZ}", at, MODEL, Listing(MODEL))
    yield from notices.notices_of_round(report, gone, None, None)
    yield from notices.notices_of_round(report, None, None, gone)
    yield from notices.notices_of_round(report, None, refused, None)
    yield from notices.notices_of_round(report, None, None, refused)
    other = Verdict(Word.VOID, "other_provider", "pinned to cedar/fp4, answered by Alder.")
    yield notices.pin_not_honoured(report, TAG, other)
    trouble = f"{BUDGET}1.00 USD is used up: 0.9812 USD were spent, a round costs about 0.0214."
    yield notices.budget_reached(f"{trouble} Nothing is asked until the next day (UTC).", at)
    yield from notices.notices_of_prompts(report, ["roleplay.pt.3"])


def _kept(at: datetime) -> Iterator[Notice]:
    last = at - timedelta(hours=3, minutes=10)
    yield notices.canary_stale(MODEL, last, at, HALF_HOUR, None)
    yield notices.canary_back(MODEL, at, at)
    yield notices.channel_disabled("ops", "the service of channel ops answered 410", at)
    yield notices.channel_enabled("ops", at, "anna", "The hook has moved.")
    yield notices.state_corrected(1204, at)
    reviewed = Exclude(at - timedelta(days=200), Layer.BUILTIN, TAG, MODEL, "anna", "4-bit weights")
    yield notice_of(Doubt(reviewed, gone=False, found=of_old_review(reviewed, at)), at)
    yield notices.trial("ops", at)
