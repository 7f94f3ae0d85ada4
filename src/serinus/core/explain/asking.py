"""What asking now costs and what becomes of it, before it is paid for (R34)."""

from __future__ import annotations

from collections.abc import Collection

from serinus.core.explain.phrases import counted, listed


def of_price(requests: int, tokens: int, usd: float, most: float) -> str:
    """What requests take by the listing's prices: what is expected, and what it is at most."""
    said = f"{requests:,} {'request' if requests == 1 else 'requests'}, about {tokens:,} tokens"
    if not most:
        return f"{said}; it costs nothing by the last listing."
    return f"{said}: about {of_usd(usd)}, at most {of_usd(most)} if every answer runs to its limit."


def of_usd(amount: float) -> str:
    """US dollars as exact as they are worth: `1.20 USD`, `0.0034 USD`, `0.00003 USD`."""
    digits = 2 if amount >= 1 or not amount else 4 if amount >= 0.001 else 6  # noqa: PLR2004  two figures at least
    return f"{amount:.{digits}f} USD"


def of_day(spent: float, budget: float) -> str:
    """What the day has cost, and may."""
    return f"{of_usd(max(0.0, budget - spent))} of today's {of_usd(budget)} are left."


def of_unpriced(tags: Collection[str]) -> str:
    """That the sum lacks routes."""
    return f"Without a price, so in no sum: {listed(tags)}."


def of_unfed() -> str:
    """What becomes of a probe by hand."""
    return (
        "What it finds is shown here and feeds nothing: no streak grows or breaks by it, no route is "
        "suspended or restored, and no report counts it. Only what it costs is noted."
    )


def of_dear_probe(usd: float, spent: float, budget: float) -> str:
    """That a probe by hand costs more than the day has left."""
    return (
        f"It would cost about {of_usd(usd)}, and of today's budget of {of_usd(budget)} only "
        f"{of_usd(max(0.0, budget - spent))} are left. Nothing was asked."
    )


def of_power(share: str | None) -> str:
    """What so many answers can show; `share` is in percent."""
    if share is None:
        return "Too few answers: not even a fault in every answer would stand out."
    return f"A fault in {share} of the answers or more stands out four times in five."


def of_unscored_traffic() -> str:
    """What figures of user traffic are worth."""
    return (
        "This is user traffic as `serinus proxy` saw it, and never scored: its prompts and many of its "
        "errors are its callers' own. A figure here is a reason to look; verdicts rest on probes alone."
    )


def of_no_traffic(hours: int) -> str:
    """That the ledger holds nothing."""
    return (
        f"The route ledger holds no request of the last {counted(hours, 'hour')}: requests that go through "
        "`serinus proxy` are noted there, without a word of what they say."
    )
