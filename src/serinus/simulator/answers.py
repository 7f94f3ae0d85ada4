"""What a healthy host answers: in the language asked for, with the nonce, by schema and within the cap."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from serinus.probes import languages
from serinus.probes.nonce import place
from serinus.simulator import tokens
from serinus.simulator.ask import Ask
from serinus.simulator.chance import token
from serinus.simulator.corpus import Corpus
from serinus.simulator.draft import Call, Draft, Served
from serinus.simulator.recognise import Wish
from serinus.simulator.schema_values import value_of

# A line ends a sentence too: Thai has no mark for it.
_SENTENCE: Final = re.compile(
    r"[^.!?…。！？\n]+(?:[.!?…。！？]+[\"'”’»」』）)]*)?\s*|[.!?…。！？\n]+\s*",
)
_STRUCTURED_KIND: Final = {"type": "object", "properties": {"line": {"type": "string"}}}


def sentences(text: str) -> list[str]:
    """The text in order, cut into sentences that keep their marks and the space behind them."""
    return _SENTENCE.findall(text)


def answer(ask: Ask, wish: Wish, corpus: Corpus, served: Served, chance: random.Random) -> Draft:
    """The answer before any fault, not yet cut to the request's limits."""
    if ask.tools and ask.tool_choice != "none":
        return Draft(
            served,
            text=None,
            calls=(call(ask, wish, corpus, chance),),
            finish="tool_calls",
            native="tool_calls",
        )
    if ask.schema is not None or ask.json_only:
        document = value_of(
            ask.schema or _STRUCTURED_KIND, _writer(wish, corpus, chance), wish.values, chance
        )
        return Draft(served, text=json.dumps(document, ensure_ascii=False))
    return Draft(served, text=roleplay(wish, corpus, chance))


def roleplay(wish: Wish, corpus: Corpus, chance: random.Random) -> str:
    """The passage of the scene, or any of the language, with the nonce where the character says it."""
    return spoken(wish.language, wish.nonce, corpus, chance, wish.scene)


def spoken(
    language: str, nonce: str | None, corpus: Corpus, chance: random.Random, scene: str | None = None
) -> str:
    """A passage of the language with the nonce in it, or an invented one where there is none."""
    scenes = corpus.of(language).scenes
    text = scenes.get(scene or "") or chance.choice(list(scenes.values()))
    return place(text, nonce or invented(language, chance))


def invented(language: str, chance: random.Random) -> str:
    """A nonce that nobody asked for, in the style of the language's own."""
    words = languages.language(language if language in languages.available() else "en").nonces
    return words.pattern.format(quality=chance.choice(words.qualities), thing=chance.choice(words.things))


def call(ask: Ask, wish: Wish, corpus: Corpus, chance: random.Random) -> Call:
    """A valid call of the tool that the prompt needs, else of the one chosen, else of the first."""
    functions = [tool.get("function", {}) for tool in ask.tools]
    chosen = (
        ask.tool_choice.get("function", {}).get("name") if isinstance(ask.tool_choice, dict) else wish.tool
    )
    function: Mapping[str, Any] = next((f for f in functions if f.get("name") == chosen), functions[0])
    schema = function.get("parameters") or {"type": "object"}
    arguments = value_of(schema, _writer(wish, corpus, chance), wish.values, chance)
    return Call(
        f"call_{token(ask.key, 'call', size=24)}",
        function.get("name"),
        json.dumps(arguments, ensure_ascii=False),
    )


def refused(draft: Draft, language: str, corpus: Corpus, chance: random.Random) -> Draft:
    """The answer replaced by one of the language's canned refusals."""
    text = chance.choice(list(corpus.of(language).refusals))
    return replace(draft, text=text, calls=(), reasoning="", finish="stop", native="stop")


def limited(draft: Draft, ask: Ask) -> Draft:
    """The answer cut at the request's stop strings and cap, with the finish reason of a cut."""
    text = draft.text
    if text is None:
        return draft
    for stop in ask.stop:
        text = text.partition(stop)[0]
    if ask.max_tokens is not None and tokens.count(text) > ask.max_tokens:
        cut = replace(draft, text=tokens.clip(text, ask.max_tokens), completion_tokens=ask.max_tokens)
        return replace(cut, finish="length", native="length")
    return replace(draft, text=text)


def _writer(wish: Wish, corpus: Corpus, chance: random.Random) -> Callable[[str], str]:
    def words(name: str) -> str:
        if wish.nonce is not None and name in {"nonce", "password", "code"}:
            return wish.nonce
        return chance.choice(list(corpus.of(wish.language).lines))

    return words
