"""A contract's verdict on a transcript: precedence first, then its own judge, which may not raise."""

from __future__ import annotations

from collections.abc import Sequence

from serinus.core.model import Verdict, Word
from serinus.core.transcript import Transcript
from serinus.judging.contract import Contract
from serinus.judging.precedence import preceding


def judge(contract: Contract, transcript: Transcript) -> Verdict:
    """Judge one transcript by the order of `formats.md` §1; a judge that raises is inconclusive."""
    try:
        return preceding(contract, transcript) or contract.judge(transcript)
    except Exception as error:  # noqa: BLE001  a bug of a judge must never become a fault of a host
        return raised(contract, error)


def judge_samples(contract: Contract, transcripts: Sequence[Transcript]) -> Verdict:
    """Judge several answers to one probe, settled together."""
    votes = [judge(contract, t) for t in transcripts]
    try:
        return contract.judge_samples(transcripts, votes)
    except Exception as error:  # noqa: BLE001  as above
        return raised(contract, error)


def raised(contract: Contract, error: Exception) -> Verdict:
    """The verdict of a judge that raised."""
    return Verdict(
        Word.INCONCLUSIVE,
        "judge_raised",
        f"The judge of {contract.name} failed by a fault of its own: {type(error).__name__}: {error}",
        {"error": type(error).__name__},
    )
