"""Context: the whole prompt is read, not the end of it (R30)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from serinus.core.model import Probe, Verdict, Word
from serinus.core.transcript import Transcript
from serinus.judging.contract import Contract, Measurement, Reason
from serinus.judging.finish import Finish, finish_of
from serinus.judging.precedence import asks_about
from serinus.judging.votes import settle_samples

TOLERANCE: Final = 0.8  # tokenizers differ by 15 % (`faults.md` F153); less than this was not read
_PLATEAU: Final = 0.02  # counts closer than this are one count
_GROWTH: Final = 1.25  # sizes further apart than this must show in the counts
_LENGTH_WORDS: Final = ("context", "too long", "maximum", "token", "length", "too large", "window")
_NUMBER: Final = re.compile(r"\d+")
REPEATED_SHAPES: Final = 2  # lines or sentences of one shape that are filler carried on
MONOTONE: Final = 0.5  # share of different words under which a text says nothing
FEWEST_WORDS: Final = 8


class Context(Contract):
    """A long prompt is answered from all of it, or refused honestly."""

    name = "context"
    promise = "A prompt within the claimed window is read whole, or refused with an error."
    kinds = frozenset({"needle", "ladder"})
    about_errors = True
    blind_fault = "prompt_cut_at_head"
    reasons = (
        Reason("needle_found", Word.PASS, "The fact that stood in the prompt is in the answer."),
        Reason("counts_grow", Word.PASS, "Reported prompt tokens grow with the prompt."),
        Reason(
            "prompt_cut",
            Word.FAIL,
            "The fact is missing, and far fewer tokens were counted than were sent.",
            "2051 prompt tokens of about 9000",
            "a tokenizer that differs by 15 %",
        ),
        Reason(
            "plateau",
            Word.FAIL,
            "Prompts of different sizes are counted alike.",
            "4k, 8k and 16k all as 2051",
        ),
        Reason("needle_lost", Word.FAIL, "Most of several answers lack the fact or code word of the prompt."),
        Reason(
            "document_continued",
            Word.FAIL,
            "In place of an answer the filler of the prompt goes on until the cap.",
            "record 812: … record 813: …",
        ),
        Reason("needle_missed", Word.WARN, "The fact is missing although the whole prompt was counted."),
        Reason("honest_limit", Word.INCONCLUSIVE, "The host refused the prompt as too long."),
        Reason(
            "own_error", Word.INCONCLUSIVE, "Our own request was refused for another reason than its length."
        ),
        Reason("too_few_counts", Word.INCONCLUSIVE, "Fewer than two counts can show no growth."),
        Reason("no_needle", Word.NOT_APPLICABLE, "The prompt held no fact to ask for."),
        Reason("no_ladder", Word.NOT_APPLICABLE, "These are no counts of prompts of several sizes."),
    )

    def judge(self, transcript: Transcript) -> Verdict:
        """The fact in the answer, then the counted tokens against those sent."""
        if asks_about(self, transcript):
            return self._refused(transcript)
        expect = transcript.probe.expect
        needle = expect.needle or expect.nonce
        if needle is None:
            return self.say("no_needle", "The prompt held no fact to ask for.")
        usage = transcript.answer.usage
        counted, sent = usage.prompt_tokens if usage else None, max(expect.sent_tokens, default=None)
        evidence = {"needle": needle, "prompt_tokens": counted, "sent_tokens": sent}
        if needle.casefold() in transcript.text.casefold():
            return self.say("needle_found", "The fact is in the answer.", **evidence)
        if counted and sent and counted < TOLERANCE * sent:
            told = f"The fact is missing, and {counted} tokens were counted of about {sent} sent."
            return self.say("prompt_cut", told, **evidence)
        if finish_of(transcript.answer) is Finish.LENGTH and _goes_on_as_filler(transcript):
            return self.say(
                "document_continued", "The filler of the prompt goes on until the cap.", **evidence
            )
        return self.say("needle_missed", f"{needle!r} is not in the answer.", **evidence)

    def judge_samples(self, transcripts: Sequence[Transcript], votes: Sequence[Verdict]) -> Verdict:
        """A code word that most answers lack was never read; one miss is a weakness of the model."""
        del transcripts
        missed = [v for v in votes if v.reason == "needle_missed"]
        judged = [v for v in votes if v.word in (Word.PASS, Word.FAIL, Word.WARN)]
        if missed and len(missed) * 2 > len(judged) and len(judged) > 1:
            told = f"{len(missed)} of {len(judged)} answers lack the word that the prompt gave."
            return self.say("needle_lost", told, **missed[0].evidence)
        return settle_samples(votes)

    def weigh(self, probe: Probe, measurement: Measurement) -> Verdict:
        """Reported prompt tokens of prompts of several sizes."""
        sent = probe.expect.sent_tokens
        counts = measurement.values.get("prompt_tokens")
        if measurement.type != "counts_list" or not sent or not isinstance(counts, list):
            return self.say("no_ladder", "These are no counts of prompts of several sizes.")
        pairs = sorted(zip(sent, (c for c in counts if isinstance(c, int)), strict=False))
        evidence = {"sent_tokens": [s for s, _ in pairs], "prompt_tokens": [c for _, c in pairs]}
        if len(pairs) < 2:  # noqa: PLR2004  growth needs two
            return self.say("too_few_counts", "Fewer than two counts can show no growth.", **evidence)
        for (size, count), (next_size, next_count) in pairwise(pairs):
            if next_size >= _GROWTH * size and abs(next_count - count) <= max(4, _PLATEAU * count):
                told = f"{size} and {next_size} tokens were both counted as about {next_count}."
                return self.say("plateau", told, **evidence)
        size, count = pairs[-1]
        if count < TOLERANCE * size and count / size < TOLERANCE * pairs[0][1] / pairs[0][0]:
            return self.say("plateau", f"{size} tokens were counted as {count}.", **evidence)
        return self.say("counts_grow", "Reported prompt tokens grow with the prompt.", **evidence)

    def _refused(self, transcript: Transcript) -> Verdict:
        failure = transcript.answer.failure
        message = failure.message if failure else ""
        kind = (failure.type or "") if failure else ""
        told = f"{kind} {message}".lower()
        code = "honest_limit" if any(word in told for word in _LENGTH_WORDS) else "own_error"
        return self.say(code, f"The prompt was refused: {message[:200]}", status=transcript.status, type=kind)


def _goes_on_as_filler(transcript: Transcript) -> bool:
    """Whether the answer is sentences of one shape, numbers aside, or of the shapes of the prompt."""
    shapes = _shapes(transcript.text)
    most = max(Counter(shapes).values(), default=0)
    if most >= REPEATED_SHAPES and most * 2 >= len(shapes):
        return True
    spoken = transcript.text.split()
    if len(spoken) >= FEWEST_WORDS and len(set(spoken)) < MONOTONE * len(spoken):
        return True
    asked = set(_shapes(transcript.probe.prompt[-20_000:]))
    return bool(shapes) and sum(shape in asked for shape in shapes) * 2 > len(shapes)


def _shapes(text: str) -> list[str]:
    """How each sentence or line begins, numbers aside: `Record 812: oats.` is `Record #:`."""
    pieces = (p.split() for p in re.split(r"[\n.;。]", text))
    return [_NUMBER.sub("#", " ".join(p[:2])) for p in pieces if p]
