"""Leaks of the machinery: control tokens, chat templates, reasoning tags, tool markup.

Families by their makers, from public reports: ChatML and Qwen, Llama, Mistral, Gemma, Harmony, DeepSeek,
Kimi, GLM, Cohere. Code spans are blanked before; what the prompt itself shows is its topic, not a leak.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from serinus.text.mentions import about_tokens, asks_for_script
from serinus.text.signs import Sign

# <|im_end|> and every other name between bars, also with the full-width bars of DeepSeek.
_BARRED: Final = re.compile(
    r"<[|｜][^<>|｜\n]{1,60}[|｜]>?|<\|[a-z_]{2,30}\b(?!>)|\b[a-z_]{3,30}\|>|<｜\S{1,40}"
)
_ANGLE: Final = re.compile(
    r"</?(?:bos|eos|pad|unk|mask|cls|sep|sop|eop|eod|start_of_turn|end_of_turn|start_of_image|end_of_image"
    r"|tool_calls?|tool_response|tool_result|function_calls?|function_results?|arg_key|arg_value|invoke|tool_use"
    r"|minimax:tool_call|seed:[a-z_]+|unused\d+|extra_id_\d+|reserved_\w+)(?:\s[^<>\n]{0,80})?>"
    r"|<(?:function|parameter)=[^<>\n]{0,60}>|</(?:function|parameter)>|<<?/?SYS>>?"
)
_SQUARE: Final = re.compile(
    r"\[/?(?:INST|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS|SYSTEM_PROMPT|gMASK|sMASK|CLS|SEP|PAD|UNK|BOS|EOS|MASK"
    r"|IMG|REF|THINK)\]"
)
# The end-of-text token of SentencePiece. A pair around text strikes it through in HTML.
_SENTENCE_MARK: Final = re.compile(r"</?s>")
_STRUCK: Final = re.compile(r"<s>[^<>\n]{1,200}</s>")
_HEADING: Final = re.compile(
    r"^[ \t]*(?:#{2,4} ?(?:Instruction|Response|Input|Human|Assistant|User|System)s?\b ?:?"
    r"|<\s?/?(?:user|assistant|system|human|bot|model)\s?>)[ \t]*",
    re.MULTILINE | re.IGNORECASE,
)
_ROUTING: Final = re.compile(
    r"\bto=(?:functions|browser|python|container|web)\b[.\w]*|【\d{1,3}(?::\d{1,3})?†[^】\n]{0,40}】"
    r"|【[0-9a-f]{8,}[^】\n]{0,40}】|[\ue200-\ue206]|citeturn\d+\w+"
)
# Harmony with its control tokens stripped: only the names of the channels are left, glued to the text.
_CHANNELS: Final = re.compile(
    r"assistant(?:final|analysis|commentary)(?=\S|\s|$)|\A\s*(?:analysis|commentary)(?=[A-Z\"“«「*—])"
    r"|\bcommentary to=\w+"
)
_REASONING_NAMES: Final = (
    r"think|thinking|thought|thoughts|reasoning|reflection|scratchpad|inner_monologue|internal_monologue"
    r"|antthinking|analysis|chain_of_thought|cot|plan(?:ning)?"
)
_REASONING: Final = re.compile(
    rf"</?(?:{_REASONING_NAMES})>|◁/?think▷|\A\s*/?(?:think|thinking|thought)>", re.IGNORECASE
)
# The first line is nothing but the name of a channel.
_LONE_LABEL: Final = re.compile(
    r"\A\s*(?:thought|thinking|analysis|reasoning|commentary|final)[ \t]*:?[ \t]*\n", re.IGNORECASE
)
_ROLE_FIRST: Final = re.compile(
    r"\A\s*(?:assistant|model|system|bot|ai|chatbot|gpt|<?bot>?)[ \t]*(?::|\n)|\A\s*assistant(?=[A-Z\"“«*])",
    re.IGNORECASE,
)

_CONTROL: Final = "The answer shows control tokens of a chat template."
_CHANNEL: Final = "The answer shows the names of hidden channels."
# Each family with the characters without which it cannot be there: most answers hold none of them.
_FAMILIES: Final = (
    ("|｜", _BARRED, "leak_control_token", _CONTROL),
    ("<", _ANGLE, "leak_control_token", _CONTROL),
    ("[", _SQUARE, "leak_control_token", _CONTROL),
    ("#<", _HEADING, "leak_template", "The answer shows headings of an instruction template."),
    (
        "=【\ue200\ue201\ue202\ue203\ue204\ue205\ue206",
        _ROUTING,
        "leak_tool_markup",
        "The answer shows routing or citation marks.",
    ),
    (("citeturn",), _ROUTING, "leak_tool_markup", "The answer shows routing or citation marks."),
    (("assistant", "analysis", "commentary"), _CHANNELS, "leak_channel", _CHANNEL),
    ("<>◁", _REASONING, "leak_reasoning_tag", "The answer shows tags of hidden reasoning."),
    ("\n", _LONE_LABEL, "leak_channel", "The first line is the name of a hidden channel."),
)


def _named_in(asked: str, found: str) -> bool:
    """Whether what was sent itself shows this token or names its tag."""
    low, shown = asked.lower(), found.strip().lower()
    name = re.sub(r"[^\w]+", "", shown)
    return shown in low or (len(name) >= 4 and f"<{name}>" in low)  # noqa: PLR2004  `eos` is in too many words


def _scan(text: str, asked: str, pattern: re.Pattern[str], code: str, detail: str) -> Iterator[Sign]:
    spans = [m.span() for m in pattern.finditer(text) if not _named_in(asked, m.group())]
    if spans:
        yield Sign(code, True, detail, spans, {"count": len(spans)})


def find_tokens(text: str, prompt: str = "", asked: str = "") -> Iterator[Sign]:
    """Control tokens, template parts, tool markup and reasoning tags, each family one sign.

    `prompt` is the user's part of what was sent, `asked` all of it: a tag that stands there may be answered.
    """
    if about_tokens(prompt):
        return
    for signals, pattern, code, detail in _FAMILIES:
        if any(signal in text for signal in signals):
            yield from _scan(text, asked or prompt, pattern, code, detail)
    if "s>" in text:
        bare = _STRUCK.sub(lambda m: " " * len(m.group()), text)
        yield from _scan(bare, asked or prompt, _SENTENCE_MARK, "leak_control_token", _CONTROL)


def find_role_first(text: str, prompt: str = "") -> Sign | None:
    """A role label before the answer, where no script was asked for."""
    match = _ROLE_FIRST.match(text)
    if match is None or asks_for_script(prompt):
        return None
    return Sign("role_label", True, "The answer begins with the label of a role.", [match.span()])
