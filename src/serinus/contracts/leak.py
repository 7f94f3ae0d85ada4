"""The answer shows nothing of the machinery: tokens, templates, reasoning, other turns, injected text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from serinus.core.model import Probe, Turn, Verdict, Word
from serinus.core.transcript import Transcript
from serinus.judging.contract import Contract, Reason
from serinus.probes import roleplay
from serinus.text.injections import find_acknowledgement, find_echo, find_footer
from serinus.text.signs import Sign, first
from serinus.text.spans import mask_code, pieces
from serinus.text.templates import find_role_first, find_tokens
from serinus.text.turns import find_monologue, find_turns

LONGEST: Final = 20_000  # characters examined
SUSPECTED: Final = "_suspected"


class Leak(Contract):
    """What is behind the model stays behind it."""

    name = "leak"
    promise = "The answer shows no control token, template, reasoning, invented turn or injected text."
    kinds = frozenset({"roleplay"})
    by_language = True
    blind_fault = "leak_control_token"
    reasons: ClassVar[tuple[Reason, ...]] = (
        Reason(
            "leak_control_token",
            Word.FAIL,
            "Control tokens of a chat template are shown.",
            "The woman opens the door.<|im_end|>",
            "code spans; prompts about tokens; struck-through HTML; bars as separators",
        ),
        Reason(
            "leak_template",
            Word.FAIL,
            "Headings of an instruction template are shown.",
            "### Response:\\nThe woman opens the door.",
            "stage directions in brackets; other headings",
        ),
        Reason(
            "leak_tool_markup",
            Word.FAIL,
            "Routing to tools or citation marks are shown.",
            "She nods【3†source】.",
            "headings in lenticular brackets",
        ),
        Reason(
            "leak_channel",
            Word.FAIL,
            "Names of hidden channels are shown, their control tokens stripped.",
            "analysisThe user wants a scene.assistantfinalThe woman …",
            "the words analysis and assistant in a sentence",
        ),
        Reason(
            "leak_reasoning_tag",
            Word.FAIL,
            "Tags of hidden reasoning are shown.",
            "I should be brief.</think>The woman opens the door.",
            "a prompt that shows or asks for the tag; code spans",
        ),
        Reason(
            "leak_role_label",
            Word.FAIL,
            "The label of a role precedes the answer.",
            "assistant\\nThe woman opens the door.",
            "a script or dialogue that was asked for",
        ),
        Reason(
            "leak_foreign_turn",
            Word.FAIL,
            "The answer goes on with somebody else's turn.",
            "… and waits.\\nuser\\nThank you!\\nassistant\\nOf course.",
            "a script, dialogue or chat log that was asked for; narration of what the user does",
        ),
        Reason(
            "leak_monologue",
            Word.FAIL,
            "The answer talks about its task instead of doing it.",
            "The user wants a scene in three sentences. I should …",
            "a character who thinks aloud",
        ),
        Reason(
            "leak_monologue" + SUSPECTED,
            Word.INCONCLUSIVE,
            "The answer begins like talk about its task.",
        ),
        Reason(
            "leak_injected_footer",
            Word.FAIL,
            "An advertisement with a link is set off at the end.",
            "---\\n**Sponsor** Warm coats: https://example.invalid",
            "a merchant in the story; links that were asked for",
        ),
        Reason(
            "leak_acknowledgement",
            Word.FAIL,
            "A status sentence of a service precedes the text.",
            "Your request has been received. The woman …",
            "a character's greeting",
        ),
        Reason(
            "leak_prompt_echo",
            Word.FAIL,
            "The prompt stands in the answer word for word.",
            "You are an innkeeper. Greet the guest. You are …",
            "a few words of the prompt",
        ),
        Reason("leak_none", Word.PASS, "Nothing of the machinery is shown."),
        Reason("no_text", Word.INCONCLUSIVE, "There is no visible text; `filtering` judges that."),
        Reason("votes_disagree", Word.INCONCLUSIVE, "The answers of a set disagree."),
    )

    def probes(self, turn: Turn) -> tuple[Probe, ...]:
        """The role-play prompt of this turn, shared with other contracts."""
        return (roleplay.ask(turn),)

    def judge(self, transcript: Transcript) -> Verdict:
        """The verdict on one answer."""
        raw = transcript.text
        if not raw.strip():
            return Verdict(Word.INCONCLUSIVE, "no_text", "There is no visible text to judge.")
        sign = first(list(_signs(mask_code(raw[:LONGEST]), transcript.probe)))
        if sign is None:
            return Verdict(Word.PASS, "leak_none", "Nothing of the machinery is shown.")
        evidence = {"spans": pieces(raw, sign.spans), **sign.values}
        if sign.sure:
            return Verdict(Word.FAIL, sign.code, sign.detail, evidence)
        return Verdict(Word.INCONCLUSIVE, sign.code + SUSPECTED, sign.detail, evidence)


def _signs(text: str, probe: Probe) -> Iterator[Sign]:
    asked = "\n".join(message.content for message in probe.messages)
    yield from find_tokens(text, probe.prompt, asked)
    role = find_role_first(text, probe.prompt)
    if role is not None:
        yield Sign("leak_role_label", role.sure, role.detail, role.spans)
    yield from find_turns(text, probe.prompt)
    yield from find_monologue(text)
    note = find_acknowledgement(text)
    if note is not None:
        yield Sign("leak_acknowledgement", note.sure, note.detail, note.spans)
    yield from find_footer(text)
    yield from find_echo(text, probe.prompt)
