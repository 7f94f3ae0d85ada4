"""The name `transport`: it asks only whether an answer may be scored (`formats.md` §1 "Contracts")."""

from __future__ import annotations

from collections.abc import Sequence

from serinus.core.model import Verdict, Word
from serinus.core.transcript import Transcript
from serinus.judging.blame import Blame, blame_of
from serinus.judging.contract import Contract, Reason
from serinus.judging.precedence import preceding


class _Anyone(Contract):
    """A contract without a question: what precedes it precedes all."""

    name = "transport"


class Transport(Contract):
    """Not a promise of a route: `transport` if no contract may score the answer, else `pass`."""

    name = "transport"
    promise = "The answer may be scored."
    kinds = frozenset()
    scored = False
    blind_fault = "reset_mid_stream"
    reasons = (Reason("scorable", Word.PASS, "At least one contract may score the answer."),)

    def verdict(self, transcript: Transcript) -> Verdict:
        """`void` and our own fault are said as such: neither is a fault of transport."""
        spoken = preceding(_Anyone(), transcript)
        if spoken is not None and spoken.word in (Word.TRANSPORT, Word.VOID):
            return spoken
        if spoken is not None and blame_of(transcript) is Blame.OWN:
            return spoken
        return self.say("scorable", "At least one contract may score this answer.")

    def settle(self, transcripts: Sequence[Transcript]) -> Verdict:
        """Of several answers one that may be scored is enough."""
        verdicts = [self.verdict(t) for t in transcripts]
        passed = next((v for v in verdicts if v.word is Word.PASS), None)
        if passed is not None:
            return passed
        return (
            verdicts[0]
            if verdicts
            else Verdict(Word.INCONCLUSIVE, "no_answer", "There was no answer to judge.")
        )
