"""What exclusions say of themselves to the application, in its log `serinus.client`."""

from __future__ import annotations


def log(level: str, message: str, *said: object) -> None:
    """One line."""
    import logging  # noqa: PLC0415  most applications never need it

    getattr(logging.getLogger("serinus.client"), level)(message, *said)


def failed(what: str, error: Exception) -> None:
    """A warning that something failed, and how."""
    log("warning", "%s: %s", what, f"{type(error).__name__}: {error}"[:200])
