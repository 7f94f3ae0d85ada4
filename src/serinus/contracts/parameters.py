"""Parameters: what the request sets is obeyed (R30). Information only; nothing here suspends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from serinus.core.model import Probe, Turn, Verdict, Word
from serinus.core.transcript import Transcript
from serinus.judging.budget import likely_tokens, told_not_to_think
from serinus.judging.contract import Contract, Reason
from serinus.judging.precedence import asks_about
from serinus.judging.visible import has_reasoning
from serinus.judging.vocabulary import words
from serinus.judging.votes import settle_samples
from serinus.probes import roleplay

OVER_CAP: Final = 1.1  # times our cap, plus 8 tokens: tokenizers differ by a few (`faults.md` F093)
OVER_CAP_SLACK: Final = 8
SHORTEST_PREFIX: Final = 3  # characters of a stop string that are no accident at the end of a text
LONG_TEXT: Final = 60  # characters from which two equal answers at temperature 1 are no accident
WARM: Final = 1.0

# Parameters that servers know; one outside this list was invented to see whether fields are checked.
_KNOWN: Final = words(
    """
    audio cache_control chat_template_kwargs debug enable_thinking extra_body extra_headers
    frequency_penalty function_call functions include_reasoning include_stop_str_in_output length_penalty
    logit_bias logprobs max_completion_tokens max_price metadata min_p min_tokens modalities models n
    n_prompts needle_pos parallel_tool_calls plugins prediction presence_penalty preset provider
    reasoning reasoning_effort repetition_penalty response_format route safe_prompt seed service_tier
    session_id skip_special_tokens store stop_token_ids stream_options temperature tool_choice top_a top_k
    top_logprobs top_p transforms usage user verbosity web_search_options ignore ignore_active_at request_at
    """,
)


class Parameters(Contract):
    """The request's parameters have the effect that they promise."""

    name = "parameters"
    promise = "Parameters of a request are obeyed, or refused with an error."
    kinds = frozenset({"roleplay", "structured", "tool_call"})
    scored = False
    about_errors = True
    reads_reasoning = True
    blind_fault = "stop_ignored"
    reasons = (
        Reason("obeyed", Word.PASS, "Nothing speaks against the parameters being obeyed."),
        Reason("unknown_field_refused", Word.PASS, "An invented field was refused, so fields are checked."),
        Reason(
            "stop_ignored",
            Word.FAIL,
            "The text holds the stop string.",
            'stop "END"',
            "words that resemble it",
        ),
        Reason(
            "stop_prefix_leaked", Word.WARN, "The text ends with a part of the stop string.", "… END OF S"
        ),
        Reason(
            "cap_ignored", Word.WARN, "The answer is longer than max_tokens allows.", "240 of 24", "26 of 24"
        ),
        Reason(
            "reasoning_not_disabled",
            Word.WARN,
            "Reasoning was switched off and came.",
            "",
            "mandatory reasoning",
        ),
        Reason("logprobs_missing", Word.WARN, "Logprobs were asked for and did not come."),
        Reason("n_ignored", Word.WARN, "Fewer choices came than were asked for.", "one of n = 3"),
        Reason("seed_ignored", Word.WARN, "Equal requests with one seed differ."),
        Reason(
            "temperature_ignored",
            Word.WARN,
            "Long answers at temperature 1 or more are equal.",
            "",
            "temperature 0",
        ),
        Reason("unknown_field_accepted", Word.WARN, "An invented field was accepted in silence."),
        Reason("own_error", Word.INCONCLUSIVE, "Our own request was refused, for no invented field."),
        Reason("reasoning_only", Word.INCONCLUSIVE, "There is reasoning and no text to judge by."),
    )

    def probes(self, turn: Turn) -> tuple[Probe, ...]:
        """The role-play answer that most contracts read."""
        return (roleplay.ask(turn),)

    def judge(self, transcript: Transcript) -> Verdict:
        """The gravest parameter that was not obeyed; all of them in the evidence."""
        if asks_about(self, transcript):
            return self._refused(transcript)
        found = [*_stop(transcript), *_cap(transcript), *_reasoning(transcript), *_extras(transcript)]
        if not found:
            return self.say("obeyed", "Nothing speaks against the parameters being obeyed.")
        code, detail, evidence = found[0]
        return self.say(code, detail, **evidence, all=[c for c, _, _ in found])

    def judge_samples(self, transcripts: Sequence[Transcript], votes: Sequence[Verdict]) -> Verdict:
        """What only several equal requests show: a seed without effect, or a temperature without."""
        odd = next((v for v in votes if v.word in (Word.FAIL, Word.WARN)), None)
        if odd is not None:
            return odd
        texts = [t.text for t in transcripts if t.text]
        parameters = transcripts[0].probe.parameters
        if len(texts) > 1 and parameters.get("seed") is not None:
            if len(set(texts)) > 1:
                return self.say(
                    "seed_ignored", "Equal requests with one seed differ.", seed=parameters["seed"]
                )
            return self.say("obeyed", "Equal requests with one seed agree.")
        temperature = parameters.get("temperature")
        warm = isinstance(temperature, int | float) and temperature >= WARM
        if len(texts) > 1 and warm and len(set(texts)) == 1 and len(texts[0]) >= LONG_TEXT:
            told = f"{len(texts)} answers at temperature {temperature} are equal."
            return self.say("temperature_ignored", told, temperature=temperature, answers=len(texts))
        return settle_samples(votes)

    def _refused(self, transcript: Transcript) -> Verdict:
        failure = transcript.answer.failure
        message = failure.message if failure else ""
        invented = _invented(transcript.probe)
        if invented and transcript.status in (400, 404, 422):
            return self.say(
                "unknown_field_refused", f"An invented field was refused: {message[:200]}", fields=invented
            )
        return self.say("own_error", f"Our request was refused: {message[:200]}", status=transcript.status)


Found = tuple[str, str, dict[str, Any]]


def _stop(transcript: Transcript) -> Iterator[Found]:
    for stop in transcript.probe.stop:
        at = transcript.text.find(stop) if stop else -1
        if at >= 0:
            yield "stop_ignored", f"The text holds the stop string {stop!r}.", {"stop": stop, "offset": at}
            return
    body = transcript.text.rstrip(" ")
    for stop in transcript.probe.stop:
        for length in range(len(stop) - 1, SHORTEST_PREFIX - 1, -1):
            if body.endswith(stop[:length]) and not _is_word_end(body, length, stop):
                shown = {"stop": stop, "offset": len(body) - length}
                yield "stop_prefix_leaked", f"The text ends with {stop[:length]!r} of a stop string.", shown
                return


def _is_word_end(body: str, length: int, stop: str) -> bool:
    """Whether the prefix is only the end of an ordinary word: `friend` and the stop string `END`."""
    before = body[-length - 1 : -length] if len(body) > length else ""
    return before.isalnum() and stop[0].isalnum()


def _cap(transcript: Transcript) -> Iterator[Found]:
    cap, usage = transcript.probe.max_tokens, transcript.answer.usage
    if cap is None:
        return
    counted = usage.completion_tokens if usage else None
    if counted is not None:
        shown = counted - ((usage.reasoning_tokens or 0) if usage else 0)
        over = shown > OVER_CAP * cap + OVER_CAP_SLACK
    else:
        # Without counts, the fewest tokens that the text can be: half of the generous estimate.
        shown = round(likely_tokens(transcript.text) / 2)
        over = shown > 2 * cap + OVER_CAP_SLACK
    if over:
        yield "cap_ignored", f"{shown} tokens came, our cap was {cap}.", {"max_tokens": cap, "tokens": shown}


def _reasoning(transcript: Transcript) -> Iterator[Found]:
    if not told_not_to_think(transcript):
        return
    usage = transcript.answer.usage
    tokens = usage.reasoning_tokens if usage else None
    if has_reasoning(transcript.answer) or (tokens or 0) > 0:
        yield "reasoning_not_disabled", "Reasoning was switched off and came.", {"reasoning_tokens": tokens}


def _extras(transcript: Transcript) -> Iterator[Found]:
    parameters = transcript.probe.parameters
    if parameters.get("logprobs") and not transcript.answer.logprobs:
        yield "logprobs_missing", "Logprobs were asked for and did not come.", {}
    wanted = parameters.get("n")
    if (
        isinstance(wanted, int)
        and transcript.probe.kind in Parameters.kinds
        and transcript.answer.choices < wanted
    ):
        yield (
            "n_ignored",
            f"{transcript.answer.choices} of {wanted} choices came.",
            {"choices": transcript.answer.choices},
        )
    invented = _invented(transcript.probe)
    if invented:
        yield (
            "unknown_field_accepted",
            f"The invented field {invented[0]} was accepted in silence.",
            {"fields": invented},
        )


def _invented(probe: Probe) -> list[str]:
    return sorted(name for name in probe.parameters if name not in _KNOWN)
