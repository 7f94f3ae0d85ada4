"""A tiny world for the use cases: contracts that read a script, and a gateway that plays it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import ClassVar

from serinus.core.model import Limits, Listing, Offer, Probe, Route, Turn, Verdict, Word
from serinus.core.transcript import Answer, Transcript
from serinus.judging.contract import Contract, Reason
from serinus.service.ports import ByHand
from serinus.wire.request import chat_body

MODEL = "acme/story-70b"
WORDS = {"bad": Word.FAIL, "lost": Word.TRANSPORT, "odd": Word.INCONCLUSIVE, "foreign": Word.VOID}


class Spoken(Contract):
    """Reads the spoken answer: its text is the word to give, anything else passes."""

    name: ClassVar[str] = "spoken"
    promise: ClassVar[str] = "The route speaks as asked."
    kinds: ClassVar[frozenset[str]] = frozenset({"speech"})
    by_language: ClassVar[bool] = True
    blind_fault: ClassVar[str] = "none"
    reasons: ClassVar[tuple[Reason, ...]] = ()

    def probes(self, turn: Turn) -> tuple[Probe, ...]:
        return (Probe(key=f"speech.{turn.language}.{turn.attempt}", kind="speech", language=turn.language),)

    def judge(self, transcript: Transcript) -> Verdict:
        return Verdict(WORDS.get(transcript.text, Word.PASS), transcript.text or "fine")


class Written(Spoken):
    """Asks for something written on even rounds, or when it is owed."""

    name: ClassVar[str] = "written"
    kinds: ClassVar[frozenset[str]] = frozenset({"writing"})
    by_language: ClassVar[bool] = False

    def probes(self, turn: Turn) -> tuple[Probe, ...]:
        if turn.index % 2 and self.name not in turn.owed:
            return ()
        return (Probe(key=f"writing.{turn.attempt}", kind="writing", language=turn.language),)


class Filtering(Spoken):
    """Shares the spoken probe; a control that answers is weak."""

    name: ClassVar[str] = "filtering"
    by_language: ClassVar[bool] = False

    def judge(self, transcript: Transcript) -> Verdict:
        refused = transcript.text == "bad"
        if transcript.control:
            return Verdict(Word.PASS if refused else Word.WEAK, "control")
        return Verdict(Word.FAIL if refused else Word.PASS, "refused" if refused else "fine")


Script = Callable[[str, Probe], str]


@dataclass
class Played:
    """A gateway that answers what its script says and remembers what it was asked."""

    script: Script
    name: str = "played"
    asked: list[tuple[str, Probe, str]] = field(default_factory=list)

    async def discover(self, model: str) -> Listing:
        return Listing(model)

    async def ask(self, offer: Offer, probe: Probe, *, session: str, limits: Limits) -> Transcript:
        del limits
        self.asked.append((offer.route.tag, probe, session))
        text = self.script(offer.route.tag, probe)
        return Transcript(probe, Answer(text=text, finish_reason="stop"), route=offer.route, status=200)

    def by_hand(self, offer: Offer, probe: Probe) -> ByHand:
        tag = offer.route.tag
        body = chat_body(offer.route.model, probe) | {
            "provider": {"only": [tag], "order": [tag], "allow_fallbacks": False}
        }
        return ByHand("https://gateway.example/v1/chat/completions", body, key="OPENROUTER_API_KEY")


class Unpaced:
    """No waiting at all."""

    @asynccontextmanager
    async def slot(self, provider: str) -> AsyncIterator[None]:
        del provider
        yield


def offers(*tags: str) -> tuple[Offer, ...]:
    return tuple(Offer(Route(MODEL, tag), tag.split("/", maxsplit=1)[0], tag.title()) for tag in tags)


def listing(*tags: str) -> Listing:
    return Listing(MODEL, offers(*tags))
