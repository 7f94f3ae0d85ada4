"""The list of operators as commands work with it."""

from __future__ import annotations

import getpass
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from serinus.cli.acting import say, signed

if TYPE_CHECKING:
    from serinus.service.access import Access, Operator, Scope, Token
    from serinus.service.access.keeping import Keeper

ScopeName = Literal["read", "report", "act", "probe", "admin"]


def kept(work: Callable[[Keeper], int], by: str | None, config: Path | None, *, create: bool = False) -> int:
    """The exit status of work on the list of operators, in somebody's name."""
    from serinus.cli.failing import told  # noqa: PLC0415  `serinus --help` stays light
    from serinus.engine.clock import now  # noqa: PLC0415  as above
    from serinus.service.access import OperatorExistsError  # noqa: PLC0415  as above
    from serinus.service.access.keeping import AccessError, Keeper  # noqa: PLC0415  as above
    from serinus.service.access.passwords import WeakPasswordError  # noqa: PLC0415  as above

    def done() -> int:
        who = signed(by, "of operators")
        with _access(config, acting=True, create=create) as access:
            try:
                return work(Keeper(access, who, now()))
            except (AccessError, OperatorExistsError, WeakPasswordError) as error:
                message = f"{error}. Nothing was changed."
                raise LookupError(message) from None

    return told(done)


@contextmanager
def _access(config: Path | None, *, acting: bool = False, create: bool = False) -> Iterator[Access]:
    """The configured store's list; with `create` a new store is made for who comes before the first round."""
    from serinus.config import load  # noqa: PLC0415  as above
    from serinus.store import open_store  # noqa: PLC0415  as above

    path = load(config, os.environ).store.path
    store = open_store(path, create=create, read_only=not acting)
    try:
        yield store.access
    finally:
        store.close()


def scopes_of(names: Iterable[str]) -> set[Scope]:
    """The scopes of these names."""
    from serinus.service.access import Scope  # noqa: PLC0415  as above

    return {Scope(name) for name in names}


def asked_password(file: Path | None, prompt: str) -> str:
    """A password from a file, or typed twice by a person.

    Raises:
        LookupError: nobody can be asked, the two are not the same, or the file holds none.
        OSError: the file cannot be read.
    """
    if file is not None:
        text = file.read_text(encoding="utf-8").rstrip("\r\n")
        if not text or len(text.splitlines()) != 1:
            message = (
                f"{file}: found {len(text.splitlines())} lines; allowed is a file with the password alone"
            )
            raise LookupError(message)
        return text
    if not sys.stdin.isatty():
        message = "Nobody can be asked for a password here: give --password-file, or --tokens-only."
        raise LookupError(message)
    first = getpass.getpass(f"{prompt}: ")
    if getpass.getpass("Once more: ") != first:
        message = "The two are not the same. Nothing was changed."
        raise LookupError(message)
    return first


def show_operators(config: Path | None, *, as_json: bool) -> int:
    """Print every operator with their tokens."""
    with _access(config) as access:
        operators, tokens = access.operators(), access.tokens()
    for operator in operators:
        mine = [t for t in tokens if t.operator == operator.name]
        if as_json:
            from serinus.cli.records import put  # noqa: PLC0415  as above

            put(_operator_document(operator, mine))
            continue
        how = "by password" if operator.password else "by tokens only"
        say(f"{operator.name}  {_may(operator.scopes)}  {how}{_ended(operator.ended_at)}")
        for token in mine:
            until = f", until {token.until:%Y-%m-%d %H:%M} UTC" if token.until else ""
            say(f"  token {token.label}  {_may(token.scopes)}{until}{_ended(token.ended_at)}")
    if not operators:
        sys.stderr.write("There is no operator yet; `serinus operator add NAME` makes the first one.\n")
    return 0


def show_audit(limit: int, config: Path | None, *, as_json: bool) -> int:
    """Print what was done at the door last."""
    from serinus.cli.records import put  # noqa: PLC0415  as above
    from serinus.service.records import time  # noqa: PLC0415  as above

    with _access(config) as access:
        found = access.audit(limit=limit)
    for line in found:
        if as_json:
            put({"at": time(line.at), "by": line.operator, "what": line.what, "detail": line.detail})
        else:
            said = (
                f"{line.at:%Y-%m-%d %H:%M:%S}  {line.operator}  {line.what.replace('_', ' ')}  {line.detail}"
            )
            say(said)
    return 0


def _operator_document(operator: Operator, tokens: Iterable[Token]) -> dict[str, Any]:
    from serinus.service.records import time  # noqa: PLC0415  as above

    return {
        "name": operator.name,
        "scopes": sorted(operator.scopes),
        "password": operator.password is not None,
        "created_at": time(operator.created_at),
        "created_by": operator.created_by,
        "ended_at": time(operator.ended_at),
        "tokens": [
            {
                "label": t.label,
                "scopes": sorted(t.scopes),
                "created_at": time(t.created_at),
                "until": time(t.until),
                "ended_at": time(t.ended_at),
            }
            for t in tokens
        ],
    }


def _may(scopes: Iterable[Scope]) -> str:
    return ",".join(sorted(scopes))


def _ended(at: Any) -> str:
    return f"  (ended {at:%Y-%m-%d})" if at else ""
