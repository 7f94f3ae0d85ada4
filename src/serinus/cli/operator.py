"""`serinus operator`: who may come in by the web and the API, and what they may do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from cyclopts import App, Parameter

from serinus.cli.acting import REFUSED, agreed, tell
from serinus.cli.arguments import Count
from serinus.cli.operator_list import ScopeName, asked_password, kept, scopes_of, show_audit, show_operators

if TYPE_CHECKING:
    from serinus.service.access.keeping import Keeper

USUAL: Final[tuple[ScopeName, ...]] = ("read", "report", "act", "probe")

app = App(
    name="operator",
    help="Name who may come in by the web and the API: operators, their passwords and tokens.",
    default_parameter=Parameter(negative=()),
)
app.command(
    "serinus.cli.operator_token:app",
    name="token",
    help="Give an operator a token for a program, or revoke it.",
)


@app.command
def add(  # noqa: PLR0913  each is an option of the command
    name: str,
    *,
    scope: tuple[ScopeName, ...] = USUAL,
    password_file: Path | None = None,
    tokens_only: bool = False,
    by: str | None = None,
    config: Path | None = None,
) -> int:
    """Add an operator, who logs in by password or comes in by tokens.

    The password is asked for, or read from a file; it is never an argument. From the first operator on
    everybody needs a credential. The exit status is 1 if nothing was changed.

    Parameters
    ----------
    name
        What the log will say of their acts; letters, digits and ._@+-
    scope
        What they may do: read (always), report (file users' reports), act (exclude, lift, set modes, mark),
        probe (ask hosts now, which costs money), admin (operators). All but admin when none is named.
    password_file
        The file that holds the password and nothing else.
    tokens_only
        Give no password: only tokens let this operator in.
    by
        Who adds; SERINUS_BY or the login name when absent.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    """

    def work(keeper: Keeper) -> int:
        password = None if tokens_only else asked_password(password_file, f"Password of {name}")
        made = keeper.add(name, scopes_of(scope), password)
        tell(f"{made.name} may {', '.join(sorted(made.scopes))}.")
        return 0

    return kept(work, by, config, create=True)


@app.command(name="list")
def list_(*, config: Path | None = None, json_: bool = False) -> int:
    """List operators with what they may do, and their tokens; never a secret.

    Parameters
    ----------
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    json_
        Print one JSON object an operator instead.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  `serinus --help` stays light

    return told(lambda: show_operators(config, as_json=json_))


@app.command
def remove(name: str, *, yes: bool = False, by: str | None = None, config: Path | None = None) -> int:
    """Let an operator in no more; tokens and sessions end. The name is not given again.

    Parameters
    ----------
    name
        Whom.
    yes
        Go on without asking.
    by
        Who removes; SERINUS_BY or the login name when absent.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    """

    def work(keeper: Keeper) -> int:
        keeper.known(name)
        if not agreed(f"Let {name} in no more?", yes=yes):
            return REFUSED
        keeper.remove(name)
        tell(f"{name} comes in no more.")
        return 0

    return kept(work, by, config)


@app.command
def password(
    name: str, *, password_file: Path | None = None, by: str | None = None, config: Path | None = None
) -> int:
    """Set an operator's password anew; their sessions end.

    Parameters
    ----------
    name
        Whose.
    password_file
        The file that holds the password and nothing else; it is asked for when absent.
    by
        Who sets it; SERINUS_BY or the login name when absent.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    """

    def work(keeper: Keeper) -> int:
        keeper.known(name)
        keeper.change(name, password=asked_password(password_file, f"New password of {name}"))
        tell(f"The password of {name} is another one; sessions ended.")
        return 0

    return kept(work, by, config)


@app.command
def scopes(name: str, *scope: ScopeName, by: str | None = None, config: Path | None = None) -> int:
    """Set what an operator may do; tokens allow at most that.

    Parameters
    ----------
    name
        Who.
    scope
        read, report, act, probe, admin.
    by
        Who sets it; SERINUS_BY or the login name when absent.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    """

    def work(keeper: Keeper) -> int:
        made = keeper.change(name, scopes={*scopes_of(scope), *scopes_of(("read",))})
        tell(f"{made.name} may {', '.join(sorted(made.scopes))}.")
        return 0

    return kept(work, by, config)


@app.command
def audit(*, limit: Count = 50, config: Path | None = None, json_: bool = False) -> int:
    """Show logins, failed logins and changes of operators and tokens, newest first.

    What operators did to routes is in `serinus log`.

    Parameters
    ----------
    limit
        How many lines.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    json_
        Print one JSON object a line instead.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  `serinus --help` stays light

    return told(lambda: show_audit(limit, config, as_json=json_))
