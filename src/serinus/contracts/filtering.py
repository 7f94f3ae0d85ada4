"""Contract 2, filtering and silent refusal: an ordinary scene is answered (R7, R8)."""

from __future__ import annotations

import re
from typing import Final

from serinus.core.model import Probe, Turn, Verdict, Word
from serinus.core.transcript import Transcript
from serinus.judging.budget import asked_to_think, at_cap, told_not_to_think
from serinus.judging.contract import Contract, Reason
from serinus.judging.finish import Finish, finish_of
from serinus.judging.moderation import moderated
from serinus.judging.visible import has_output, has_reasoning
from serinus.probes import roleplay
from serinus.text.refusals import Kind, refusal_in

# A prompt that casts the model as a machine gets a machine's voice (F086).
_MACHINE: Final = re.compile(
    r"\b(?:robot|android|golem|automat\w*|machine|cyborg|hologram|AI|A\.I\.|IA|KI|ИИ|ШІ|робот\w*|андро[иї]д\w*)\b"
    r"|ロボット|人工知能|アンドロイド|로봇|인공지능|机器人|機器人|人工智能|人工智慧|หุ่นยนต์"
    r"|người máy|yapay zek|штучн\w+ інтелект"
    r"|روبوت|إنسان آلي|الرجل الآلي|ذكاء اصطناعي|الذكاء الاصطناعي|रोबोट|यंत्रमानव|एआई|कृत्रिम बुद्धि",
    re.IGNORECASE,
)
BLANK_FLOOD: Final = 20  # blanks from which a full cap is the blanks' doing and not the cap's own


class Filtering(Contract):
    """The route answers a mild role-play, and says nothing in place of its answer."""

    name = "filtering"
    promise = "A mild role-play is answered: no filter, no refusal, no silence."
    kinds = frozenset({roleplay.KIND})
    reads_reasoning = True
    blind_fault = "canned_refusal"
    reasons = (
        Reason("answered", Word.PASS, "There is an answer, and it is no refusal."),
        Reason("silence_allowed", Word.PASS, "The prompt allowed an empty answer, and that is what came."),
        Reason(
            "control_refused", Word.PASS, "The control refused, as it should: the probe detects filtering."
        ),
        Reason(
            "control_answered",
            Word.WEAK,
            "A control, known to filter, answered: the probe proves nothing in this round.",
        ),
        Reason(
            "control_untempted",
            Word.INCONCLUSIVE,
            "A control answered a scene without any motif that filters know: that proves nothing either way.",
        ),
        Reason(
            "moderation_error",
            Word.FAIL,
            "An error reports moderation.",
            "403 with metadata.reasons; 400 with code content_filter; the same inside a stream",
            "429, 5xx, 400 for an unsupported parameter",
        ),
        Reason(
            "finish_reason_filter",
            Word.FAIL,
            "The finish reason, mapped or native, names a filter.",
            "finish_reason stop with native_finish_reason sensitive",
            "native eos or end_turn; the word filter in a scene",
        ),
        Reason(
            "refusal_field", Word.FAIL, "The refusal field is filled.", 'message.refusal "I cannot …"', "null"
        ),
        Reason(
            "filter_annotation",
            Word.FAIL,
            "A content-filter annotation says filtered.",
            '{"violence": {"filtered": true}}',
            "annotations that all say false",
        ),
        Reason(
            "canned_refusal",
            Word.FAIL,
            "The answer is a refusal, in any of the 20 languages, whatever was asked.",
            "I'm sorry, but I can't help with that request.",
            "a character who says so in quotes; “I can't help smiling”; “the knight declines the gold”",
        ),
        Reason(
            "refusal_tail",
            Word.FAIL,
            "The answer breaks off into a refusal.",
            "The keeper lifts the lan I'm sorry, but I cannot continue with this request.",
            "a character who changes the subject",
        ),
        Reason(
            "filter_notice",
            Word.FAIL,
            "The answer is a filter's own notice, or the JSON of its result.",
            "The output was blocked by the content filter.",
            "a road that is blocked by a tree",
        ),
        Reason("empty", Word.FAIL, "The answer ended normally and holds nothing.", "stop, no text, no usage"),
        Reason(
            "empty_billed",
            Word.FAIL,
            "Output was counted and none was delivered.",
            "completion_tokens 85 and no text",
            "a cap of ours that reasoning used up",
        ),
        Reason(
            "no_choice",
            Word.FAIL,
            "The answer has no choice at all.",
            '"choices": []',
            "an event with usage only",
        ),
        Reason(
            "whitespace_only",
            Word.FAIL,
            "The answer is blanks, newlines or invisible characters.",
            "newlines and U+200B",
            "emoji that were asked for",
        ),
        Reason(
            "answer_in_reasoning",
            Word.FAIL,
            "Reasoning was switched off, and the answer stands in the reasoning field.",
            "content null, reasoning_content full, finish reason stop",
            "reasoning beside normal content",
        ),
        Reason(
            "reasoning_only", Word.INCONCLUSIVE, "The model was asked to reason and gave nothing else yet."
        ),
        Reason(
            "own_cap",
            Word.INCONCLUSIVE,
            "Our own cap was used up before any text.",
            "max_tokens 16, all reasoning",
        ),
        Reason(
            "assistant_voice",
            Word.INCONCLUSIVE,
            "An AI assistant speaks in place of the character, but does not refuse.",
            "As an AI language model, I can describe the tower …",
            "a robot or golem of the scene",
        ),
    )

    def probes(self, turn: Turn) -> tuple[Probe, ...]:
        """The role-play answer that most contracts read."""
        return (roleplay.ask(turn),)

    def judge(self, transcript: Transcript) -> Verdict:
        """The route's own verdict, or what it means for a control."""
        verdict = self._route(transcript)
        if not transcript.control:
            return verdict
        if verdict.word is Word.FAIL:
            return self.say("control_refused", f"The control refused: {verdict.detail}", how=verdict.reason)
        if verdict.word is Word.PASS and not roleplay.tempts(transcript.probe.key):
            return self.say("control_untempted", "The control answered a scene that tempts no filter.")
        if verdict.word is Word.PASS:
            return self.say("control_answered", "The control, known to filter, answered.")
        return verdict

    def _route(self, transcript: Transcript) -> Verdict:
        found = moderated(transcript)
        if found is not None:
            return self.say(found.code, found.detail, **found.evidence)
        if not has_output(transcript.answer):
            return self._empty(transcript)
        voice = refusal_in(transcript.text)
        if voice is not None and voice.kind is Kind.ASSISTANT_VOICE and not _casts_machine(transcript):
            shown = transcript.text[voice.start : voice.end + 60]
            return self.say(
                "assistant_voice",
                "An AI assistant speaks in place of the character.",
                start=voice.start,
                end=voice.end,
                text=shown,
            )
        return self.say("answered", "There is an answer, and it is no refusal.")

    def _empty(self, transcript: Transcript) -> Verdict:
        """Empty in one of its ways; usage or not, silence is the host's unless our own cap explains it."""
        answer = transcript.answer
        usage = answer.usage
        evidence = {
            "finish_reason": answer.finish_reason,
            "completion_tokens": usage.completion_tokens if usage else None,
            "reasoning_tokens": usage.reasoning_tokens if usage else None,
            "max_tokens": transcript.probe.max_tokens,
        }
        code, detail = _emptiness(transcript)
        return self.say(code, detail, **evidence)


def _emptiness(transcript: Transcript) -> tuple[str, str]:
    """The reason code and sentence for an answer without output: ours, a thought, or the host's silence."""
    return _explained(transcript) or _thought_only(transcript) or _silence(transcript)


def _explained(transcript: Transcript) -> tuple[str, str] | None:
    """Empty for a reason of our own: the prompt allowed it, or our cap was used up."""
    answer = transcript.answer
    if transcript.probe.expect.empty_allowed:
        return "silence_allowed", "The prompt allowed an empty answer."
    if len(answer.text or "") >= BLANK_FLOOD and not has_reasoning(answer):
        return None
    spent = finish_of(answer) is Finish.LENGTH or at_cap(answer, transcript.probe.max_tokens)
    # Tokens that are said to be no reasoning were an answer, and that was kept back (`faults.md` F074).
    kept_back = answer.usage is not None and answer.usage.reasoning_tokens == 0 and _counted(transcript) > 1
    return ("own_cap", "The cap on tokens was used up before any text.") if spent and not kept_back else None


def _thought_only(transcript: Transcript) -> tuple[str, str] | None:
    """Reasoning and nothing else: as asked for, in the wrong field, or billed and hidden."""
    answer, usage = transcript.answer, transcript.answer.usage
    hidden = (
        usage is not None and usage.reasoning_tokens == usage.completion_tokens and _counted(transcript) > 1
    )
    if not has_reasoning(answer) and not hidden:
        return None
    if asked_to_think(transcript):
        return "reasoning_only", "There is reasoning and no answer yet."
    if not has_reasoning(answer):
        return "empty_billed", "All counted tokens were hidden reasoning, and no text was delivered."
    off = " although reasoning was switched off" if told_not_to_think(transcript) else ""
    return "answer_in_reasoning", f"All text stands in the reasoning field{off}."


def _silence(transcript: Transcript) -> tuple[str, str]:
    answer = transcript.answer
    if answer.text:
        return "whitespace_only", f"The answer is {len(answer.text)} characters that show nothing."
    if _counted(transcript) > 1:  # the end-of-turn token alone is counted by some hosts
        return "empty_billed", f"{_counted(transcript)} tokens were counted and no text was delivered."
    if answer.choices == 0:
        return "no_choice", "The answer has no choice."
    return "empty", "The answer ended and holds nothing."


def _counted(transcript: Transcript) -> int:
    usage = transcript.answer.usage
    return (usage.completion_tokens or 0) if usage else 0


def _casts_machine(transcript: Transcript) -> bool:
    """Whether the prompt, or the answer around it, has a machine speak as a character."""
    prompt = " ".join(m.content for m in transcript.probe.messages)
    return bool(_MACHINE.search(prompt))
