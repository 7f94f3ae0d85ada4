"""What can be wrong with a store, and with what is written to it."""

from __future__ import annotations


class StoreError(Exception):
    """The store cannot be used; the message says what was found and what to do."""


class StoreBusyError(StoreError):
    """Another process holds the store."""


class StoreReadOnlyError(StoreError):
    """The store cannot be written: disk full, read-only file, lost permission. Nothing was changed."""


class StoreMissingError(StoreError):
    """There is no store where one was looked for: never answered with an empty one by accident."""


class StoreDamagedError(StoreError):
    """What stands there is no store, or it is damaged."""


class StoreVersionError(StoreError):
    """The store was written by another version of the product, and cannot be used by this one now."""


class LogMovedError(Exception):
    """The log grew since it was read: read again and decide again."""


class RoundNotOpenError(Exception):
    """The round was never taken, or its end was written before: nothing was written now."""
