"""`serinus operator token`: tokens for programs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from serinus.cli.acting import tell
from serinus.cli.arguments import Duration
from serinus.cli.operator_list import ScopeName, kept, scopes_of

if TYPE_CHECKING:
    from serinus.service.access.keeping import Keeper

app = App(
    name="token",
    help="Give an operator a token for a program, or revoke it.",
    default_parameter=Parameter(negative=()),
)


@app.command
def add(  # noqa: PLR0913  each is an option of the command
    name: str,
    label: str,
    *,
    scope: tuple[ScopeName, ...] = ("read",),
    for_: Annotated[Duration | None, Parameter(name="--for")] = None,
    by: str | None = None,
    config: Path | None = None,
) -> int:
    """Print a new token, once: only its digest is kept.

    Parameters
    ----------
    name
        The operator whose token it is, and in whose name it acts.
    label
        What it is for, such as chat-server.
    scope
        What it allows, at most what the operator may do; read when none is named.
    for_
        How long it holds (90d); without an end when absent.
    by
        Who makes it; SERINUS_BY or the login name when absent.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    """

    def work(keeper: Keeper) -> int:
        until = None if for_ is None else keeper.at + for_
        secret, made = keeper.issue(name, label, scopes_of(scope), until)
        tell(f"{made.label} of {name} may {', '.join(sorted(made.scopes))}. It is shown now and never again:")
        sys.stdout.write(f"{secret}\n")
        return 0

    return kept(work, by, config)


@app.command
def revoke(name: str, label: str, *, by: str | None = None, config: Path | None = None) -> int:
    """End an operator's token.

    Parameters
    ----------
    name
        The operator.
    label
        The token's label.
    by
        Who revokes it; SERINUS_BY or the login name when absent.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    """

    def work(keeper: Keeper) -> int:
        keeper.revoke(name, label)
        tell(f"{label} of {name} lets nobody in any more.")
        return 0

    return kept(work, by, config)
