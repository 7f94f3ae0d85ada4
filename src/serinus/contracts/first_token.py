"""Contract 1, time to first token: visible text within the limit after the request was written (R5, R6)."""

from __future__ import annotations

from serinus.core.model import Probe, Turn, Verdict, Word
from serinus.core.transcript import Transcript
from serinus.judging.contract import Contract, Reason
from serinus.judging.visible import first_output_at, first_reasoning_at
from serinus.probes import roleplay


class FirstToken(Contract):
    """Text that a user sees arrives in time.

    The clock runs from the request being written to the first visible character. Comments, role chunks,
    empty deltas, blanks, zero-width characters and reasoning do not stop it.
    """

    name = "first_token"
    promise = "The first visible text arrives within the limit, 10 s unless configured."
    kinds = frozenset({roleplay.KIND})
    needs_time = True
    reads_reasoning = True
    blind_fault = "slow_first_token"
    reasons = (
        Reason("in_time", Word.PASS, "The first visible text arrived within the limit."),
        Reason(
            "slow_first_token",
            Word.FAIL,
            "The first visible text arrived after the limit.",
            "comments from 0.3 s on, the first word at 14 s",
            "comments, a role chunk or a newline followed by text within the limit",
        ),
        Reason(
            "no_first_token",
            Word.FAIL,
            "Status 200, and no visible text until the limit or longer; the connection was still open.",
            "headers, then nothing for 30 s",
            "connection refused, DNS, TLS, 429 or 5xx before the stream",
        ),
        Reason(
            "no_sign_of_life",
            Word.FAIL,
            "A model that must reason sent neither reasoning nor text within the limit of its first sign.",
            "reasoning is mandatory, and its first delta comes at 18 s",
        ),
        Reason(
            "limit_not_reached",
            Word.INCONCLUSIVE,
            "Nothing had come when the wait was given up, which was before the limit.",
        ),
        Reason(
            "own_lag",
            Word.INCONCLUSIVE,
            "Our own event loop was late while the probe was in flight, so the clock proves nothing.",
        ),
        Reason("not_streamed", Word.NOT_APPLICABLE, "The answer came as one body with no arrival time."),
    )

    def probes(self, turn: Turn) -> tuple[Probe, ...]:
        """The role-play answer that most contracts read."""
        return (roleplay.ask(turn),)

    def judge(self, transcript: Transcript) -> Verdict:
        """By the clock of the model: one limit, or two where reasoning is mandatory."""
        lag = transcript.timing.lag
        if lag is not None and lag > transcript.limits.lag:
            return self.say(
                "own_lag", f"Our own loop was {lag:.3f} s late.", lag_s=lag, limit_s=transcript.limits.lag
            )
        text_at = _text_at(transcript)
        if transcript.reasoning_mandatory:
            return self._with_reasoning(transcript, text_at)
        return self._against(transcript, text_at, transcript.limits.first_text)

    def _against(self, transcript: Transcript, text_at: float | None, limit: float) -> Verdict:
        """The clock of the first text against a limit."""
        evidence = {**_clocks(transcript), "limit_s": limit}
        if text_at is not None:
            code = "in_time" if text_at <= limit else "slow_first_token"
            return self.say(
                code, f"The first visible text came after {text_at:.2f} s, allowed {limit:g} s.", **evidence
            )
        if not transcript.events and transcript.body is not None:
            return self.say("not_streamed", "The answer came as one body with no arrival time.")
        waited = transcript.ended
        if waited is None or waited <= limit:
            return self.say(
                "limit_not_reached", f"No text until {waited or 0:.2f} s, limit {limit:g} s.", **evidence
            )
        return self.say(
            "no_first_token", f"No visible text in {waited:.2f} s, allowed {limit:g} s.", **evidence
        )

    def _with_reasoning(self, transcript: Transcript, text_at: float | None) -> Verdict:
        """The first sign of life has its own limit; text may come much later (`openrouter-facts.md` §7)."""
        limits = transcript.limits
        signs = [at for at in (text_at, first_reasoning_at(transcript.answer)) if at is not None]
        sign = min(signs, default=None)
        late = sign is not None and sign > limits.first_sign
        silent = sign is None and transcript.ended is not None and transcript.ended > limits.first_sign
        if late or silent:
            told = (
                f"The first sign of life came after {sign:.2f} s"
                if sign is not None
                else "No sign of life came"
            )
            return self.say(
                "no_sign_of_life",
                f"{told}, allowed {limits.first_sign:g} s.",
                **_clocks(transcript),
                limit_s=limits.first_sign,
            )
        return self._against(transcript, text_at, limits.first_text_reasoning)


def _text_at(transcript: Transcript) -> float | None:
    """When a user saw text: at its delta, or at the end of a body that came in place of a stream."""
    at = first_output_at(transcript.answer)
    if at is None and transcript.body is not None and transcript.answer.text:
        return transcript.ended
    return at


def _clocks(transcript: Transcript) -> dict[str, float | None]:
    events = transcript.events
    return {
        "first_text_s": _text_at(transcript),
        "first_reasoning_s": first_reasoning_at(transcript.answer),
        "first_event_s": next((e.at for e in events if e.data is not None), None),
        "first_comment_s": next((e.at for e in events if e.comment is not None), None),
        "headers_s": transcript.timing.headers,
        "ended_s": transcript.ended,
    }
