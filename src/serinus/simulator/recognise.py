"""What a request wants: its language, its nonce, and the values its prompt asks for.

Our own probes are recognised by their texts; any other request by its looks, and without a nonce.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from serinus.probes.languages import Language, available, language
from serinus.simulator.ask import Ask
from serinus.simulator.corpus import Corpus


@dataclass(frozen=True, slots=True)
class Wish:
    """`values` are what the prompt asks for by property name; `tool` is the tool it needs.

    `scene` is the key of the role-play scene; `outside` says that the prompt asks for a value that
    the schema forbids.
    """

    language: str
    nonce: str | None = None
    scene: str | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    tool: str | None = None
    outside: bool = False


@dataclass(frozen=True, slots=True)
class _Template:
    language: str
    system: re.Pattern[str]
    values: Mapping[str, Any] = field(default_factory=dict)
    scene: str | None = None
    tool: str | None = None
    outside: bool = False


def wish_of(ask: Ask, corpus: Corpus) -> Wish:
    """What the request wants."""
    system = "\n".join(t.text for t in ask.turns if t.role == "system")
    template, captured = _template(ask.prompt)
    if template is None:
        return Wish(corpus.guess(ask.prompt or system))
    found = template.system.match(system)
    nonce = found["nonce"] if found else None
    values = dict(template.values)
    if "guests" in captured:
        values["guests"] = int(captured["guests"])
    if nonce is not None:
        values["password"] = nonce
    return Wish(template.language, nonce, template.scene, values, template.tool, template.outside)


def _template(prompt: str) -> tuple[_Template | None, Mapping[str, str]]:
    exact = _exact().get(prompt)
    if exact is not None:
        return exact, {}
    for pattern, template in _patterns():
        found = pattern.fullmatch(prompt)
        if found:
            return template, found.groupdict()
    return None, {}


@cache
def _exact() -> Mapping[str, _Template]:
    found: dict[str, _Template] = {}
    for spoken in _languages():
        for scene in spoken.scenes:
            system = _system(f"{scene.system}\n{spoken.rules}")
            found[scene.user] = _Template(spoken.code, system, scene=scene.key)
        system = _system(spoken.tool_call.system)
        for gate, wish in spoken.tool_call.gates.items():
            found[wish] = _Template(spoken.code, system, {"gate": gate}, tool="open_gate")
    return found


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], _Template], ...]:
    found = []
    for spoken in _languages():
        texts, system = spoken.structured, _system(spoken.structured.system)
        moods = [(sentence, {"mood": mood}, False) for mood, sentence in texts.moods.items()]
        for sentence, values, outside in [*moods, (texts.outside, {}, True)]:
            user = texts.user.replace("{mood}", sentence)
            pattern = re.compile(re.escape(user).replace(re.escape("{guests}"), r"(?P<guests>\d+)"))
            found.append((pattern, _Template(spoken.code, system, values, outside=outside)))
    return tuple(found)


def _languages() -> Iterator[Language]:
    for code in available():
        yield language(code)


def _system(template: str) -> re.Pattern[str]:
    """Matches a system text from its start, with the phrase that stands for its first `{nonce}`."""
    head, _, rest = template.partition("{nonce}")
    following = rest.partition("{nonce}")[0]
    return re.compile(re.escape(head) + r"(?P<nonce>.+?)" + re.escape(following), re.DOTALL)
