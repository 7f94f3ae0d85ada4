"""Text that belongs to the machinery and not to the answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from serinus.simulator.answers import sentences
from serinus.simulator.draft import Draft
from serinus.simulator.faults.registry import Case, Stage, at

_CHAT = ("roleplay",)
_FAMILIES = {
    "chatml": ("<|im_end|>", "<|im_start|>assistant"),
    "llama": ("<|eot_id|>", "<|start_header_id|>assistant<|end_header_id|>"),
    "gemma": ("<end_of_turn>", "<start_of_turn>model"),
    "harmony": ("<|end|>", "<|start|>assistant<|channel|>final<|message|>"),
    "deepseek": ("<｜end▁of▁sentence｜>", "<｜Assistant｜>"),
    "instruct": ("</s>", "[INST]"),
}
Family = Literal["chatml", "llama", "gemma", "harmony", "deepseek", "instruct"]


def _middle(draft: Draft, insert: str) -> Draft:
    parts = sentences(draft.text or "")
    half = max(1, len(parts) // 2)
    return replace(draft, text="".join([*parts[:half], insert, *parts[half:]]))


@at(Stage.CONTENT, kinds=_CHAT)
def leak_control_token(draft: Draft, case: Case, *, family: Family = "chatml") -> Draft:
    """Control tokens of a chat template stand in the middle of the text."""
    del case
    return _middle(draft, "".join(_FAMILIES[family]) + "\n")


@at(Stage.ANSWER, kinds=_CHAT)
def leak_end_token(draft: Draft, case: Case, *, family: Family = "chatml") -> Draft:
    """An end-of-turn token is printed at the end."""
    del case
    return replace(draft, text=f"{draft.text}{_FAMILIES[family][0]}")


@at(Stage.CONTENT, kinds=_CHAT)
def leak_template(draft: Draft, case: Case, *, family: Family = "chatml") -> Draft:
    """Template tokens are the whole answer."""
    del case
    return replace(draft, text="".join(_FAMILIES[family]))


@at(Stage.CONTENT, kinds=_CHAT)
def leak_think_tag(
    draft: Draft, case: Case, *, style: Literal["whole", "closing", "rest"] = "whole"
) -> Draft:
    """Reasoning and its tags stand in the content: the whole, only the closing tag, or a cut rest of it."""
    del case
    thought = "The user is in the scene and wants an answer in character. I should keep it vivid."
    before = {
        "whole": f"<think>\n{thought}\n</think>\n\n",
        "closing": f"{thought}\n</think>\n\n",
        "rest": "/think>\n\n",
    }
    return replace(draft, text=f"{before[style]}{draft.text}")


@at(Stage.CONTENT, kinds=_CHAT)
def leak_monologue(draft: Draft, case: Case) -> Draft:
    """The host reasons about the task in the content, without any tag."""
    del case
    thought = (
        "Okay, so the user wants me to continue the role-play. First, I need to stay in character. "
        "Let me think about the tone. The system prompt says to say the password once, so I will.\n\n"
    )
    return replace(draft, text=f"{thought}{draft.text}")


@at(Stage.CONTENT, kinds=_CHAT)
def leak_channel_words(draft: Draft, case: Case) -> Draft:
    """Channel markers are stripped and their words are left: analysis … assistantfinal."""
    del case
    return replace(draft, text=f"analysisThe user wants a scene. Keep it short.assistantfinal{draft.text}")


@at(Stage.CONTENT, kinds=_CHAT)
def self_written_turn(draft: Draft, case: Case) -> Draft:
    """After its own turn the host writes the user's next one and answers it."""
    again = sentences(draft.text or "")[-1].strip()
    turn = f"\n\nUser: {case.ask.prompt[:80]}\nAssistant: {again}"
    return replace(draft, text=f"{draft.text}{turn}")


@at(Stage.ANSWER, kinds=_CHAT)
def advertising_footer(draft: Draft, case: Case) -> Draft:
    """A sponsor's line with a link follows the answer."""
    del case
    return replace(
        draft,
        text=f"{draft.text}\n\n---\n**Sponsor** Warm cloaks for cold nights: https://shop.invalid/cloaks",
    )


@at(Stage.CONTENT, kinds=_CHAT)
def leak_tool_markup(draft: Draft, case: Case) -> Draft:
    """Tool markup stands in an answer to a request without tools."""
    del case
    return _middle(draft, '<tool_call>{"name": "search", "arguments": {"query": "scene"}}</tool_call>\n')


@at(Stage.CONTENT, kinds=_CHAT)
def leak_citation(draft: Draft, case: Case) -> Draft:
    """Routing text of a tool stands between lenticular brackets."""
    del case
    return _middle(draft, '【commentary to=functions.recall json{"q": "scene"}】 ')


@at(Stage.CONTENT, kinds=_CHAT)
def leak_reasoning_tag(draft: Draft, case: Case, *, tag: str = "thought") -> Draft:
    """Reasoning stands before the answer, in tags of another name."""
    del case
    thought = "The user is in the scene and wants an answer in character. I should keep it vivid."
    return replace(draft, text=f"<{tag}>{thought}</{tag}>\n{draft.text}")


@at(Stage.CONTENT, kinds=("roleplay", "structured"))
def leak_channel_line(draft: Draft, case: Case, *, word: str = "thought") -> Draft:
    """The name of a channel stands alone in the first line: it came before the tag that is hidden."""
    del case
    return replace(draft, text=f"{word}\n{draft.text}")
