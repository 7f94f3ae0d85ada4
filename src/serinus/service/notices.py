"""Which entries operators are told of, how gravely, and what programs read of it (R24)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from serinus.core import explain
from serinus.core.exclusions import covers
from serinus.core.explain.reviews import notice_of_review
from serinus.core.instants import format_instant
from serinus.core.model import Verdict
from serinus.core.policy import Decision, Entry, Exclude, Kind, Lane, Mode, Policy, SetMode, State, fold
from serinus.core.policy.entries import Regained
from serinus.core.policy.floor import View, capacity
from serinus.service.notice_kinds import SEVERITY_OF, Severity
from serinus.service.round_report import RoundReport
from serinus.service.storage import Document, Notice
from serinus.service.troubles import is_listing, is_refused

BEGINNING: Final = frozenset({Kind.SUSPENDED, Kind.RENEWED})
ENDING: Final = frozenset({Kind.RESTORED, Kind.EXPIRED, Kind.LIFTED, Kind.RENEWED})


@dataclass(frozen=True, slots=True)
class Grounds:
    """What entries rest on, beyond themselves: for texts that one can act on.

    `seen` is the log's end before them, `found` what each route's contracts found in the round, by tag
    and contract; `policy` tells what acts of operators do to capacity.
    """

    seen: int | None = None
    found: Mapping[tuple[str, str], Verdict] = field(default_factory=dict)
    policy: Policy | None = None


def found_in(report: RoundReport) -> dict[tuple[str, str], Verdict]:
    """What a round found, by tag and contract."""
    return {(f.route.tag, f.contract): f.verdict for route in report.routes for f in route.findings}


def notices_of(before: State, entries: Sequence[Entry], grounds: Grounds | None = None) -> list[Notice]:
    """What the entries of one commit tell operators, each with a stable key.

    The end of a suspension resolves the notice of its beginning.
    """
    grounds = grounds or Grounds()
    told: list[Notice] = []
    for place, entry in enumerate(entries, 1):
        match entry:
            case Decision():
                seq = None if grounds.seen is None else grounds.seen + place
                told.append(_of_decision(before, entry, seq, grounds, _cause(entry, entries)))
            case Regained():
                told.append(_of_regained(entry))
            case SetMode():
                told += _of_mode(before, entry)
            case Exclude() if grounds.policy is not None:
                told += _of_exclusion(grounds.policy, before, entries, entry)
            case _:
                pass
    return told


def _cause(decision: Decision, entries: Sequence[Entry]) -> str:
    """The act of the same commit that took a model below its floor, as a line of its own."""
    acts = [e for e in entries if isinstance(e, Exclude)] if decision.kind is Kind.BELOW_FLOOR else []
    return "".join(f"{explain.of_act(act)}\n" for act in acts)


def _of_decision(before: State, decision: Decision, seq: int | None, grounds: Grounds, cause: str) -> Notice:
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
    found = {c: v for (tag, c), v in grounds.found.items() if tag == decision.route}
    text = cause + explain.notice_of(explain.Ground(decision, seq, found))
    return Notice(
        key,
        decision.at,
        kind,
        decision.model,
        decision.route,
        text,
        resolves,
        _severity(kind, decision).word,
        _facts(decision, seq),
    )


def _severity(kind: str, decision: Decision) -> Severity:
    """What is only observed harms nobody; a route let back although it fails is worth a look."""
    if decision.enforced is False:
        return Severity.INFO
    if decision.kind is Kind.EXPIRED and decision.facts.get("failing"):
        return Severity.CRITICAL
    return SEVERITY_OF[kind]


def _facts(decision: Decision, seq: int | None) -> Document:
    facts: dict[str, Any] = {
        "decision": seq,
        "contracts": list(decision.contracts) if decision.contracts else None,
        "level": decision.level,
        "until": format_instant(decision.until) if decision.until else None,
        "enforced": decision.enforced,
    }
    return {name: value for name, value in facts.items() if value is not None}


def _begun(decision: Decision, since: datetime) -> str:
    return _key(since, "suspension", decision.model, decision.route, decision.lane)


def _key(at: datetime, *parts: object) -> str:
    return "|".join([*(str(part or "") for part in parts), at.isoformat()])


def _of_regained(entry: Regained) -> Notice:
    text = explain.notice_of_regained(entry.model)
    key = _key(entry.at, "floor_regained", entry.model)
    return _plain(
        key, entry.at, "floor_regained", text, model=entry.model, resolves=f"below_floor|{entry.model}"
    )


def _of_mode(before: State, entry: SetMode) -> Iterator[Notice]:
    """Somebody lets suspensions reach routing, or no longer; what changes nothing is not told."""
    was = any(old.mode is Mode.ENFORCE for old in before.modes)
    if entry.mode is Mode.ENFORCE or was:
        key = _key(entry.at, "mode_changed", entry.model, entry.contract, entry.mode)
        yield _plain(key, entry.at, "mode_changed", explain.notice_of_mode(entry), model=entry.model)


def _of_exclusion(
    policy: Policy, before: State, entries: Sequence[Entry], entry: Exclude
) -> Iterator[Notice]:
    """An exclusion by hand takes models below their floor: others must know, since the canary is bound.

    Where a suspension is in force there, the decision `below_floor` says so already.
    """
    after = fold(entries, before)
    said = {e.model for e in entries if isinstance(e, Decision) and e.kind is Kind.BELOW_FLOOR}
    for name in (before.models.keys() if entry.model is None else {entry.model}) - said:
        had, has = (capacity(policy, state, View(name, Lane.REAL, entry.at)) for state in (before, after))
        took = any(covers(entry.route, tag, had.routes) for tag in had.routes)
        if took and has.providers < min(had.providers, policy.floor):
            key = _key(entry.at, "excluded_below_floor", name, entry.route)
            text = explain.notice_of_exclusion(entry, name, has.providers, policy.floor)
            yield _plain(key, entry.at, "excluded_below_floor", text, model=name)


def _plain(  # noqa: PLR0913  a notice has as many parts
    key: str,
    at: datetime,
    kind: str,
    text: str,
    *,
    model: str | None = None,
    tag: str | None = None,
    resolves: str | None = None,
) -> Notice:
    """A notice as grave as its kind is."""
    severity = SEVERITY_OF.get(kind, Severity.INFO)
    return Notice(key, at, kind, model, tag, text, resolves, severity.word)


def notices_of_round(
    report: RoundReport, listing: str | None, refused: str | None, before: str | None
) -> list[Notice]:
    """What a round tells beyond its decisions: its troubles, and answers of others (R1, R3).

    `listing` is why the listing cannot be believed, `refused` why every route refused ourselves,
    `before` the trouble of the round before: one that lasts is told once.
    """
    told: list[Notice] = []
    if listing and not is_listing(before):
        told.append(_of_model(report, "listing_gone", explain.notice_of_lost_listing(report.model, listing)))
    if is_listing(before) and not listing:
        told.append(_of_model(report, "listing_back", explain.notice_of_found_listing(report.model)))
    if refused and not is_refused(before):
        told.append(_of_model(report, "account_refused", explain.notice_of_refusal(report.model, refused)))
    if is_refused(before) and not refused:
        told.append(_of_model(report, "account_accepted", explain.notice_of_acceptance(report.model)))
    told += [pin_not_honoured(report, tag, verdict) for tag, verdict in _first_by_tag(report.voids)]
    return told


def _of_model(report: RoundReport, kind: str, text: str) -> Notice:
    return _plain(_key(report.at, kind, report.model), report.at, kind, text, model=report.model)


def pin_not_honoured(report: RoundReport, tag: str, verdict: Verdict) -> Notice:
    """An answer was not the route's own."""
    text = explain.notice_of_void(tag, report.model, verdict)
    key = _key(report.at, "pin_not_honoured", report.model, tag)
    return _plain(key, report.at, "pin_not_honoured", text, model=report.model, tag=tag)


def budget_reached(trouble: str, at: datetime) -> Notice:
    """Probing stopped for a day, told once a day."""
    text = explain.notice_of_budget(trouble)
    return _plain(f"budget_reached|{at:%Y-%m-%d}", at, "budget_reached", text)


def canary_stale(model: str, last: datetime, at: datetime, interval: timedelta, holder: str | None) -> Notice:
    """No round was held for too long."""
    text = explain.notice_of_silence(model, last, at, interval, holder)
    return _plain(stale_key(model), at, "canary_stale", text, model=model)


def canary_back(model: str, last: datetime, at: datetime) -> Notice:
    """Rounds are held again."""
    text = explain.notice_of_sign_of_life(model, last)
    return _plain(f"canary_back|{model}", at, "canary_back", text, model=model, resolves=stale_key(model))


def stale_key(model: str) -> str:
    """The name of that trouble."""
    return f"canary_stale|{model}"


def channel_disabled(name: str, why: str, at: datetime) -> Notice:
    """What the other channels are told of one that failed for good."""
    text = explain.notice_of_dead_channel(name, why)
    return _plain(f"channel_disabled|{name}", at, "channel_disabled", text)


def channel_enabled(name: str, at: datetime, by: str, why: str) -> Notice:
    """The end of that, which is somebody's act."""
    text = explain.notice_of_live_channel(name, by, why)
    return _plain(f"channel_enabled|{name}", at, "channel_enabled", text, resolves=f"channel_disabled|{name}")


def review_stale(entry: Exclude, why: str, found: str, at: datetime) -> Notice:
    """A reviewed exclusion needs another look; the day of its review is in the key, to tell each once."""
    key = f"review_stale|{entry.model or ''}|{entry.route}|{entry.at:%Y-%m-%d}|{why}"
    text = notice_of_review(found)
    return _plain(key, at, "review_stale", text, model=entry.model, tag=entry.route)


def state_corrected(seq: int, at: datetime) -> Notice:
    """What was kept of the log's fold was not what the log says; it is again."""
    text = explain.notice_of_correction(seq)
    return _plain(_key(at, "state_corrected"), at, "state_corrected", text)


def trial(name: str, at: datetime) -> Notice:
    """A notice that says nothing but that the channel works."""
    return _plain(_key(at, "test", name), at, "test", explain.notice_of_trial(name))


def notices_of_prompts(report: RoundReport, left: Iterable[str]) -> list[Notice]:
    """Which prompts left the pool, because otherwise clean routes went wrong on them."""
    return [
        _plain(
            f"prompt_retired|{report.model}|{key}",
            report.at,
            "prompt_retired",
            explain.notice_of_prompt(report.model, key),
            model=report.model,
        )
        for key in sorted(left)
    ]


def _first_by_tag(pairs: Sequence[tuple[str, Verdict]]) -> list[tuple[str, Verdict]]:
    return sorted(dict(reversed(pairs)).items())
