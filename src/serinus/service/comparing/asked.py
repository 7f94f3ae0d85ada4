"""What was asked for, looked over; what is wrong with it is told together with what is allowed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime
from typing import Final

from serinus.contracts import contracts
from serinus.core.model import Offer
from serinus.judging.contract import Contract
from serinus.probes.languages import available
from serinus.service.comparing import prompts
from serinus.service.comparing.request import ComparisonError, ComparisonRequest

MOST_ANSWERS: Final = 500  # of one route
LEAST_ROUTES: Final = 2
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")


def contract_of(request: ComparisonRequest) -> Contract:
    """The contract that is compared: a scored one that asks, and that can judge these prompts.

    Raises:
        ComparisonError: there is none of that name, or too many answers are wanted.
    """
    able = _able(foreign=request.prompts is not None)
    names = ", ".join(c.name for c in able)
    found = next((c for c in able if c.name == request.contract), None)
    if found is None:
        of = "answers to prompts of a file" if request.prompts is not None else "a comparison"
        message = f"contract: found {request.contract!r}; those that can judge {of} are {names}"
        raise ComparisonError(message)
    if request.prompts is not None and found.name in prompts.OF_A_LANGUAGE and not request.languages:
        message = f"contract {found.name} must know the language of the prompts: name it (--language pt)"
        raise ComparisonError(message)
    for answers, what in ((request.answers, "answers"), (request.peer_answers or 1, "answers of peers")):
        if not 1 <= answers <= MOST_ANSWERS:
            message = f"{what}: found {answers}, allowed are 1 to {MOST_ANSWERS}"
            raise ComparisonError(message)
    return found


def known_contracts() -> tuple[str, ...]:
    """The contracts that can be compared."""
    return tuple(c.name for c in _able(foreign=False))


def _able(*, foreign: bool) -> list[Contract]:
    """The contracts that can be compared; with `foreign` those that judge answers to a file's prompts."""
    asking = [c for c in contracts() if c.scored and prompts.own_probes(c, 1, ("en",), "?", frozenset())]
    return [c for c in asking if prompts.judges_foreign(c)] if foreign else asking


def languages_of(request: ComparisonRequest, usual: Sequence[str]) -> tuple[str, ...]:
    """The languages to ask in: the wanted ones or the usual; of a file's prompts one, or none is known.

    Raises:
        ComparisonError: one is unknown, or prompts of a file are said to be in several.
    """
    for code in request.languages:
        if code not in available():
            message = f"language: found {code!r}, known are {', '.join(available())}"
            raise ComparisonError(message)
    if request.prompts is not None and len(request.languages) > 1:
        message = "prompts of a file are in one language: name one, or none"
        raise ComparisonError(message)
    return request.languages or (() if request.prompts is not None else tuple(usual))


def name_of(request: ComparisonRequest, at: datetime) -> str:
    """The name that was given, or `opening-story-70b-20261130t080312z`.

    Raises:
        ComparisonError: the given one has other characters than a name may have, or is too long.
    """
    if request.name is not None:
        if not _NAME.fullmatch(request.name):
            message = (
                f"name: found {request.name!r}, allowed are a-z, 0-9, '.', '_' and '-', up to 100 of them"
            )
            raise ComparisonError(message)
        return request.name
    model = re.sub(r"[^a-z0-9.-]+", "-", request.model.rpartition("/")[2].lower())[:40].strip("-.")
    return f"{request.contract.replace('_', '-')}-{model}-{at.astimezone(UTC):%Y%m%dt%H%M%Sz}"


def suspects_of(request: ComparisonRequest, offers: Sequence[Offer]) -> frozenset[str]:
    """The tags of the routes that were named, by tag or by provider.

    Raises:
        ComparisonError: none has such a name.
    """
    found: set[str] = set()
    for name in request.routes:
        tags = {o.route.tag for o in offers if name in {o.route.tag, o.provider}}
        if not tags:
            known = ", ".join(o.route.tag for o in offers)
            message = f"route: {name!r} does not serve {request.model} now; live are {known}"
            raise ComparisonError(message)
        found |= tags
    return frozenset(found)


def left_out(
    request: ComparisonRequest,
    contract: Contract,
    offers: Sequence[Offer],
    suspects: AbstractSet[str],
    controls: AbstractSet[str],
) -> dict[str, str]:
    """Routes that are no peers, each with why: a control filters by design, some lack what is asked for."""
    found = {}
    for offer in offers:
        tag = offer.route.tag
        if tag in controls and tag not in suspects:
            found[tag] = "a control, which is known to filter"
        elif request.prompts is None and not prompts.asks_route(contract, offer):
            found[tag] = f"it does not claim what {contract.name} asks for"
    return found


def check_routes(
    request: ComparisonRequest,
    offers: Sequence[Offer],
    suspects: AbstractSet[str],
    out: Mapping[str, str],
) -> None:
    """See that the suspects can be asked and have a peer.

    Raises:
        ComparisonError: they cannot, or have none.
    """
    for tag in sorted(suspects & set(out)):
        message = f"route: {tag} cannot be asked this: {out[tag]}"
        raise ComparisonError(message)
    if len(offers) < LEAST_ROUTES:
        why = "".join(f"; {tag} is left out: {reason}" for tag, reason in out.items())
        message = f"routes: found {len(offers)} of {request.model} to ask, {LEAST_ROUTES} are the least{why}"
        raise ComparisonError(message)


def notes_of(request: ComparisonRequest) -> tuple[str, ...]:
    """What an operator is told before a file's prompts are asked."""
    if request.prompts is None:
        return ()
    count = len(request.prompts)
    able = ", ".join(c.name for c in _able(foreign=True))
    notes = [f"The answers to a file's prompts can be judged by {able}; neither is kept."]
    if count > request.answers:
        notes.append(
            f"Only the first {request.answers} of {count} prompts are asked; give -n {count} to ask all."
        )
    return tuple(notes)
