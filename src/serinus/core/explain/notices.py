"""What whoever is woken reads: what happened, what it rests on, what is left, what to do (R24).

Each is complete by itself: it may be read on a phone, far from a terminal. The last lines are commands
that can be copied; what must not be done is said where somebody would do it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from shlex import quote
from types import MappingProxyType
from typing import Any, Final

from serinus.core.explain.decisions import failures_of, room_of
from serinus.core.explain.phrases import counted, lasting, listed, moment, reason_of
from serinus.core.model import Verdict
from serinus.core.policy.entries import Decision, Kind
from serinus.core.policy.events import Exclude, Mode, SetMode

EVIDENCE: Final = 3  # contracts whose evidence is told
DETAIL: Final = 240  # characters of one detail


@dataclass(frozen=True, slots=True)
class Ground:
    """A decision as a notice tells it: its number in the log, and what each contract found on the route."""

    decision: Decision
    seq: int | None = None
    found: Mapping[str, Verdict] = field(default_factory=dict)

    @property
    def of(self) -> str:
        """The route and its model."""
        return f"{self.decision.route} of {self.decision.model}"

    @property
    def args(self) -> str:
        """The route and its model, as commands take them."""
        return f"{quote(self.decision.route or '')} --model {quote(self.decision.model)}"


def notice_of(ground: Ground) -> str:
    """What a decision tells operators."""
    lines = _DECISIONS[ground.decision.kind](ground)
    return "\n".join(line for line in lines if line)


def _evidence(ground: Ground) -> list[str]:
    """What was found, a line for each contract."""
    wanted = [c for c in ground.decision.contracts or () if c in ground.found]
    return [
        f"Evidence: {c} ({v.reason}): {_short(v.detail) or 'no further detail.'}"
        for c in wanted[:EVIDENCE]
        for v in (ground.found[c],)
    ]


def _short(detail: str) -> str:
    line = " ".join(detail.split())
    return line if len(line) <= DETAIL else f"{line[:DETAIL]}…"


def _term(decision: Decision) -> str:
    length = lasting(decision.until - decision.at) if decision.until else "an unknown time"
    until = moment(decision.until) if decision.until else "an unknown time"
    return f"until {until} ({length}, level {decision.level})"


def _room(decision: Decision) -> str:
    said = room_of(decision)
    return f"{said[0].upper()}{said[1:]}."


def _opinion(ground: Ground, words: str) -> str:
    """How to say what one thinks of the decision, where its number is known."""
    number = "its number in `serinus log`" if ground.seq is None else str(ground.seq)
    return f"serinus mark {number} {words}" if ground.seq is not None else f"mark it by {number}"


def _suspended(g: Ground) -> Sequence[str]:
    d = g.decision
    if d.enforced is False:
        return (
            (
                f"Observe mode: {g.of} would be kept from user traffic {_term(d)}. It failed "
                f"{failures_of(d)}. Nothing reaches routing."
            ),
            *_evidence(g),
            f"Look: serinus explain {g.args}",
            f"Then say what you think of it: {_opinion(g, 'right')} --why '…', or wrong.",
        )
    return (
        f"{g.of} is kept from user traffic {_term(d)}. It failed {failures_of(d)}.",
        *_evidence(g),
        f"{_room(d)} It is probed on, and comes back early once it is clean: nothing must be done.",
        f"Look: serinus explain {g.args}",
        f"If it is wrong: serinus lift {g.args} --why '…' --forget, and {_opinion(g, 'wrong')} --why '…'",
    )


def _renewed(g: Ground) -> Sequence[str]:
    d = g.decision
    if d.enforced is False:
        return (
            (
                f"Observe mode: {g.of} would stay out, now {_term(d)}, since it still fails "
                f"{failures_of(d)}. Nothing reaches routing."
            ),
        )
    return (
        f"{g.of} stays out, now {_term(d)}: the time was over, and it still failed {failures_of(d)}.",
        *_evidence(g),
        (
            "Nothing must be done. If it lasts, tell the provider, and make it a reviewed exclusion "
            "(exclusions.toml)."
        ),
        f"Look: serinus explain {g.args}",
    )


def _held(g: Ground) -> Sequence[str]:
    d = g.decision
    if d.enforced is False:
        return (
            (
                f"Observe mode: {g.of} failed {failures_of(d)}, and even enforced it would stay in "
                f"production: without it there would be {room_of(d)}."
            ),
            *_evidence(g),
        )
    return (
        (
            f"{g.of} is bad and stays in production. It failed {failures_of(d)}; without it there would be "
            f"{room_of(d)}, so the canary does not suspend it."
        ),
        *_evidence(g),
        "Users may get its answers until somebody decides:",
        f"- who else is out, and why: serinus status {quote(d.model)}",
        f"- let another one back: serinus lift ROUTE --model {quote(d.model)} --why '…'",
        f"- take this one out all the same: serinus exclusions add {g.args} --for 1d --why '…'",
        (
            "It is tried again at each further failing round; another provider, or a lower policy.floor, "
            "lets it go."
        ),
    )


def _restored(g: Ground) -> Sequence[str]:
    clean = g.decision.facts.get("clean")
    rounds = counted(clean, "clean round") if isinstance(clean, int) else "clean rounds"
    asked = listed(g.decision.contracts or ())
    return (
        (
            f"{_back(g)}: {rounds} in a row, with {asked} asked and passed. Its suspension ended early; "
            "nothing must be done."
        ),
    )


def _expired(g: Ground) -> Sequence[str]:
    d = g.decision
    if not d.facts.get("failing"):
        return (f"{_back(g)}: its suspension ran out, and nothing recent is held against it.",)
    told = (
        (
            f"{_back(g)} though it still fails {failures_of(d)}: its suspension ran out, and renewing it "
            f"would leave too few ({room_of(d)})."
        ),
    )
    if d.enforced is False:
        return told
    return (
        *told,
        (
            f"Let another one back (serinus lift ROUTE --model {quote(d.model)} --why '…'), or take this "
            f"one out by hand: serinus exclusions add {g.args} --for 1d --why '…'"
        ),
    )


def _back(g: Ground) -> str:
    if g.decision.enforced is False:
        return f"Observe mode: {g.of} would be back in production"
    return f"{g.of} gets user traffic again"


def _lifted(g: Ground) -> Sequence[str]:
    facts = g.decision.facts
    by = facts.get("by") or "an operator"
    why = reason_of(str(facts["why"])) if facts.get("why") else "."
    observed = "Observe mode: " if g.decision.enforced is False else ""
    if facts.get("act") == "mode":
        return (
            (
                f"{observed}the suspension of {g.of} ended, since {by} changed the mode and no contract of "
                f"it is left in its lane{why}"
            ),
        )
    back = "" if g.decision.enforced is False else "It gets user traffic again, with a clean slate."
    return (f"{observed}{by} lifted the suspension of {g.of}{why}", back)


def _weak(g: Ground) -> Sequence[str]:
    controls: Any = g.decision.facts.get("controls") or ()
    verb = "answers" if len(controls) == 1 else "answer"
    return (
        (
            f"The filtering probe of {g.decision.model} proves nothing in this round: {listed(controls)}, "
            f"known to filter, {verb} what should be refused."
        ),
        "Nobody is called healthy on filtering in this round; failures stand.",
        (
            "Once is no reason to act. If it goes on, that host no longer filters: take it out of `controls` "
            "and name another."
        ),
    )


def _void(g: Ground) -> Sequence[str]:
    d = g.decision
    failing: Any = d.facts.get("failing") or ()
    contracts = listed(d.contracts or ())
    return (
        (
            f"{len(failing)} of {d.facts.get('providers')} providers of {d.model} failed {contracts} at "
            "once, none of which had failed it before: nothing is held against any of them."
        ),
        f"Failing: {listed(failing)}.",
        (
            "Suspect our own network first, then the probe, then the model itself. "
            "`serinus doctor` looks at ours. If the next rounds say the same, it is no accident."
        ),
    )


def _below(g: Ground) -> Sequence[str]:
    d = g.decision
    providers: Any = d.facts.get("providers")
    model = quote(d.model)
    return (
        (
            f"{d.model} has {counted(providers, 'provider')} left in production, the floor is "
            f"{d.facts.get('floor')}, and a suspension is in force. Nothing is lifted by itself."
        ),
        f"- who is out, and why: serinus status {model}",
        f"- let the least bad one back: serinus lift ROUTE --model {model} --why '…'",
        "- or take an exclusion back: serinus exclusions remove NAME --why '…'",
    )


_DECISIONS: Final[Mapping[Kind, Callable[[Ground], Sequence[str]]]] = MappingProxyType(
    {
        Kind.SUSPENDED: _suspended,
        Kind.HELD_AT_FLOOR: _held,
        Kind.RENEWED: _renewed,
        Kind.EXPIRED: _expired,
        Kind.RESTORED: _restored,
        Kind.LIFTED: _lifted,
        Kind.PROBE_WEAK: _weak,
        Kind.ROUND_VOID: _void,
        Kind.BELOW_FLOOR: _below,
    }
)


def notice_of_exclusion(act: Exclude, model: str, providers: int, floor: int) -> str:
    """That an exclusion by hand took a model below its floor."""
    until = f" until {moment(act.until)}" if act.until else ""
    where = f" --model {quote(act.model)}" if act.model else ""
    back = (
        f"Take it back: serinus exclusions remove {quote(act.route)}{where} --why '…'"
        if act.layer.value == "operational"
        else "It stands in a reviewed file or in the account's own settings: change it there."
    )
    return (
        f"{act.by or 'An operator'} excluded {act.route} ({act.layer}){until}{reason_of(act.why)}\n"
        f"{model} has {counted(providers, 'provider')} left in production by that; the floor is {floor}. The "
        "canary suspends nobody there now.\n"
        f"{back}"
    )


def notice_of_mode(act: SetMode) -> str:
    """That suspensions begin to reach routing, or no longer do."""
    scope = f"{act.contract} of {act.model or 'all models'}" if act.contract else act.model or "all models"
    flags = "".join(
        f" --{name} {quote(value)}"
        for name, value in (("model", act.model), ("contract", act.contract))
        if value
    )
    by = act.by or "An operator"
    if act.mode is Mode.ENFORCE:
        return (
            f"{by} set {scope} to enforce{reason_of(act.why)}\n"
            "From now on its suspensions keep routes from user traffic; what was only observed is not "
            "enforced by this.\n"
            f"Take it back at once: serinus mode observe{flags} --why '…'"
        )
    return (
        f"{by} set {scope} to observe{reason_of(act.why)}\n"
        "Nothing of it reaches routing any more; suspensions that rested on it alone ended."
    )


def notice_of_regained(model: str) -> str:
    """That capacity is back."""
    return f"{model} has its capacity back: it is at its floor or above it."


def notice_of_lost_listing(model: str, listing: str) -> str:
    """That the gateway's listing cannot be believed (R1)."""
    return (
        f"{model}: {listing.rstrip('.')}. The last known listing stands: its routes are asked, and nobody is "
        "suspended for being missing.\n"
        "If it lasts, see whether the model's name still is the gateway's: serinus doctor"
    )


def notice_of_found_listing(model: str) -> str:
    """That it can be believed again."""
    return f"{model}: the listing can be believed again."


def notice_of_refusal(model: str, refused: str) -> str:
    """That every route refused ourselves."""
    return (
        f"{model}: {refused}\n"
        "Until that is put right nothing is judged: suspensions stand and run out at their time, none begins."
    )


def notice_of_acceptance(model: str) -> str:
    """That the gateway takes our requests again."""
    return f"{model}: the gateway takes our requests again."


def notice_of_void(tag: str, model: str, verdict: Verdict) -> str:
    """That an answer was not the route's own (R3)."""
    return (
        f"A probe of {tag} of {model} was not answered by it ({verdict.reason}): "
        f"{_short(verdict.detail) or 'no further detail.'}\n"
        "Nothing of it was scored. Look for plugins, presets or fallbacks on the account: serinus doctor"
    )


def notice_of_budget(trouble: str) -> str:
    """That the day's money is spent."""
    return (
        f"Probing stopped: {trouble}\n"
        "What it costs, and by what: serinus plan. Raise budget.usd_per_day, or ask less: rounds.interval, "
        'rounds.set = "lean".'
    )


def notice_of_silence(
    model: str, last: datetime, at: datetime, interval: timedelta, holder: str | None
) -> str:
    """That no round was held for too long."""
    who = f"{holder} has the canary's place, so it runs and hangs" if holder else "nobody has its place"
    return (
        f"{model}: no round was held since {moment(last)}, {_roughly(at - last)} ago; one is due every "
        f"{lasting(interval)}. What protects users is as old.\n"
        "The ignore list stands as it was; suspensions run out at their time, none begins.\n"
        f"Is `serinus run` running? {who[0].upper()}{who[1:]}. Start it again, then: serinus doctor"
    )


def _roughly(length: timedelta) -> str:
    """How long, to the minute: `3 h 10 min`."""
    hours, rest = divmod(length, timedelta(hours=1))
    minutes = rest // timedelta(minutes=1)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def notice_of_sign_of_life(model: str, last: datetime) -> str:
    """That rounds are held again."""
    return f"{model}: rounds are held again, the last one was planned for {moment(last)}."


def notice_of_prompt(model: str, key: str) -> str:
    """That a prompt left the pool."""
    return (
        f"{model}: the prompt {key} is asked no more, because otherwise clean routes went wrong on it: the "
        "prompt is the likely cause. Verdicts so far stand, and nothing must be done."
    )


def notice_of_dead_channel(name: str, why: str) -> str:
    """That a channel failed for good."""
    return (
        f"The channel {name} is disabled: {why}. Whoever listens there hears nothing.\n"
        f"Mend it, try it and switch it on: serinus notify test {name}; serinus notify enable {name}"
    )


def notice_of_live_channel(name: str, by: str, why: str) -> str:
    """That somebody switched it on again."""
    return f"The channel {name} is enabled again by {by} and sent what it missed: {why}"


def notice_of_correction(seq: int) -> str:
    """That what was kept of the log's fold was not what the log says."""
    return (
        f"The state that was kept up to entry {seq} of the log was not what the log says, and was made anew "
        "from the log.\n"
        "What `serinus status` showed before may have been wrong: look at it again. If this comes back, look "
        "at the disk: serinus doctor"
    )


def notice_of_trial(name: str) -> str:
    """That a channel works."""
    return f"This is a test of the channel {name}: it works. Nothing happened to any route."
