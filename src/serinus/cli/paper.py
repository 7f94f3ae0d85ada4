"""What tables are printed on."""

from __future__ import annotations

from rich.console import Console


def console(*, stderr: bool = False) -> Console:
    """Where tables go, or progress on standard error: nothing in them is read as markup."""
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)
