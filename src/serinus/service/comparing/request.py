"""What an operator asks of a comparison, and what it needs of the world to answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from serinus.core.model import Limits
from serinus.probes.languages import LANGUAGES
from serinus.service.comparing.prompts import FilePrompts
from serinus.service.ports import Clock, Gateway, Pace
from serinus.service.rounds import Judges
from serinus.service.storage import Store

ANSWERS = 20


class ComparisonError(ValueError):
    """The comparison cannot be held as it was asked for; the message says what is allowed."""


@dataclass(frozen=True, slots=True)
class ComparisonRequest:
    """What is asked.

    `routes` are the suspects, tags or providers; with none every route is one. `answers` are asked of
    each suspect and `peer_answers` of each other route (None: as many). `languages` replace the model's
    own. `name` and `seed` are made up where they are None; the same seed asks the same prompts in the
    same order. `leave` is what may be spent, in US dollars, instead of what the day's budget has left;
    `yes` lets it go above both.
    """

    model: str
    contract: str
    by: str
    routes: tuple[str, ...] = ()
    answers: int = ANSWERS
    peer_answers: int | None = None
    languages: tuple[str, ...] = ()
    prompts: FilePrompts | None = None
    name: str | None = None
    seed: str | None = None
    leave: float | None = None
    yes: bool = False


async def at_once() -> None:
    """Nothing has to get ready."""


@dataclass(frozen=True, slots=True)
class Hands:
    """What a comparison works with: a gateway to ask, judges, a store, a clock.

    `limits`, `languages` and `controls` are those of the request's model; `budget` is in US dollars a UTC
    day. `ready` is awaited before the first request: judges that start while answers arrive would spoil
    their clocks.
    """

    gateway: Gateway
    pace: Pace
    judges: Judges
    store: Store
    clock: Clock
    budget: float = float("inf")
    limits: Limits = field(default_factory=Limits)
    languages: tuple[str, ...] = tuple(LANGUAGES)
    controls: frozenset[str] = frozenset()
    ready: Callable[[], Awaitable[None]] = at_once
