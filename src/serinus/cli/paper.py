"""What tables are printed on."""

from __future__ import annotations

from rich.console import Console


def console() -> Console:
    """Where tables go: nothing in them is read as markup."""
    return Console(highlight=False, markup=False, emoji=False)
