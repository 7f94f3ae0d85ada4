"""Which kinds of notices there are, how grave each is, and which of them a channel is sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType
from typing import Final

from serinus.service.storage import Notice


class Severity(IntEnum):
    """How soon a person should look.

    `INFO`: when there is time. `WARNING`: today; the canary did what can be done. `CRITICAL`: now; users
    get bad answers, or will soon, and only a person can help.
    """

    INFO = 0
    WARNING = 1
    CRITICAL = 2

    @property
    def word(self) -> str:
        """How it is written."""
        return self.name.lower()


SEVERITIES: Final = tuple(severity.word for severity in Severity)

# Each kind and how grave it is at its worst; what is only observed is always `INFO`.
SEVERITY_OF: Final[Mapping[str, Severity]] = MappingProxyType(
    {
        "suspended": Severity.WARNING,
        "held_at_floor": Severity.CRITICAL,
        "restored": Severity.INFO,
        "expired": Severity.INFO,
        "renewed": Severity.WARNING,
        "lifted": Severity.INFO,
        "probe_weak": Severity.WARNING,
        "round_void": Severity.WARNING,
        "below_floor": Severity.CRITICAL,
        "would_suspend": Severity.INFO,
        "floor_regained": Severity.INFO,
        "excluded_below_floor": Severity.CRITICAL,
        "mode_changed": Severity.WARNING,
        "listing_gone": Severity.WARNING,
        "listing_back": Severity.INFO,
        "account_refused": Severity.CRITICAL,
        "account_accepted": Severity.INFO,
        "pin_not_honoured": Severity.WARNING,
        "budget_reached": Severity.WARNING,
        "canary_stale": Severity.CRITICAL,
        "canary_back": Severity.INFO,
        "prompt_retired": Severity.INFO,
        "channel_disabled": Severity.WARNING,
        "channel_enabled": Severity.INFO,
        "state_corrected": Severity.WARNING,
        "review_stale": Severity.INFO,
    }
)
# What each end ends: a channel that heard of the beginning hears of the end, however mild it is.
BEGINNINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "restored": "suspended",
        "expired": "suspended",
        "lifted": "suspended",
        "floor_regained": "below_floor",
        "listing_back": "listing_gone",
        "account_accepted": "account_refused",
        "canary_back": "canary_stale",
        "channel_enabled": "channel_disabled",
    }
)
KINDS: Final = tuple(SEVERITY_OF)


def severity_of(word: str) -> Severity:
    """The severity of that word; a word of another release is no reason to keep quiet."""
    return Severity[word.upper()] if word in SEVERITIES else Severity.WARNING


def weight(notice: Notice) -> Severity:
    """How grave a notice is to those who choose by it: an end weighs what its beginning did."""
    own = severity_of(notice.severity)
    begun = BEGINNINGS.get(notice.kind)
    if begun is None or notice.facts.get("enforced") is False:
        return own
    return max(own, SEVERITY_OF[begun])


@dataclass(frozen=True, slots=True)
class Wants:
    """What a channel is sent: of these kinds and models, as grave as that. Empty is all."""

    kinds: frozenset[str] = frozenset()
    least: Severity = Severity.INFO
    models: frozenset[str] = frozenset()

    def takes(self, notice: Notice) -> bool:
        """Whether it is for this channel; what concerns no model concerns all."""
        return (
            (not self.kinds or notice.kind in self.kinds)
            and weight(notice) >= self.least
            and (not self.models or notice.model is None or notice.model in self.models)
        )


ALL: Final = Wants()
