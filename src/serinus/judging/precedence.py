"""The precedence of `formats.md` §1, rules 1-6, in one place: what is said before a contract's own judge.

Each rule is a function that returns a verdict or None; `preceding` takes the first that speaks.
"""

from __future__ import annotations

from typing import Final

from serinus.core.model import Verdict, Word
from serinus.core.transcript import End, Transcript
from serinus.judging import voiding
from serinus.judging.blame import Blame, blame_of
from serinus.judging.contract import Contract
from serinus.judging.finish import Finish, finish_of
from serinus.judging.moderation import moderated
from serinus.judging.visible import first_output_at, has_output, has_reasoning, is_complete

FILTERING: Final = "filtering"
FIRST_TOKEN: Final = "first_token"  # noqa: S105  a name, not a password
STALL: Final = "stall"
TOOL_CALL: Final = "tool_call"


def preceding(contract: Contract, transcript: Transcript) -> Verdict | None:
    """The verdict that precedes the contract's own judge, or None where the answer may be judged."""
    if contract.needs_time and not transcript.timed and blame_of(transcript) is None:
        return Verdict(Word.NOT_APPLICABLE, "untimed", "The answer was recorded without arrival times.")
    return (
        voiding.voided(contract.name, transcript)
        or _own_fault(contract, transcript)
        or _moderation(contract, transcript)
        or _transport(transcript)
        or _held(contract, transcript)
        or _empty(contract, transcript)
    )


def asks_about(contract: Contract, transcript: Transcript) -> bool:
    """Whether the transcript holds an error of our own request that this contract asks about (rule 2)."""
    return contract.about_errors and blame_of(transcript) is Blame.OWN


def _own_fault(contract: Contract, transcript: Transcript) -> Verdict | None:
    if blame_of(transcript) is not Blame.OWN or contract.about_errors:
        return None
    failure = transcript.answer.failure
    message = failure.message[:200] if failure else ""
    return Verdict(
        Word.INCONCLUSIVE,
        "own_fault",
        f"Our own request or account was refused ({transcript.status}): {message or 'no message'}",
        {"status": transcript.status, "type": failure.type if failure else None},
    )


def _moderation(contract: Contract, transcript: Transcript) -> Verdict | None:
    """Rule 3; `filtering` tells itself how, since a control's refusal is what was wanted."""
    if contract.name == FILTERING or asks_about(contract, transcript):
        return None
    found = moderated(transcript)
    if found is None:
        return None
    return Verdict(
        Word.INCONCLUSIVE, "moderated", f"{found.detail} `filtering` judges it.", {"how": found.code}
    )


def _transport(transcript: Transcript) -> Verdict | None:
    if blame_of(transcript) in (Blame.MODERATION, Blame.OWN):
        return None
    return _error(transcript) or _broken_stream(transcript)


def _error(transcript: Transcript) -> Verdict | None:
    answer, failure = transcript.answer, transcript.answer.failure
    if transcript.status is None:
        phase = transcript.phase.value if transcript.phase else "unknown"
        return _broken("no_status", f"No status line came: {transcript.error or 'silence'}.", phase=phase)
    if failure is not None:
        told = failure.message[:200] or "no message"
        numbers = {"status": transcript.status, "code": failure.code, "type": failure.type}
        return _broken("transport_error", f"The answer is an error ({transcript.status}): {told}", **numbers)
    if blame_of(transcript) is Blame.TRANSPORT:
        return _broken("transport_error", f"The status is {transcript.status}.", status=transcript.status)
    if finish_of(answer) is Finish.ERROR:
        words = f"{answer.finish_reason}, native {answer.native_finish_reason}"
        return _broken("native_error", f"The finish reason names an error: {words}.")
    return None


def _broken_stream(transcript: Transcript) -> Verdict | None:
    answer = transcript.answer
    lost = next((detail for code, detail in answer.oddities if code == "malformed_event"), None)
    if lost is not None:
        return _broken("malformed_stream", f"An event is not JSON, so text may be lost: {lost}")
    if transcript.end is End.RESET and not answer.done:
        return _broken("reset", "The connection broke inside the answer.")
    if transcript.end is End.CLOSED and not is_complete(transcript):
        return _broken("unfinished", "The stream closed without finish reason and without [DONE].")
    return None


def _broken(code: str, detail: str, /, **evidence: object) -> Verdict:
    return Verdict(Word.TRANSPORT, code, detail, evidence)


def _held(contract: Contract, transcript: Transcript) -> Verdict | None:
    """Rule 5: an answer that never went on concerns the contract of the clock that ran out, and no other."""
    if is_complete(transcript):
        return None
    if transcript.end is End.CAPPED:
        return Verdict(Word.INCONCLUSIVE, "capped", "The answer grew past our cap on size and was cut by us.")
    if transcript.end is not End.HELD:
        return None
    started = first_output_at(transcript.answer) is not None or has_output(transcript.answer)
    if contract.name == (STALL if started else FIRST_TOKEN):
        return None
    if contract.name == STALL and transcript.probe.tools:
        return None  # a call that never comes is a stall of the tool's own kind (`faults.md` F009)
    where = "after its first text" if started else "before any text"
    return Verdict(
        Word.INCONCLUSIVE,
        "not_reached",
        f"Nothing more came {where} until {transcript.ended or 0:.1f} s.",
        {"held_until_s": transcript.ended},
    )


def _empty(contract: Contract, transcript: Transcript) -> Verdict | None:
    """Rule 6; reasoning alone is not empty to a contract that reads it."""
    if contract.name == FILTERING or has_output(transcript.answer):
        return None
    if transcript.end is End.HELD and not is_complete(transcript):
        return None  # rule 5 left it to the contract whose clock ran out
    if blame_of(transcript) is not None:
        return None  # an error that the contract asks about has no text to be empty of
    if contract.reads_reasoning and has_reasoning(transcript.answer):
        return None
    if contract.name == TOOL_CALL and finish_of(transcript.answer) is Finish.TOOLS:
        return None  # it announces a call that is not there: no silence (`faults.md` F127)
    return Verdict(Word.INCONCLUSIVE, "empty_answer", "The answer is empty, which `filtering` judges.")
