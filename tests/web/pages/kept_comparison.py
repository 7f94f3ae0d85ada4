"""A comparison that was held, with a fault that follows one route."""

from __future__ import annotations

from serinus.core.comparison.counts import Count, RouteCounts
from serinus.core.model import Word
from serinus.service.comparing.documents import document
from serinus.service.comparing.result import Asked, Comparison, Sample
from serinus.service.comparisons import ComparisonRow, ComparisonState

NAME = "language-story-70b-1"


def keep(store, model, at, tags, *, text="bad", name=NAME, state=ComparisonState.DONE):
    """The first of these routes failed 19 of 20 times, no other one did."""
    asked = Asked(
        name=name, seed=f"{text}", model=model, contract="language", promise="It is in the language.",
        by="anna", at=at, answers=20, peer_answers=20, suspects=tags[:1], languages=("en",),
        wanted=20 * len(tags), left_out={tags[-1]: text},
    )  # fmt: skip
    routes = tuple(
        RouteCounts(
            tag, tag.partition("/")[0], "fp8" if n % 2 else "bf16", own=n == 1, suspect=n == 0,
            by_prompt={f"p{m}": Count(int(n == 0 and m < 19), 1) for m in range(20)},
            apart={Word.TRANSPORT: 1},
        )
        for n, tag in enumerate(tags)
    )  # fmt: skip
    samples = tuple(
        Sample(tag, f"p.{text}", word, "language_mixed", at, text, "en", text, text, 0.3, text=text)
        for tag, word in zip(tags, ("fail", "pass"), strict=False)
    )
    found = Comparison(asked, state, routes, 20 * len(tags), 0.12, 900, at, None, samples)
    row = ComparisonRow(name, at, "anna", model, state, 0.12, at, document(found))
    assert store.comparisons.begin(row)
    return row
