"""A forecast of costs, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from serinus.service.forecast import DAY, MONTH, Forecast


def document(found: Sequence[Forecast], budget: float) -> dict[str, Any]:
    """What these models cost, against the budget, as one JSON object."""
    return {
        "budget_usd_per_day": budget,
        "usd_per_day": round(sum(f.usd * f.rounds_in(DAY) for f in found), 6),
        "models": [_model(f) for f in found],
    }


def _model(forecast: Forecast) -> dict[str, Any]:
    return {
        "model": forecast.model,
        "routes": forecast.routes,
        "unpriced": list(forecast.unpriced),
        "interval": forecast.interval.total_seconds(),
        "tokens_per_route": round(forecast.tokens_per_route, 1),
        "usd_per_round": round(forecast.usd, 6),
        "usd_per_day": round(forecast.usd * forecast.rounds_in(DAY), 6),
        "usd_per_month": round(forecast.usd * forecast.rounds_in(MONTH), 6),
        "probes": {
            s.kind: {
                "requests": round(s.requests, 3),
                "prompt_tokens": round(s.prompt_tokens, 1),
                "answer_tokens": round(s.answer_tokens, 1),
                "capped_tokens": round(s.capped_tokens, 1),
                "usd": None if s.usd is None else round(s.usd, 6),
                "contracts": list(s.contracts),
            }
            for s in forecast.shares
        },
    }
