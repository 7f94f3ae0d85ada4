"""`serinus traffic`: what user traffic met, beside what the canary knows."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from serinus.cli.arguments import Every

if TYPE_CHECKING:
    from rich.table import Table

    from serinus.service.standing import RouteStanding
    from serinus.service.traffic import Figures

A_DAY = timedelta(days=1)


def traffic(*models: str, since: Every = A_DAY, config: Path | None = None, json_: bool = False) -> int:
    """Show what user traffic met, as `serinus proxy` recorded it, beside what the canary knows.

    It only reads. These figures are shown and never scored: prompts are users' own, and so are many
    errors. The exit status is 0 whatever they say.

    Parameters
    ----------
    models
        The models to show; all when none is named.
    since
        How far back (1h, 7d), at most the 14 days that are kept; a day when absent.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    json_
        Print one JSON object a model instead.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  `serinus --help` stays light

    return told(lambda: _traffic(models, since, config, as_json=json_))


def _traffic(models: tuple[str, ...], since: timedelta, config: Path | None, *, as_json: bool) -> int:
    from serinus.cli.desk import open_desk  # noqa: PLC0415  as above
    from serinus.cli.inert import inert  # noqa: PLC0415  as above
    from serinus.cli.paper import console  # noqa: PLC0415  as above
    from serinus.cli.records import put  # noqa: PLC0415  as above
    from serinus.core.explain import lasting  # noqa: PLC0415  as above
    from serinus.core.explain.phrases import some  # noqa: PLC0415  as above
    from serinus.service.ledger import KEPT  # noqa: PLC0415  as above
    from serinus.service.traffic import document, traffic  # noqa: PLC0415  as above

    since = min(since, KEPT)
    with open_desk(config) as desk:
        found = {model: traffic(desk, model, since) for model in desk.models(models)}
    if as_json:
        for model, figures in found.items():
            put(
                {
                    "model": model,
                    "hours": since / timedelta(hours=1),
                    "served": [document(f) for f in figures],
                }
            )
        return 0
    paper = console()
    for model, figures in found.items():
        if not figures:
            continue
        paper.print(f"{model}, the last {lasting(since)}", style="bold")
        paper.print(_table(figures))
        paper.print("p50 and p95 are of the time to the first token.", style="dim")
        paper.print()
    without = [inert(model) for model, figures in found.items() if not figures]
    if without:
        said = f"Nothing was recorded of {some(without)} in the last {lasting(since)}"
        paper.print(f"{said}: only requests through `serinus proxy` are.")
    return 0


def _table(figures: list[Figures]) -> Table:
    from rich.text import Text  # noqa: PLC0415  as above

    from serinus.cli.inert import inert  # noqa: PLC0415  as above
    from serinus.cli.paper import columned  # noqa: PLC0415  as above

    table = columned()
    table.add_column("served by", overflow="fold")
    for name in ("requests", "errors", "cut off", "p50", "p95"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("what the canary knows of it", overflow="fold")
    for one in figures:
        table.add_row(
            Text(inert(one.tag or one.provider or "nobody named")),
            str(one.requests),
            f"{one.errors:.1%}",
            f"{one.cut:.1%}",
            _seconds(one.first_token_p50),
            _seconds(one.first_token_p95),
            Text("\n".join(_known(route) for route in one.routes) or "-"),
        )
    return table


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f} s"


def _known(route: RouteStanding) -> str:
    """`harbor/int8 suspended, fails language`; what people excluded is called so and not suspended."""
    from serinus.cli.inert import inert  # noqa: PLC0415  as above
    from serinus.core.policy import Lane  # noqa: PLC0415  as above
    from serinus.service.traffic import failing  # noqa: PLC0415  as above

    stands = "in production" if route.live else "not listed"
    if route.out:
        stands = "excluded" if route.exclusions else "suspended"
    elif route.suspended(Lane.SHADOW):
        stands = "would be suspended"
    wrong = failing(route)
    return f"{inert(route.tag)} {stands}" + (f", fails {', '.join(wrong)}" if wrong else "")
