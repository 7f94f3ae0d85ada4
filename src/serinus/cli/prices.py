"""A forecast of costs for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from serinus.cli.inert import inert
from serinus.cli.paper import columned
from serinus.core.durations import format_duration
from serinus.service.forecast import DAY, MONTH, Forecast, Share

MINUTE: Final = timedelta(minutes=1)
LONG: Final = 120  # minutes: from here on hours are easier to read


def lines(found: Sequence[Forecast], budget: float) -> list[RenderableType]:
    """A table a model, and the sum against the budget."""
    shown: list[RenderableType] = []
    for forecast in found:
        heading = f"\n{inert(forecast.model)}  {forecast.routes} routes, a round every "
        shown += [Text(heading + format_duration(forecast.interval), style="bold"), _table(forecast)]
        shown.append(Text(f"{forecast.tokens_per_route:.0f} tokens a route and round", style="dim"))
        if forecast.unpriced:
            tags = ", ".join(map(inert, forecast.unpriced))
            shown.append(Text(f"without a price, so not in the sum: {tags}", style="yellow"))
    return [*shown, *_sum(found, budget)]


def _table(forecast: Forecast) -> Table:
    table = columned()
    table.add_column("probe")
    for title in ("requests\na round", "tokens\na round", "USD\na round", "USD\na day", "USD\na month"):
        table.add_column(title, justify="right")
    table.add_column("read by", overflow="fold")
    for share in forecast.shares:
        table.add_row(share.kind, *_figures(forecast, share), ", ".join(share.contracts))
    total = (forecast.requests, forecast.tokens, forecast.usd)
    table.add_row(Text("all", style="bold"), *_numbers(forecast, *total), "")
    return table


def _figures(forecast: Forecast, share: Share) -> tuple[str, ...]:
    return _numbers(forecast, share.requests, share.tokens, share.usd)


def _numbers(forecast: Forecast, requests: float, tokens: float, usd: float | None) -> tuple[str, ...]:
    money = (
        ("?", "?", "?")
        if usd is None
        else (f"{usd:.5f}", f"{usd * forecast.rounds_in(DAY):.3f}", f"{usd * forecast.rounds_in(MONTH):.2f}")
    )
    return (f"{requests:.1f}", f"{tokens:,.0f}", *money)


def _sum(found: Sequence[Forecast], budget: float) -> list[RenderableType]:
    day = sum(f.usd * f.rounds_in(DAY) for f in found)
    if day <= budget:
        text = f"{day:.3f} USD a day of a budget of {budget:.2f}. Further votes after anomalies come on top."
        return [Text(""), Text(text)]
    minutes = int(DAY / MINUTE * budget / day)
    lasts = f"{minutes / 60:.1f} hours" if minutes >= LONG else f"{minutes} minutes"
    text = (
        f"{day:.3f} USD a day are more than the budget of {budget:.2f}: probing would stop each day after "
        f'about {lasts}. Raise budget.usd_per_day, lengthen rounds.interval, or take rounds.set = "lean".'
    )
    return [Text(""), Text(text, style="bold yellow")]
