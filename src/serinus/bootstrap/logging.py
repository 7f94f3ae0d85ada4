"""Logs: events with named facts, for a person at a terminal or as one JSON object a line.

What an event is about stands in fields of their own, the same everywhere: `round`, `model`, `route`,
`contract`. No secret is ever among them; should one get into a text nevertheless, it is not written.
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from typing import Any, Final, TextIO

import structlog
from structlog.typing import FilteringBoundLogger, Processor

from serinus.config.problems import KEY_LIKE

# Names under which only a secret would stand.
SECRET: Final = re.compile(r"authorization|api_?key|token|secret|password|cookie", re.IGNORECASE)
TOKENS: Final = frozenset({"prompt_tokens", "completion_tokens", "tokens", "prompt_token_shifts"})
HIDDEN: Final = "(not shown)"


def logger(stream: TextIO, *, person: bool | None = None) -> FilteringBoundLogger:
    """A logger that writes to a stream: readable lines where a person looks, else JSON.

    Without `person` whoever has a terminal is one.
    """
    for_person = stream.isatty() if person is None else person
    shown: list[Processor] = (
        [structlog.dev.ConsoleRenderer(colors=stream.isatty())]
        if for_person
        else [structlog.processors.JSONRenderer(sort_keys=True, ensure_ascii=False)]
    )
    made: FilteringBoundLogger = structlog.wrap_logger(
        structlog.WriteLogger(stream),
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.add_log_level,
            without_secrets,
            *shown,
        ],
    )
    return made


def without_secrets(_logger: Any, _name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """The event with nothing in it that is a key, or is named as one."""
    return {name: _clean(name, value) for name, value in event.items()}


def _clean(name: str, value: Any) -> Any:
    if isinstance(value, dict):
        return {str(inner): _clean(str(inner), v) for inner, v in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(name, v) for v in value]
    if name not in TOKENS and SECRET.search(name) and isinstance(value, str):
        return HIDDEN
    return KEY_LIKE.sub(HIDDEN, value) if isinstance(value, str) else value
