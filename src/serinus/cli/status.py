"""`serinus status`: where every route stands, at one look."""

from __future__ import annotations

from pathlib import Path

FINE, ATTENTION, UNKNOWN = 0, 1, 2


def status(*models: str, config: Path | None = None, json_: bool = False) -> int:
    """Show where every route stands: findings, streaks, suspensions, capacity, money, the next round.

    It only reads, and works beside a running canary. The exit status is 0 if all is well, 1 if
    something needs a look (a route suspended, capacity below the floor, no round for two intervals, a
    listing that could not be believed, the day's budget reached), and 2 if nothing can be told: no
    store, a wrong configuration, a model of which no round was held. What observe mode would do
    changes no exit status.

    Parameters
    ----------
    models
        The models to show; all when none is named.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    json_
        Print one JSON object instead of tables.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  `serinus --help` stays light

    return told(lambda: _status(models, config, as_json=json_))


def _status(models: tuple[str, ...], config: Path | None, *, as_json: bool) -> int:
    from serinus.cli.desk import open_desk  # noqa: PLC0415  as above
    from serinus.cli.paper import console  # noqa: PLC0415  as above
    from serinus.cli.records import put  # noqa: PLC0415  as above
    from serinus.cli.standing import parts  # noqa: PLC0415  as above
    from serinus.cli.tables import show  # noqa: PLC0415  as above
    from serinus.service.records.standing import document  # noqa: PLC0415  as above
    from serinus.service.standing import troubles  # noqa: PLC0415  as above

    with open_desk(config) as desk:
        standing = desk.standing(models)
    needed = troubles(standing)
    if as_json:
        put(document(standing, needed))
    else:
        show(console(), parts(standing, needed))
    if any(model.last is None for model in standing.models):
        return UNKNOWN
    return ATTENTION if needed else FINE
