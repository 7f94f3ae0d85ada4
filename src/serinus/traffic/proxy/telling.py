"""What the proxy says of itself. Nothing that a caller sent goes in here but a model's name."""

from __future__ import annotations

from typing import Any, Protocol


class Log(Protocol):
    """A logger of events with named facts, as structlog's."""

    def info(self, event: str, **facts: Any) -> Any:
        """Something happened."""
        ...

    def warning(self, event: str, **facts: Any) -> Any:
        """Something is not as it should be."""
        ...

    def error(self, event: str, **facts: Any) -> Any:
        """Something failed."""
        ...


class Quiet:
    """Says nothing."""

    def info(self, event: str, **facts: Any) -> None:
        """Nothing."""

    def warning(self, event: str, **facts: Any) -> None:
        """Nothing."""

    def error(self, event: str, **facts: Any) -> None:
        """Nothing."""
