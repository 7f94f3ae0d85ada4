"""Which entries operators are told of, and in which words (R24)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from serinus.core import explain
from serinus.core.model import Verdict
from serinus.core.policy import Decision, Entry, Kind, Lane, State
from serinus.core.policy.entries import Regained
from serinus.service.round_report import RoundReport
from serinus.service.storage import Notice
from serinus.service.troubles import is_listing, is_refused

# What a notice may be of; channels choose among these words.
KINDS: Final = (
    *(kind.value for kind in Kind),
    "would_suspend",
    "floor_regained",
    "listing_gone",
    "listing_back",
    "account_refused",
    "account_accepted",
    "pin_not_honoured",
    "budget_reached",
    "prompt_retired",
    "channel_disabled",
    "channel_enabled",
    "state_corrected",
)
BEGINNING: Final = frozenset({Kind.SUSPENDED, Kind.RENEWED})
ENDING: Final = frozenset({Kind.RESTORED, Kind.EXPIRED, Kind.LIFTED, Kind.RENEWED})


def notices_of(before: State, entries: Iterable[Entry]) -> list[Notice]:
    """What the entries of one commit tell operators, each with a stable key.

    The end of a suspension resolves the notice of its beginning.
    """
    told: list[Notice] = []
    for entry in entries:
        if isinstance(entry, Decision):
            told.append(_of_decision(before, entry))
        elif isinstance(entry, Regained):
            text = f"{entry.model} has its capacity back: it is at its floor or above it."
            told.append(
                Notice(
                    _key(entry.at, "floor_regained", entry.model),
                    entry.at,
                    "floor_regained",
                    entry.model,
                    None,
                    text,
                    resolves=f"below_floor|{entry.model}",
                )
            )
    return told


def _of_decision(before: State, decision: Decision) -> Notice:
    kind = decision.kind.value
    if decision.kind is Kind.SUSPENDED and decision.lane is Lane.SHADOW:
        kind = "would_suspend"
    key = _key(decision.at, kind, decision.model, decision.route, decision.lane)
    if decision.kind is Kind.BELOW_FLOOR:
        key = f"below_floor|{decision.model}"
    elif decision.kind in BEGINNING:
        key = _begun(decision, decision.at)
    resolves = None
    if decision.kind in ENDING and decision.route and decision.lane:
        suspension = before.model(decision.model).route(decision.route).lane(decision.lane).suspension
        resolves = _begun(decision, suspension.since) if suspension else None
    text = explain.of_decision(decision)
    return Notice(key, decision.at, kind, decision.model, decision.route, text, resolves)


def _begun(decision: Decision, since: datetime) -> str:
    return _key(since, "suspension", decision.model, decision.route, decision.lane)


def _key(at: datetime, *parts: object) -> str:
    return "|".join([*(str(part or "") for part in parts), at.isoformat()])


def notices_of_round(
    report: RoundReport, listing: str | None, refused: str | None, before: str | None
) -> list[Notice]:
    """What a round tells beyond its decisions: its troubles, and answers of others (R1, R3).

    `listing` is why the listing cannot be believed, `refused` why every route refused ourselves,
    `before` the trouble of the round before: one that lasts is told once.
    """
    told: list[Notice] = []
    if listing and not is_listing(before):
        text = f"{listing.rstrip('.')}. The last known listing stands."
        told.append(_of_model(report, "listing_gone", text))
    if is_listing(before) and not listing:
        told.append(_of_model(report, "listing_back", "the listing can be believed again."))
    if refused and not is_refused(before):
        told.append(_of_model(report, "account_refused", refused))
    if is_refused(before) and not refused:
        told.append(_of_model(report, "account_accepted", "the gateway takes our requests again."))
    told += [
        Notice(
            _key(report.at, "pin_not_honoured", report.model, tag),
            report.at,
            "pin_not_honoured",
            report.model,
            tag,
            explain.of_verdict(f"A probe of {tag}", verdict),
        )
        for tag, verdict in _first_by_tag(report.voids)
    ]
    return told


def _of_model(report: RoundReport, kind: str, text: str) -> Notice:
    key = _key(report.at, kind, report.model)
    return Notice(key, report.at, kind, report.model, None, f"{report.model}: {text}")


def channel_disabled(name: str, why: str, at: datetime) -> Notice:
    """What the other channels are told of one that failed for good."""
    text = (
        f"The channel {name} is disabled: {why}. Nothing is sent to it until `serinus notify enable {name}`."
    )
    return Notice(f"channel_disabled|{name}", at, "channel_disabled", None, None, text)


def channel_enabled(name: str, at: datetime, by: str, why: str) -> Notice:
    """The end of that, which is somebody's act."""
    text = f"The channel {name} is enabled again by {by} and sent what it missed: {why}"
    key = f"channel_enabled|{name}"
    return Notice(key, at, "channel_enabled", None, None, text, resolves=f"channel_disabled|{name}")


def state_corrected(seq: int, at: datetime) -> Notice:
    """What was kept of the log's fold was not what the log says; it is again."""
    text = (
        f"The state that was kept up to entry {seq} of the log was not what the log says, and was made anew "
        "from the log. What `serinus status` showed before may have been wrong; look at it again."
    )
    return Notice(_key(at, "state_corrected"), at, "state_corrected", None, None, text)


def trial(name: str, at: datetime) -> Notice:
    """A notice that says nothing but that the channel works."""
    text = f"This is a test of the channel {name}: it works. Nothing happened to any route."
    return Notice(_key(at, "test", name), at, "test", None, None, text)


def notices_of_prompts(report: RoundReport, left: Iterable[str]) -> list[Notice]:
    """Which prompts left the pool, because otherwise clean routes went wrong on them."""
    return [
        Notice(
            f"prompt_retired|{report.model}|{key}",
            report.at,
            "prompt_retired",
            report.model,
            None,
            f"{report.model}: the prompt {key} is asked no more, because otherwise clean routes went wrong "
            "on it: the prompt is the likely cause. Verdicts so far stand.",
        )
        for key in sorted(left)
    ]


def _first_by_tag(pairs: Sequence[tuple[str, Verdict]]) -> list[tuple[str, Verdict]]:
    return sorted(dict(reversed(pairs)).items())
