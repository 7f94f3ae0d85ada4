"""One probe sent to one route, and what came back as a transcript: the same through every gateway."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from serinus.core.model import Limits, Offer, Probe
from serinus.core.transcript import Answer, Event, Transcript
from serinus.prober.attempt import Patience
from serinus.prober.exchange import Exchange, Request
from serinus.prober.prober import Prober
from serinus.wire.chat import answer_of_body, answer_of_events

_FIRST_ERROR: Final = 400


async def asked(  # noqa: PLR0913  two say how who served is proved, and have a default
    prober: Prober,
    request: Request,
    offer: Offer,
    sent: Probe,
    limits: Limits,
    *,
    direct: bool = False,
    proof: str | None = None,
) -> Transcript:
    """Send the request of a probe once and read its answer; never raises for what came back.

    `sent` is the probe as the request carries it. `direct` and `proof` mean what they mean in a
    `Transcript`.
    """
    exchange = await prober.exchange(request, Patience(hard=limits.hard, has_text=_says_something))
    return Transcript(
        probe=sent,
        answer=_answer(exchange),
        route=offer.route,
        pin=offer.route.tag,
        display=offer.display,
        direct=direct,
        proof=proof,
        status=exchange.status,
        headers=exchange.headers,
        events=exchange.events,
        body=exchange.body,
        end=exchange.end,
        ended=exchange.ended,
        phase=exchange.phase,
        error=exchange.error,
        timing=exchange.timing,
        limits=limits,
        reasoning_mandatory=offer.reasoning_mandatory,
        claims=offer.claims or None,  # a listing without any parameter tells nothing
    )


def _says_something(events: Sequence[Event]) -> bool:
    answer = answer_of_events(events)
    return bool(answer.text or answer.refusal or answer.tool_calls)


def _answer(exchange: Exchange) -> Answer:
    """The answer in what came; an error status is read as a body even if it came as an event."""
    if exchange.status is None:
        return Answer()
    data = [event.data for event in exchange.events if event.data is not None]
    body = exchange.body
    if body is None and exchange.status >= _FIRST_ERROR:
        body = "\n".join(data)
    return answer_of_events(exchange.events) if body is None else answer_of_body(exchange.status, body)
