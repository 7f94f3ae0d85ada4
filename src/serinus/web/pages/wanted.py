"""The fields of the form that a comparison is asked by, and the request that they make."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from serinus.service.comparing.request import ANSWERS, ComparisonRequest
from serinus.web.problems import Problem

MOST_USD = 1_000_000.0
Short = Annotated[str, Field(max_length=500)]


class Wanted(BaseModel):
    """What was filled in, as it was: empty fields are left to the usual."""

    model: Short = ""
    route: Annotated[tuple[Short, ...], Field(max_length=100)] = ()
    contract: Short = ""
    answers: Short = str(ANSWERS)
    peers: Short = ""
    language: Short = ""
    budget: Short = ""
    report: Annotated[str, Field(max_length=15)] = ""


def request_of(wanted: Wanted, by: str) -> ComparisonRequest:
    """The request of a form.

    Raises:
        Problem: a field cannot be read; the service looks at all else.
    """
    return ComparisonRequest(
        model=wanted.model,
        contract=wanted.contract,
        by=by,
        routes=wanted.route,
        answers=_whole("Answers of each suspect", wanted.answers) or ANSWERS,
        peer_answers=_whole("Answers of each peer", wanted.peers),
        languages=(wanted.language,) if wanted.language else (),
        leave=_money(wanted.budget),
    )


def _whole(what: str, text: str) -> int | None:
    if not text.strip():
        return None
    if not (text.strip().isascii() and text.strip().isdecimal()) or len(text) > 6:  # noqa: PLR2004  the service says how many are allowed
        raise Problem(422, f"{what}: found {text[:20]!r}, allowed is a whole number. Nothing was asked.")
    return int(text)


def _money(text: str) -> float | None:
    if not text.strip():
        return None
    try:
        amount = float(text.strip().replace(",", "."))
    except ValueError:
        amount = -1.0
    if not 0 <= amount <= MOST_USD:
        raise Problem(
            422, f"Budget: found {text[:20]!r}, allowed are US dollars, such as 0.50. Nothing was asked."
        )
    return amount
