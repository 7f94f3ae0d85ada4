"""How several verdicts of one contract on one route become one (R6a, R13, `formats.md` §1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from serinus.core.model import Verdict, Word

COUNTING: Final = frozenset({Word.PASS, Word.FAIL})
MORE_VOTES: Final = 2  # R13: an anomaly triggers two more attempts
MAJORITY: Final = 2  # R13: at least two of three
_WHERE: Final = (
    "spans",
    "start",
    "end",
    "text",
    "offset",
    "around",
)  # what evidence calls a place in an answer


def _first(votes: Sequence[Verdict], word: Word) -> Verdict:
    return next(v for v in votes if v.word is word)


def _tally(votes: Sequence[Verdict]) -> dict[str, int]:
    return {w.value: n for w in Word if (n := sum(v.word is w for v in votes))}


def _places(vote: Verdict) -> dict[str, Any]:
    """Where in its answer a vote saw what it says, so that a page can mark each of several answers."""
    return {name: vote.evidence[name] for name in _WHERE if name in vote.evidence}


def settle_samples(votes: Sequence[Verdict], *, passes_wanted: int = 1) -> Verdict:
    """Settle several answers to one probe.

    `fail` if more than half of those that count fail; `pass` if none fails and at least
    `passes_wanted` passed (a single answer is settled by itself); else `inconclusive`. When none
    counts, the first verdict stands, for it says why.
    """
    counted = [v for v in votes if v.word in COUNTING]
    if not counted:
        return votes[0] if votes else Verdict(Word.INCONCLUSIVE, "no_answer", "There was no answer to judge.")
    if len(votes) == 1:
        return votes[0]
    failed = sum(v.word is Word.FAIL for v in counted)
    evidence = {"votes": _tally(votes)}
    if failed * 2 > len(counted):
        worst = _first(votes, Word.FAIL)
        detail = f"{failed} of {len(counted)} answers failed. {worst.detail}".strip()
        return Verdict(Word.FAIL, worst.reason, detail, {**worst.evidence, **evidence})
    if failed == 0 and len(counted) >= passes_wanted:
        good = _first(votes, Word.PASS)
        return Verdict(Word.PASS, good.reason, f"{len(counted)} of {len(votes)} answers passed.", evidence)
    return Verdict(
        Word.INCONCLUSIVE,
        "votes_disagree",
        f"{failed} of {len(counted)} answers failed: neither a majority nor none.",
        evidence,
    )


def settle_round(votes: Sequence[Verdict]) -> Verdict:
    """Settle the answers of one round where a lone failure asked for two more (R6a, R13).

    One vote stands as it is, unless it is a failure that nothing confirmed. Of more, at least two
    failures fail, at least two passes pass, else `inconclusive`; transport errors are no votes.
    """
    if not votes:
        return Verdict(Word.INCONCLUSIVE, "no_answer", "There was no answer to judge.")
    if len(votes) == 1 and votes[0].word is not Word.FAIL:
        return votes[0]
    evidence = {"votes": _tally(votes)}
    for word in (Word.FAIL, Word.PASS):
        count = sum(v.word is word for v in votes)
        if count >= MAJORITY:
            first = _first(votes, word)
            detail = f"{count} of {len(votes)} answers: {word.value}. {first.detail}".strip()
            others = [_places(v) for v in votes if v.word is Word.FAIL and v is not first and _places(v)]
            also = {"also": others} if word is Word.FAIL and others else {}
            return Verdict(word, first.reason, detail, {**first.evidence, **evidence, **also})
    return Verdict(
        Word.INCONCLUSIVE,
        "votes_disagree",
        "Fewer than two answers agree, so nothing is held against the route.",
        evidence,
    )
