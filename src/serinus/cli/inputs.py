"""Files of lines that a command reads: several, a pipe, or `-` for standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

STDIN: Final = Path("-")


@contextmanager
def opened(file: Path) -> Iterator[BinaryIO]:
    """The bytes of a file; OSError where it cannot be read."""
    if file == STDIN:
        yield sys.stdin.buffer
        return
    with file.open("rb") as stream:
        yield stream


def named(file: Path) -> str:
    """A file as messages call it."""
    return "standard input" if file == STDIN else str(file)


def readable(file: Path) -> None:
    """Fail with OSError before any work is done; a pipe is left alone, since it can be opened only once."""
    if not file.is_fifo():
        with opened(file):
            pass
