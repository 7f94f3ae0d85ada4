"""The clock of whoever answered, as the `Date` header of HTTP tells it (RFC 9110 §5.6.7)."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def http_date(header: str) -> datetime | None:
    """The instant of the header, to the second; None where it tells none. One without a zone is in UTC."""
    try:
        told = parsedate_to_datetime(header)
        return told.replace(tzinfo=UTC) if told.tzinfo is None else told.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
