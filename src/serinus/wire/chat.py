"""The lenient reading of an OpenAI-compatible chat answer: parsed once, nothing defaulted."""

from __future__ import annotations

from collections.abc import Sequence

from serinus.core.transcript import Answer, Event


def answer_of_events(events: Sequence[Event]) -> Answer:
    """The answer that a stream's events add up to; never raises, whatever they hold."""
    raise NotImplementedError


def answer_of_body(status: int, body: str, content_type: str | None = None) -> Answer:
    """The answer, or the failure, that a plain body holds; never raises, whatever it holds."""
    raise NotImplementedError
