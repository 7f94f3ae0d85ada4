"""`serinus mode`: observe or enforce (R17)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from serinus.cli.acting import REFUSED, agreed, signed, tell

if TYPE_CHECKING:
    from serinus.service.desk import Desk


def mode(  # noqa: PLR0913  each is an option of the command
    mode: Literal["observe", "enforce"],
    *,
    why: str,
    by: str | None = None,
    model: str | None = None,
    contract: str | None = None,
    yes: bool = False,
    config: Path | None = None,
    json_: bool = False,
) -> int:
    """Set whether suspensions reach routing, for a model and a contract or for all.

    Before enforcing it prints what observe mode saw and how often each contract failed on otherwise
    clean routes, and asks if it was observed for less than 7 days. It replaces every earlier setting
    inside its scope, and survives restarts until the configuration itself changes there. Suspensions
    never cross: what was only observed is not enforced by this. The exit status is 1 if nothing was
    changed.

    Parameters
    ----------
    mode
        observe: all is recorded and told, nothing reaches routing. enforce: it does.
    why
        The reason, for whoever looks at it next.
    by
        Who acts; SERINUS_BY or the login name when absent.
    model
        For this model only; for all when absent.
    contract
        For this contract only; for all when absent.
    yes
        Go on without asking.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    json_
        Print one JSON object instead of what followed.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  `serinus --help` stays light

    wanted = _Wanted(mode, model, contract, by, why, yes, config, json_)
    return told(lambda: _mode(wanted))


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The command's arguments."""

    mode: str
    model: str | None
    contract: str | None
    by: str | None
    why: str
    yes: bool
    config: Path | None
    json: bool


def _mode(wanted: _Wanted) -> int:
    from serinus.cli.desk import open_desk  # noqa: PLC0415  as above
    from serinus.cli.doings import report  # noqa: PLC0415  as above
    from serinus.core.policy import Mode, SetMode  # noqa: PLC0415  as above
    from serinus.engine.clock import now  # noqa: PLC0415  as above
    from serinus.service.operators import act  # noqa: PLC0415  as above

    _proved(wanted.contract)
    by = signed(wanted.by, wanted.why)
    with open_desk(wanted.config, acting=True) as desk:
        models = desk.models([wanted.model] if wanted.model else ())
        if wanted.mode == Mode.ENFORCE and not _seen_enough(desk, wanted, models):
            return REFUSED
        event = SetMode(now(), Mode(wanted.mode), wanted.model, wanted.contract, by, wanted.why)
        report(desk, act(desk.memory, desk.policy, event), models, as_json=wanted.json)
    return 0


def _proved(contract: str | None) -> None:
    """See that there is such a contract.

    Raises:
        LookupError: there is none.
    """
    from serinus.contracts import by_name  # noqa: PLC0415  as above

    if contract is not None:
        by_name(contract)


def _seen_enough(desk: Desk, wanted: _Wanted, models: list[str]) -> bool:
    """Show what observe mode saw; whether that is enough, or somebody wants it all the same."""
    from serinus.cli.observations import summary  # noqa: PLC0415  as above

    found = desk.prospects(models, wanted.contract)
    short = [said for p in found if (said := p.shortage)]
    for line in (*(line for p in found for line in summary(p.report, p.changed)), *short):
        tell(line)
    return not short or agreed("Enforce all the same?", yes=wanted.yes)
