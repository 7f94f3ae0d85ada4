"""What whoever is woken reads: what happened, what it rests on, what is left, what to do (R24).

Each is complete by itself: it may be read on a phone, far from a terminal. The last lines are commands
that can be copied; what must not be done is said where somebody would do it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from shlex import quote
from types import MappingProxyType
from typing import Any, Final

from serinus.core.explain.decisions import failures_of, room_of
from serinus.core.explain.phrases import counted, lasting, listed, moment, reason_of
from serinus.core.model import Verdict
from serinus.core.policy.entries import Decision, Kind

EVIDENCE: Final = 3  # contracts whose evidence is told
DETAIL: Final = 240  # characters of one detail
UNSAFE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
INERT: Final = str.maketrans({"@": "＠", "<": "‹", ">": "›"})


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
        f"Evidence: {c} ({v.reason}): {short(v.detail) or 'no further detail.'}"
        for c in wanted[:EVIDENCE]
        for v in (ground.found[c],)
    ]


def short(detail: str) -> str:
    """A detail on one line, of bounded length, harmless where it is sent."""
    line = " ".join(detail.split())
    return harmless(line if len(line) <= DETAIL else f"{line[:DETAIL]}…")


def harmless(text: str) -> str:
    """What others said, as a channel may be sent it.

    It may quote a host's answer: nothing in it may ring a whole channel (`@all`, `<!here>`), be a link,
    or turn the text around.
    """
    shown = "".join(c if unicodedata.category(c) not in UNSAFE else f"\\u{ord(c):04x}" for c in text)
    return shown.translate(INERT).replace("://", ":⁄⁄")


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
