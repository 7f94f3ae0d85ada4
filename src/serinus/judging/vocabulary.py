"""Tables of words, written as text so that they can be read."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a table, parted by blanks and line ends."""
    return frozenset(text.split())
