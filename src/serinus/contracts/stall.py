"""Stall: once text flows, it goes on flowing (R30, `formats.md` §1 "Limits")."""

from __future__ import annotations

from itertools import pairwise

from serinus.core.model import Probe, Turn, Verdict, Word
from serinus.core.transcript import End, Transcript
from serinus.judging.contract import Contract, Reason
from serinus.judging.visible import first_output_at, is_complete
from serinus.probes import roleplay


class Stall(Contract):
    """No long silence after the first text; comments are no sign of life."""

    name = "stall"
    promise = "After its first text an answer never pauses for more than 15 s."
    kinds = frozenset({roleplay.KIND})
    needs_time = True
    reads_reasoning = True
    blind_fault = "stall_mid_answer"
    reasons = (
        Reason("steady", Word.PASS, "No pause was longer than the limit."),
        Reason(
            "paused",
            Word.WARN,
            "A pause longer than the limit, after which the answer completed.",
            "nothing from 2 s to 20 s, then the rest",
            "a pause of a few seconds; a slow but steady stream",
        ),
        Reason(
            "call_withheld",
            Word.WARN,
            "A tool call came after a silence longer than the limit.",
            "comments only, the whole call at 26 s",
        ),
        Reason(
            "held_after_finish",
            Word.WARN,
            "The finish reason came, but neither [DONE] nor the end of the connection.",
        ),
        Reason(
            "stalled",
            Word.FAIL,
            "Text came, then nothing more within the limit, with the connection open.",
            "two words, then comments for 40 s",
        ),
        Reason("call_never_came", Word.FAIL, "A tool call was waited for in vain, with the connection open."),
        Reason("limit_not_reached", Word.INCONCLUSIVE, "The wait was given up before the limit."),
        Reason("own_lag", Word.INCONCLUSIVE, "Our own event loop was late, so the clock proves nothing."),
        Reason("not_streamed", Word.NOT_APPLICABLE, "The answer came as one body."),
    )

    def probes(self, turn: Turn) -> tuple[Probe, ...]:
        """The role-play answer that most contracts read."""
        return (roleplay.ask(turn),)

    def judge(self, transcript: Transcript) -> Verdict:
        """The longest silence between two pieces of the answer, or up to its end."""
        lag, limit = transcript.timing.lag, transcript.limits.stall
        if lag is not None and lag > transcript.limits.lag:
            return self.say("own_lag", f"Our own loop was {lag:.3f} s late.", lag_s=lag)
        if not transcript.events:
            return self.say("not_streamed", "The answer came as one body.")
        first = first_output_at(transcript.answer)
        if transcript.end is End.HELD:
            return self._held(transcript, first, limit)
        if first is None:
            return self.say("steady", "No text came that could pause.")
        waiting = bool(transcript.probe.tools) and transcript.answer.tool_calls
        marks = [] if not waiting else [transcript.events[0].at or 0.0]
        marks += [d.at for d in transcript.answer.deltas if d.at is not None and (waiting or d.at >= first)]
        pause, at = _longest(marks)
        evidence = {"pause_s": pause, "from_s": at, "limit_s": limit}
        if pause <= limit:
            return self.say("steady", f"The longest pause was {pause:.2f} s.", **evidence)
        code = "call_withheld" if waiting else "paused"
        return self.say(code, f"Nothing came for {pause:.2f} s, then the answer completed.", **evidence)

    def _held(self, transcript: Transcript, first: float | None, limit: float) -> Verdict:
        """An answer whose connection was still open when the wait was given up."""
        ended = transcript.ended or 0.0
        last = max((d.at for d in transcript.answer.deltas if d.at is not None), default=None)
        silence = ended - (last if last is not None else 0.0)
        evidence = {"silent_s": silence, "last_s": last, "ended_s": ended, "limit_s": limit}
        if is_complete(transcript):
            code = "steady" if transcript.answer.done else "held_after_finish"
            return self.say(code, f"Finished, and held open for {silence:.2f} s.", **evidence)
        if silence <= limit:
            return self.say("limit_not_reached", f"Given up after {silence:.2f} s of silence.", **evidence)
        code = "stalled" if first is not None else "call_never_came"
        return self.say(code, f"Nothing more came for {silence:.2f} s, allowed {limit:g} s.", **evidence)


def _longest(marks: list[float]) -> tuple[float, float]:
    """The longest time between two marks, and where it began."""
    gaps = [(b - a, a) for a, b in pairwise(marks)]
    return max(gaps, default=(0.0, marks[0] if marks else 0.0))
