"""One pinned probe: who served it, what the gateway did on the way, what it cost (R3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from serinus.core.model import Message, Offer, Probe
from serinus.core.transcript import Transcript
from serinus.judging.blame import Blame, blame_of, is_guardrail
from serinus.judging.voiding import voided
from serinus.service.doctor.diagnosis import Diagnosis, fine, note, problem
from serinus.service.paid import paid

TRIED: Final = 3  # routes that are asked at most, where the account leaves out the first
ASKED: Final = Probe(
    key="doctor.ready",
    kind="doctor",
    messages=(Message("user", "Answer with this one word: ready"),),
    language="en",
    max_tokens=16,
    parameters={"temperature": 0.0},
)
OWN_WORKSPACE: Final = "give the canary a key in a workspace of its own that ignores no provider"
OWN_FAULTS: Final[Mapping[int, tuple[str, str]]] = {
    401: ("the gateway does not accept the key", "set a valid key"),
    402: ("the account or the key has no credit left", "buy credits, or raise the key's limit"),
    403: ("the key may not ask this", "look at the key's permissions and the workspace's guardrails"),
    404: ("the account or a guardrail leaves this host out", OWN_WORKSPACE),
}
OK: Final = 200


class Record(Protocol):
    """The gateway's record of a generation; `attempts` are (provider's name, endpoint id, status)."""

    @property
    def attempts(self) -> tuple[tuple[str | None, str | None, int | None], ...]:
        """Every endpoint that was tried."""
        ...

    @property
    def is_byok(self) -> bool | None:
        """Whether our own account at the provider was used."""
        ...

    @property
    def provider(self) -> str | None:
        """The name of who served."""
        ...

    @property
    def raw(self) -> Mapping[str, Any]:
        """The record as it came."""
        ...


@dataclass(frozen=True, slots=True)
class Visit:
    """One pinned probe: whom it asked, what came, and the gateway's record of it, if it could be had.

    `recorded` says that the gateway keeps records at all, and routing metadata with them.
    """

    offer: Offer
    transcript: Transcript
    record: Record | None = None
    recorded: bool = True

    @property
    def answered(self) -> bool:
        """Whether there is an answer at all."""
        return self.transcript.status == OK and self.transcript.answer.failure is None

    @property
    def left_out(self) -> bool:
        """Whether our own account keeps the route from us, so that another one tells more."""
        return self.transcript.status == 404  # noqa: PLR2004  no endpoint is left

    @property
    def cost(self) -> float:
        """US dollars, as the gateway reported, else by the listing's prices."""
        return paid(self.offer, self.transcript.answer.usage) or 0.0


def chosen(offers: Sequence[Offer], controls: frozenset[str]) -> list[Offer]:
    """The routes to ask, the cheapest first: those that are no control and have a price, else any."""
    plain = _plain(offers, controls)
    priced = [o for o in plain if o.priced]
    return sorted(priced or plain or offers, key=_price)[:TRIED]


def pair(offers: Sequence[Offer], controls: frozenset[str]) -> tuple[Offer, Offer] | None:
    """The cheapest routes of two providers, none of them a control; None where there is but one provider.

    A route without a price is taken only where there is no other: what it costs cannot be said before.
    """
    ranked = sorted(_plain(offers, controls), key=lambda o: (not o.priced, _price(o)))
    first = ranked[0] if ranked else None
    second = next((o for o in ranked if first and o.provider != first.provider), None)
    return (first, second) if first and second else None


def _plain(offers: Sequence[Offer], controls: frozenset[str]) -> list[Offer]:
    return [o for o in offers if o.route.tag not in controls and o.provider not in controls]


def _price(offer: Offer) -> tuple[float, str]:
    return ((offer.prompt_price or 0.0) + (offer.completion_price or 0.0), offer.route.tag)


def check_visit(visit: Visit) -> Iterator[Diagnosis]:
    """What one pinned probe proves, or why it proves nothing."""
    if not visit.answered:
        yield _refused(visit)
        return
    foreign = voided("doctor", visit.transcript)
    model, tag = visit.offer.route.model, visit.offer.route.tag
    if foreign is not None:
        remedy = (
            "until this is mended every probe is void: look at the account's plugins, presets and keys (BYOK)"
        )
        yield problem("probe", f"{tag}: {foreign.detail}", remedy, model=model)
    elif not _proof(visit.transcript):
        remedy = "nobody can prove who answers: is gateway.base_url really the gateway's?"
        yield problem("probe", f"{tag}: the answer names nobody as its provider.", remedy, model=model)
    else:
        yield fine("probe", _proved(visit), model=model)
    if visit.recorded:
        yield from _metadata(visit)
        yield from _record(visit)
    else:
        found = "This gateway keeps no record of generations: what an answer itself proves is all there is."
        yield fine("records", found, model=model)


def _refused(visit: Visit) -> Diagnosis:
    transcript, route = visit.transcript, visit.offer.route
    failure = transcript.answer.failure
    said = f" ({failure.message[:200]})" if failure and failure.message else ""
    status = transcript.status
    if blame_of(transcript) is Blame.OWN and status is not None:
        what, remedy = OWN_FAULTS.get(
            status, ("the gateway refused our request", "report it: this is our fault")
        )
        what = "a guardrail of ours refused it" if is_guardrail(transcript) else what
        return problem("probe", f"{route.tag} answered {status}: {what}{said}.", remedy, model=route.model)
    came = transcript.error if status is None else f"status {status}{said}"
    remedy = "try again; a route that does not answer is held against nobody"
    return note("probe", f"{route.tag} gave no answer: {came}.", remedy, model=route.model)


def _proved(visit: Visit) -> str:
    transcript = visit.transcript
    at = next((d.at for d in transcript.answer.deltas if d.text.strip() and d.at is not None), None)
    when = "" if at is None else f" after {at:.2f} s"
    return (
        f"{visit.offer.route.tag} answered{_proof(transcript)}{when}, "
        f"from no cache and altered by no plugin, for {visit.cost:.6f} USD."
    )


def _proof(transcript: Transcript) -> str:
    """By what it is known who served; empty where nobody is named."""
    if transcript.direct:
        return " on its own address"
    if transcript.proof is not None:
        return f", named by the header {transcript.proof},"
    return f" as {transcript.answer.provider}" if transcript.answer.provider else ""


def _metadata(visit: Visit) -> Iterator[Diagnosis]:
    metadata = visit.transcript.answer.metadata
    if not metadata:
        found = "The answer has no routing metadata: a second attempt or a plugin would not show."
        remedy = "see whether something between us and the gateway drops the header X-OpenRouter-Metadata"
        yield note("probe", found, remedy, model=visit.offer.route.model)
        return
    attempts = metadata.get("attempt")
    yield fine("probe", f"The gateway says that it took attempt {attempts}.", model=visit.offer.route.model)


def _record(visit: Visit) -> Iterator[Diagnosis]:
    model = visit.offer.route.model
    if visit.record is None:
        found = "The gateway has no record of the generation: endpoints of one provider cannot be told apart."
        yield note("probe", found, "try again later; records come some seconds after the answer", model=model)
        return
    endpoints = [endpoint or "an endpoint without id" for _, endpoint, _ in visit.record.attempts]
    if len(endpoints) > 1:
        found = f"The gateway's record names {len(endpoints)} attempts: {', '.join(endpoints)}."
        yield problem("probe", found, "a pinned probe must have one: report it to the gateway", model=model)
    elif endpoints:
        yield fine("probe", f"The gateway's record names the endpoint {endpoints[0]} alone.", model=model)


def check_plugins(transcript: Transcript) -> Diagnosis | None:
    """What the account's default plugins did to an answer that rounds would have asked without them."""
    if transcript.status != OK:
        return None
    touched = [_plugin(stage) for stage in _pipeline(transcript)]
    if not touched:
        return fine("plugins", "No default plugin of the account touches answers.")
    found = (
        f"The account's defaults touch answers: {', '.join(touched)}. Probes switch them off; your own "
        "requests do not, and may look better or other than what a host gave."
    )
    return note("plugins", found, "switch them off for the account, or know that you measure without them")


def _pipeline(transcript: Transcript) -> Sequence[Any]:
    stages = (transcript.answer.metadata or {}).get("pipeline")
    return stages if isinstance(stages, list) else ()


def _plugin(stage: Any) -> str:
    return str(stage.get("name") or stage.get("type")) if isinstance(stage, dict) else str(stage)
