"""`serinus lift`: end a suspension by hand (R24, `formats.md` §2 rule 10)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from serinus.cli.acting import signed
from serinus.cli.arguments import Duration

if TYPE_CHECKING:
    from serinus.service.desk import Desk


def lift(  # noqa: PLR0913  each is an option of the command
    route: str,
    *,
    why: str,
    by: str | None = None,
    model: str | None = None,
    grace: Duration = timedelta(0),
    forget: bool = False,
    config: Path | None = None,
    json_: bool = False,
) -> int:
    """End a route's suspension in both lanes, and clear what is held against it.

    The lift wins over a round in flight. Where nothing is suspended, it warns and clears all the same.

    Parameters
    ----------
    route
        The gateway's tag of the route.
    why
        The reason, for whoever looks at it next.
    by
        Who acts; SERINUS_BY or the login name when absent.
    model
        The model; needed only where several have such a route suspended.
    grace
        How long the route is not suspended again, whatever fails (6h, 1d).
    forget
        Let the suspension it ends leave no step on the ladder: it was a false alarm.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    json_
        Print one JSON object instead.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  `serinus --help` stays light

    wanted = _Wanted(route, model, by, why, grace, forget, config, json_)
    return told(lambda: _lift(wanted))


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The command's arguments."""

    route: str
    model: str | None
    by: str | None
    why: str
    grace: timedelta
    forget: bool
    config: Path | None
    json: bool


def _lift(wanted: _Wanted) -> int:
    from serinus.cli.desk import open_desk  # noqa: PLC0415  as above
    from serinus.cli.doings import report  # noqa: PLC0415  as above
    from serinus.core.policy import Lift  # noqa: PLC0415  as above
    from serinus.service.operators import act  # noqa: PLC0415  as above

    by = signed(wanted.by, wanted.why)
    with open_desk(wanted.config, acting=True) as desk:
        model = _model(desk, wanted)
        event = Lift(desk.at, model, wanted.route, by, wanted.why, wanted.grace, wanted.forget)
        report(desk, act(desk.memory, desk.policy, event), [model], as_json=wanted.json)
    return 0


def _model(desk: Desk, wanted: _Wanted) -> str:
    """The model whose route is meant: where it is suspended, else where it is known.

    Raises:
        LookupError: it is known nowhere, or in several models alike.
    """
    from serinus.service.names import proved  # noqa: PLC0415  as above

    models = desk.models([wanted.model] if wanted.model else ())
    covered = proved(wanted.route, desk.names(models))
    known = [name for name, tags in covered.items() if wanted.route in tags]
    if not known:
        tags = ", ".join(sorted({tag for found in covered.values() for tag in found}))
        message = f"{wanted.route!r} is a provider; a lift is of one route: {tags}. Nothing was changed."
        raise LookupError(message)
    suspended = [
        name for name in known if any(t == wanted.route for t, _, _ in desk.state.model(name).suspensions())
    ]
    meant = suspended or known
    if len(meant) > 1:
        message = (
            f"{wanted.route!r} is a route of {', '.join(meant)}: say which with --model. Nothing was changed."
        )
        raise LookupError(message)
    return meant[0]
