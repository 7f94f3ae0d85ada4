"""What a comparison counts: failures among the answers that count, by route and by prompt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from serinus.core.model import Word

UNKNOWN = "unknown"  # a listing's way of saying that it does not know a route's precision


@dataclass(frozen=True, slots=True)
class Count:
    """So many of so many answers that count failed."""

    failed: int = 0
    counted: int = 0

    @property
    def share(self) -> float:
        """The failures' share; 0 where nothing counted."""
        return self.failed / self.counted if self.counted else 0.0

    def __add__(self, other: Count) -> Count:
        return Count(self.failed + other.failed, self.counted + other.counted)


@dataclass(frozen=True, slots=True)
class RouteCounts:
    """One route's answers in a comparison.

    `by_prompt` counts by the prompt's key: answers to one prompt are not independent of each other.
    `apart` are the answers that do not count, by their word. `suspect` is a route that the comparison
    is about; `own` says that the model's author runs it.
    """

    tag: str
    provider: str
    precision: str | None = None
    own: bool = False
    suspect: bool = False
    by_prompt: Mapping[str, Count] = field(default_factory=dict)
    apart: Mapping[Word, int] = field(default_factory=dict)

    @property
    def total(self) -> Count:
        """All its answers that count."""
        return total(self.by_prompt.values())

    @property
    def known_precision(self) -> str | None:
        """Its precision class; None where the listing does not know it."""
        return None if self.precision in {None, "", UNKNOWN} else self.precision

    @property
    def repeats(self) -> bool:
        """Whether some prompt was answered more than once."""
        return any(count.counted > 1 for count in self.by_prompt.values())


def total(counts: Iterable[Count]) -> Count:
    """The sum of several counts."""
    return sum(counts, Count())


def of_routes(routes: Iterable[RouteCounts]) -> Count:
    """All answers of several routes."""
    return total(r.total for r in routes)


def authors_own(model: str, provider: str) -> bool:
    """Whether a provider is the author of the model: its slug is the author part of the model's name.

    `deepseek/deepseek-v3` on `deepseek`, `x-ai/grok-4` on `xai`: hyphens and capitals do not matter. An
    author whose hosting goes by another name (`mistralai/…` on `mistral`) is not recognised.
    """
    author = model.partition("/")[0] if "/" in model else ""
    return bool(author) and _plain(author) == _plain(provider)


def _plain(name: str) -> str:
    return name.lower().lstrip("~").replace("-", "").replace("_", "")
