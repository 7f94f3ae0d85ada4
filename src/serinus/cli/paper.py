"""What tables are printed on, and how all of them look."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table


def console(*, stderr: bool = False) -> Console:
    """Where tables go, or progress on standard error: nothing in them is read as markup."""
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)


def columned() -> Table:
    """A table without lines: its columns are parted by blanks, their names are bold."""
    return Table(box=None, pad_edge=False, padding=(0, 1), header_style="bold")
