"""What an answer cost and how many tokens it took: a gateway may report anything, or nothing."""

from __future__ import annotations

from math import isfinite
from typing import Final

from serinus.core.model import Offer
from serinus.core.transcript import Usage

FANTASTIC: Final = 10**9  # tokens of one answer that no host can have counted


def paid(offer: Offer, usage: Usage | None) -> float | None:
    """US dollars: as reported, else what the counted tokens are listed at; None where neither tells.

    Many gateways count tokens and leave the money to the price list. A price that is missing counts as 0.
    """
    if usage is None:
        return None
    if usage.cost is not None and isfinite(usage.cost) and usage.cost >= 0:
        return usage.cost
    if usage.prompt_tokens is None and usage.completion_tokens is None:
        return None
    prompt, completion = (_believed(n) for n in (usage.prompt_tokens, usage.completion_tokens))
    return prompt * (offer.prompt_price or 0.0) + completion * (offer.completion_price or 0.0)


def billed(usage: Usage | None) -> int:
    """Tokens that were reported for an answer, of the prompt and the answer together."""
    return 0 if usage is None else _believed(usage.total_tokens)


def _believed(tokens: int | None) -> int:
    return tokens if tokens is not None and 0 <= tokens < FANTASTIC else 0
