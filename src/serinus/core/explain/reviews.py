"""That a reviewed exclusion needs another look (R22)."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from serinus.core.explain.phrases import listed
from serinus.core.policy.events import Exclude


def of_old_review(entry: Exclude, at: datetime) -> str:
    """That a built-in exclusion was looked at long ago; `entry.at` is the day of its review."""
    return (
        f"The built-in exclusion of {_scope(entry)} was last reviewed on {entry.at:%Y-%m-%d}, "
        f"{(at - entry.at).days} days ago, by {entry.by or 'nobody named'}: the host may be well again."
    )


def of_gone_route(entry: Exclude, covered: Collection[str]) -> str:
    """That a built-in exclusion covers nothing that is listed now; `covered` was listed once."""
    left = f"only {listed(covered)}, which the gateway lists no longer" if covered else "no known route"
    return f"The built-in exclusion of {_scope(entry)} covers {left}."


def notice_of_review(found: str) -> str:
    """That a reviewed exclusion needs another look; `found` says why."""
    return (
        f"{found}\n"
        "It stays in force until a reviewed change of exclusions.toml.\n"
        "Look at it again, then renew its date or take it out: serinus exclusions list"
    )


def _scope(entry: Exclude) -> str:
    return f"{entry.route} for {entry.model}" if entry.model else entry.route
