"""What one browser has seen of the log, kept in its own cookie: nothing of it is in the store.

A visit is a run of looks with pauses of less than `PAUSE`. What came since the end of the visit before
is news, until the reader says that it was seen.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from fastapi import Request
from fastapi.responses import Response

COOKIE: Final = "serinus_seen"
PAUSE: Final = timedelta(minutes=30)
KEPT: Final = timedelta(days=400)
_WRITTEN: Final = re.compile(r"(\d{1,15})\.(\d{1,15})\.(\d{1,12})")


@dataclass(frozen=True, slots=True)
class Seen:
    """`before` is the log's end when the visit began, `newest` at the last look, `at` when that was."""

    before: int
    newest: int
    at: datetime

    def looked(self, newest: int, at: datetime) -> Seen:
        """After another look at the log's end."""
        again = at - self.at >= PAUSE
        return Seen(self.newest if again else self.before, newest, at)


def seen_by(request: Request) -> Seen | None:
    """What this browser saw; None if it never looked, or its cookie says nothing."""
    found = _WRITTEN.fullmatch(request.cookies.get(COOKIE, ""))
    if found is None:
        return None
    before, newest, at = map(int, found.groups())
    return Seen(before, newest, datetime.fromtimestamp(at, UTC))


def remember(response: Response, seen: Seen, path: str) -> Response:
    """Let the browser keep it."""
    value = f"{seen.before}.{seen.newest}.{int(seen.at.timestamp())}"
    response.set_cookie(
        COOKIE, value, max_age=int(KEPT.total_seconds()), path=path, httponly=True, samesite="lax"
    )
    return response
