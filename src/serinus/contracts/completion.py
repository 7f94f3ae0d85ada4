"""Completion: an answer ends because it is finished, or because our own cap was reached (R7, R30)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from serinus.core.model import Probe, Turn, Verdict, Word
from serinus.core.transcript import Transcript
from serinus.judging.budget import GENEROUS, REACHED, at_cap, likely_tokens
from serinus.judging.contract import Contract, Reason
from serinus.judging.endings import Ending, ending_of
from serinus.judging.finish import Finish, finish_of
from serinus.judging.visible import has_output
from serinus.judging.votes import settle_samples
from serinus.probes import roleplay
from serinus.text.refusals.masking import unquoted

# A sentence about the limit of the output itself, in the last 200 characters (`faults.md` F094).
_TOO_LONG: Final = re.compile(
    r"(?:maximum|max\.?|allowed|permitted|allowable)\s+(?:\w+\s+){0,3}(?:length|limit|size|tokens?|characters?)"
    r"|(?:output|response|answer|message|token|character|reply)s?['’]?\s+(?:\w+\s+){0,2}(?:length|limit|size)"
    r"|(?:longitud|límite) (?:máxim\w+ )?(?:de|permitid\w+) (?:la )?(?:respuesta|salida|tokens)"
    r"|(?:limite|longueur) (?:maximale? )?(?:de|du) (?:la )?(?:réponse|sortie|tokens)"
    r"|(?:maximale\w*|zulässige\w*) (?:ausgabe|antwort|text|zeichen|token)\w*"
    r"|(?:最大|允许的?|输出|輸出|允許的?)(?:输出|輸出|回复|回覆)?(?:长度|長度|字数|字數)(?:限制|上限)?|出力(?:の)?(?:最大|上限|制限)|最大出力",
    re.IGNORECASE,
)
TAIL: Final = 200
FAR_BELOW: Final = 0.75  # of our cap: a text this short was not stopped by it


class Completion(Contract):
    """The text is whole, and a stop at a limit is a stop at ours."""

    name = "completion"
    promise = "An answer is whole: it ends at its own end, or at the cap that we asked for."
    kinds = frozenset({roleplay.KIND})
    reads_reasoning = True
    blind_fault = "cut_mid_word"
    reasons = (
        Reason("whole", Word.PASS, "The answer ended normally and its text is whole."),
        Reason(
            "own_cap_reached", Word.PASS, "The answer ended at our own cap.", "length at exactly max_tokens"
        ),
        Reason(
            "host_cap",
            Word.FAIL,
            "The answer was stopped by length far below our cap.",
            "length after 256 tokens, max_tokens 1200",
            "length at our cap",
        ),
        Reason(
            "cut_mid_word",
            Word.FAIL,
            "A normal end in the middle of a word.",
            "She points at the stove and starts to expl",
            "titles, signatures, lists, emoji, names, languages without a full stop",
        ),
        Reason(
            "claims_too_long",
            Word.FAIL,
            "The answer ends with a sentence about the maximum length, far below our cap.",
            "I have reached the maximum output length.",
            "a character who speaks of a long letter",
        ),
        Reason(
            "reasoning_ate_budget",
            Word.FAIL,
            "Reasoning used up a generous cap and no text came.",
            "4000 reasoning tokens of max_tokens 4000",
            "a small cap of ours",
        ),
        Reason("own_cap", Word.INCONCLUSIVE, "Our own small cap was used up by reasoning.", "max_tokens 8"),
        Reason("cap_unknown", Word.INCONCLUSIVE, "Stopped by length, and our cap or the count is not known."),
        Reason(
            "open_end", Word.INCONCLUSIVE, "The text has no end mark, but its last word is whole or unknown."
        ),
        Reason("no_finish_reason", Word.INCONCLUSIVE, "The terminator came without a finish reason."),
        Reason(
            "unknown_finish_reason", Word.INCONCLUSIVE, "The finish reason is a word that no table knows."
        ),
        Reason("reasoning_only", Word.INCONCLUSIVE, "There is reasoning and no text to be whole."),
    )

    def probes(self, turn: Turn) -> tuple[Probe, ...]:
        """The role-play answer that most contracts read."""
        return (roleplay.ask(turn),)

    def judge(self, transcript: Transcript) -> Verdict:
        """By the finish reason first, then by the last words."""
        finish = finish_of(transcript.answer)
        if finish is Finish.LENGTH:
            return self._at_length(transcript)
        if not has_output(transcript.answer):
            return self.say("reasoning_only", "There is reasoning and no text to be whole.")
        if finish is Finish.MISSING:
            return self.say("no_finish_reason", "The terminator came without a finish reason.")
        if finish is Finish.UNKNOWN:
            word = transcript.answer.finish_reason
            return self.say(
                "unknown_finish_reason", f"No table knows the finish reason {word!r}.", finish_reason=word
            )
        return self._at_its_end(transcript)

    def judge_samples(self, transcripts: Sequence[Transcript], votes: Sequence[Verdict]) -> Verdict:
        """As always, but not `pass` where half of the answers may be cut."""
        del transcripts
        settled = settle_samples(votes)
        doubted = [v for v in votes if v.reason in ("cut_mid_word", "open_end")]
        if settled.word is Word.PASS and len(doubted) * 2 >= len(votes):
            return self.say(
                "open_end", f"{len(doubted)} of {len(votes)} answers may be cut.", votes=len(votes)
            )
        return settled

    def _at_length(self, transcript: Transcript) -> Verdict:
        answer, cap = transcript.answer, transcript.probe.max_tokens
        tokens = answer.usage.completion_tokens if answer.usage else None
        evidence = {"max_tokens": cap, "completion_tokens": tokens, "finish_reason": answer.finish_reason}
        if not has_output(answer):
            if cap is None or cap >= GENEROUS:
                return self.say(
                    "reasoning_ate_budget", f"Reasoning used up the cap of {cap} tokens.", **evidence
                )
            return self.say(
                "own_cap", f"Our small cap of {cap} tokens was used up before any text.", **evidence
            )
        reached = at_cap(answer, cap)
        if reached:
            return self.say("own_cap_reached", f"The answer ended at our cap of {cap} tokens.", **evidence)
        written = likely_tokens(transcript.text + (answer.reasoning or ""))
        if reached is None and (cap is None or written * 2 >= REACHED * cap):
            return self.say(
                "cap_unknown", "Stopped by length, and whether at our cap is not known.", **evidence
            )
        told = f"{tokens} tokens" if tokens is not None else f"about {written:.0f} tokens"
        return self.say("host_cap", f"Stopped by length after {told}, our cap was {cap}.", **evidence)

    def _at_its_end(self, transcript: Transcript) -> Verdict:
        text, cap = transcript.text, transcript.probe.max_tokens
        offset = max(0, len(text) - TAIL)
        claim = _TOO_LONG.search(unquoted(text[offset:]))
        usage = transcript.answer.usage
        counted = usage.completion_tokens if usage else None
        written = counted if counted is not None else likely_tokens(text)
        if claim is not None and cap is not None and written < FAR_BELOW * cap:
            shown = text[offset + claim.start() : offset + claim.end()]
            told = "The answer ends with a claim to have reached a maximum length."
            return self.say("claims_too_long", told, text=shown, start=offset + claim.start(), max_tokens=cap)
        ended = ending_of(text, transcript.probe.language)
        if ended.ending is Ending.WHOLE:
            return self.say("whole", "The answer ended normally and its text is whole.")
        evidence = {"last": ended.last, "around": text.rstrip()[-60:], "offset": len(text.rstrip())}
        if ended.ending is Ending.CUT:
            return self.say(
                "cut_mid_word", f"A normal end in the middle of a word: {ended.last!r}.", **evidence
            )
        return self.say("open_end", f"No end mark after {ended.last!r}.", **evidence)
