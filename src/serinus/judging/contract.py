"""The interface of a contract: one promise of a route, asked by probes and judged by code.

A contract is a class in a file of its own in `serinus.contracts`; nothing else has to be edited.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from serinus.core.model import Probe, Turn, Verdict, Word
from serinus.core.transcript import Transcript
from serinus.judging.votes import settle_samples


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason code a contract can give, for the reference of verdicts.

    `meaning` is one sentence; `example` a short answer or event that earns it; `never` what looks
    like it and is not flagged.
    """

    code: str
    word: Word
    meaning: str
    example: str = ""
    never: str = ""


@dataclass(frozen=True, slots=True)
class Measurement:
    """Statistics instead of an answer (`counts`, `counts_list`, `pair`, `meta` of `formats.md` §1)."""

    type: str
    values: Mapping[str, Any]


class Contract:
    """A promise, its probes and its judge. Subclasses are stateless; every method is pure."""

    name: ClassVar[str]
    promise: ClassVar[str]  # one sentence: what the route promises
    kinds: ClassVar[frozenset[str]]  # kinds of probe whose transcripts it reads
    scored: ClassVar[bool] = True  # False: it records and never suspends
    needs_time: ClassVar[bool] = False  # True: not applicable to answers recorded without times
    by_language: ClassVar[bool] = False  # True: after an anomaly the same language is owed (R14)
    about_errors: ClassVar[bool] = False  # True: it asks about our own request's errors too
    reads_reasoning: ClassVar[bool] = False  # True: it judges an answer that is reasoning only
    blind_fault: ClassVar[str]  # the simulator's fault that proves this contract is not blind
    reasons: ClassVar[tuple[Reason, ...]]
    passes_wanted: ClassVar[int] = 1  # passes that a `samples` case needs to pass (language: 2)

    def say(self, code: str, detail: str, /, **evidence: Any) -> Verdict:
        """The verdict that the contract's own table gives for a reason code.

        Raises:
            KeyError: the code is not in `reasons`, so the reference would miss it.
        """
        for reason in self.reasons:
            if reason.code == code:
                return Verdict(reason.word, code, detail, evidence)
        raise KeyError(code)

    def probes(self, turn: Turn) -> tuple[Probe, ...]:
        """What this contract asks in this turn; equal probes of several contracts are asked once."""
        del turn
        return ()

    def judge(self, transcript: Transcript) -> Verdict:
        """The verdict on one transcript to which no rule of precedence applied (rule 7)."""
        raise NotImplementedError

    def judge_samples(self, transcripts: Sequence[Transcript], votes: Sequence[Verdict]) -> Verdict:
        """The verdict on several answers to one probe; `votes` are those of `judge`, in order."""
        del transcripts
        return settle_samples(votes, passes_wanted=self.passes_wanted)

    def weigh(self, probe: Probe, measurement: Measurement) -> Verdict:
        """The verdict on statistics; most contracts have none."""
        del probe
        return Verdict(
            Word.NOT_APPLICABLE,
            "no_statistics",
            f"The contract {self.name} does not read {measurement.type}.",
        )
