"""What a fault is: one small function with a name, a stage and its own parameters."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from serinus.simulator.ask import Ask
from serinus.simulator.corpus import Corpus
from serinus.simulator.framing import Framer
from serinus.simulator.recognise import Wish
from serinus.simulator.scenario import Host, Model

KINDS: Final = ("roleplay", "structured", "tool_call")


class Stage(StrEnum):
    """Where a fault takes hold, in the order of an answer's making."""

    REQUEST = "request"  # what the host gets to see of the request
    STATUS = "status"  # an error instead of an answer
    CONTENT = "content"  # what the host writes, before cap and stop strings cut it
    ANSWER = "answer"  # who served, how it ended, what was billed
    STREAM = "stream"  # when and how it goes over the wire
    LISTING = "listing"  # what discovery shows
    HOST = "host"  # what the host is called


@dataclass(frozen=True, slots=True)
class Case:
    """All that a fault may look at: the request, the host that got it, its peers, and dice of its own.

    `wish` is what the request wanted as it came, whatever the host got to see of it. `others` are the
    nonces of other requests, the latest last.
    """

    host: Host
    peers: tuple[Host, ...]
    chance: random.Random
    ask: Ask
    wish: Wish
    corpus: Corpus
    framer: Framer
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ListingCase:
    """What a fault of discovery may look at: the host it stands at, None for one of the whole gateway."""

    host: Host | None
    model: Model
    chance: random.Random


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a fault: its annotation and default."""

    annotation: Any
    default: Any


@dataclass(frozen=True, slots=True)
class Fault:
    """A named way to go wrong. Calling it applies it.

    A `harmless` one is odd and legal: no contract may hold it against a host.
    """

    name: str
    stage: Stage
    run: Callable[..., Any]
    kinds: frozenset[str]
    bodies: bool
    harmless: bool = False
    parameters: Mapping[str, Parameter] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """Its docstring: one line that says what is seen."""
        return inspect.getdoc(self.run) or ""

    def __call__(self, *args: Any, **parameters: Any) -> Any:
        """Apply it to what its stage works on."""
        return self.run(*args, **parameters)


def at(
    stage: Stage, *, kinds: tuple[str, ...] = KINDS, bodies: bool = True, harmless: bool = False
) -> Callable[[Callable[..., Any]], Fault]:
    """Make a fault of a function: its name, its docstring, and its keyword parameters.

    `kinds` are the kinds of request it can strike; `bodies` False keeps it to streams;
    `harmless` says that it is no fault of a host.
    """

    def made(run: Callable[..., Any]) -> Fault:
        hints = inspect.get_annotations(run, eval_str=True)
        parameters = {
            name: Parameter(hints[name], p.default)
            for name, p in inspect.signature(run).parameters.items()
            if p.kind is inspect.Parameter.KEYWORD_ONLY
        }
        return Fault(run.__name__, stage, run, frozenset(kinds), bodies, harmless, parameters)

    return made
