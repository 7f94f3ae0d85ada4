"""`serinus explain`: why a route is in or out, since when, until when, and what would change that."""

from __future__ import annotations

from pathlib import Path


def explain(route: str, *, model: str | None = None, config: Path | None = None, json_: bool = False) -> int:
    """Say why a route is in production or out of it, what would change that, and on which evidence.

    It only reads, and works beside a running canary. The exit status is 0, or 2 if the name covers no
    known route or nothing can be told.

    Parameters
    ----------
    route
        The gateway's tag of the route, or a provider's name for all its routes.
    model
        The model; all that have such a route when none is named.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    json_
        Print one JSON object a route instead.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  `serinus --help` stays light

    return told(lambda: _explain(route, model, config, as_json=json_))


def _explain(route: str, model: str | None, config: Path | None, *, as_json: bool) -> int:
    from serinus.cli.desk import open_desk  # noqa: PLC0415  as above
    from serinus.cli.explanation import parts  # noqa: PLC0415  as above
    from serinus.cli.paper import console  # noqa: PLC0415  as above
    from serinus.cli.records import put  # noqa: PLC0415  as above
    from serinus.cli.tables import show  # noqa: PLC0415  as above
    from serinus.service.explaining import explained  # noqa: PLC0415  as above
    from serinus.service.names import proved  # noqa: PLC0415  as above
    from serinus.service.records.explanation import document  # noqa: PLC0415  as above

    with open_desk(config) as desk:
        sight = desk.sight()
        covered = proved(route, desk.names(desk.models([model] if model else ())))
        for name, tags in covered.items():
            standing = sight.model(name)
            for each in (r for r in standing.routes if r.tag in tags):
                found = explained(sight, standing, each)
                if as_json:
                    put(document(found))
                else:
                    show(console(), parts(found))
    return 0
