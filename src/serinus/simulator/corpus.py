"""Texts that hosts answer with: role-play passages and refusals, by language."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

from serinus.simulator.passages import NEIGHBOURS, Repertoire, languages, repertoire


@dataclass(frozen=True)
class Corpus:
    """What hosts can say, by language code.

    The language of a text is guessed by its character trigrams among those of the passages, so that
    a new language needs nothing but its passages.
    """

    repertoires: Mapping[str, Repertoire]
    _profiles: dict[str, _Profile] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for language, known in self.repertoires.items():
            self._profiles[language] = _Profile.of((*known.scenes.values(), *known.lines))

    def of(self, language: str) -> Repertoire:
        """What hosts can say in the language, or in English where it has no texts."""
        return self.repertoires.get(language) or self.repertoires["en"]

    def drift(self, language: str) -> str:
        """The language that a damaged host of this one slips into."""
        other = NEIGHBOURS.get(language, "en")
        if other in self.repertoires and other != language:
            return other
        return "en" if language != "en" else next(code for code in self.repertoires if code != "en")

    def guess(self, text: str, default: str = "en") -> str:
        """The language whose passages look most like the text; `default` for a text without letters."""
        grams = _grams(text)
        if not grams:
            return default
        return max(self._profiles, key=lambda language: self._profiles[language].score(grams))


@dataclass(frozen=True)
class _Profile:
    logs: Mapping[str, float]
    floor: float

    @classmethod
    def of(cls, texts: Sequence[str]) -> _Profile:
        counts: Counter[str] = Counter()
        for text in texts:
            counts.update(_grams(text))
        total = sum(counts.values()) + len(counts)
        logs = {gram: math.log((n + 1) / total) for gram, n in counts.items()}
        # One floor for all: a language with fewer passages must not win by a softer penalty.
        return cls(logs, math.log(1e-6))

    def score(self, grams: Mapping[str, int]) -> float:
        return sum(n * self.logs.get(gram, self.floor) for gram, n in grams.items())


@lru_cache(maxsize=1024)
def _grams(text: str) -> Counter[str]:
    letters = "".join(c.lower() if c.isalpha() or "\u0e30" <= c <= "\u0e4e" else " " for c in text[:2000])
    spaced = " ".join(letters.split())
    padded = f" {spaced} "
    return (
        Counter(padded[i : i + n] for n in (1, 2, 3) for i in range(len(padded) - n + 1))
        if spaced
        else Counter()
    )


@cache
def corpus() -> Corpus:
    """The texts that come with the simulator."""
    return Corpus({language: repertoire(language) for language in languages()})
