"""`serinus doctor --deep`: what documents leave open about the gateway, settled with one key."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from serinus.config import Settings
    from serinus.prober.secret import Key
    from serinus.service.doctor.deep import Bench, Settled

SETTLED, REFUSED, CANNOT = 0, 1, 2


async def deep(settings: Settings, key: Key | None, *, yes: bool, as_json: bool) -> tuple[int, float]:
    """Show what it can cost, ask whether that may be spent, then ask; the exit status and the US dollars."""
    from serinus.bootstrap.gateways import open_line  # noqa: PLC0415  `serinus --help` stays light
    from serinus.cli.records import put  # noqa: PLC0415  as above
    from serinus.service.doctor.deep import Bench, settle  # noqa: PLC0415  as above
    from serinus.service.doctor.deep_questions import QUESTIONS  # noqa: PLC0415  as above
    from serinus.service.doctor.served import pair  # noqa: PLC0415  as above

    if settings.gateway.name != "openrouter" or key is None:
        sys.stderr.write("--deep asks about OpenRouter, with a key: set OPENROUTER_API_KEY\n")
        return CANNOT, 0.0
    model = settings.model[0]
    async with open_line(settings, key) as (gateway, line):
        listing = await gateway.discover(model.id)
        two = pair(listing.offers, frozenset(model.controls))
        if two is None:
            sys.stderr.write(f"{model.id}: {listing.trouble or 'there are not two providers to compare'}\n")
            return CANNOT, 0.0
        bench = Bench(line, *two, asyncio.sleep, f"serinus-deep-{two[0].route.tag}")
        if not _agreed(bench, yes=yes):
            return REFUSED, 0.0
        found = await settle(bench, QUESTIONS)
    if as_json:
        put(
            {
                "model": model.id,
                "usd": round(bench.usd, 9),
                "asked": bench.asked,
                "questions": [_row(s) for s in found],
            }
        )
    else:
        sys.stdout.write("\n".join([*(_text(s) for s in found), _sum(bench, found), ""]))
    return SETTLED, bench.usd


def _agreed(bench: Bench, *, yes: bool) -> bool:
    """Whether a person, or --yes, agrees to the price, which is shown first."""
    from serinus.cli.acting import agreed, tell  # noqa: PLC0415  as above
    from serinus.service.doctor.deep import MOST  # noqa: PLC0415  as above

    routes = f"{bench.first.route.tag} and {bench.second.route.tag} of {bench.first.route.model}"
    tell(f"At most {MOST} short questions to {routes}, for at most {bench.most:.6f} USD.")
    return agreed("Go on?", yes=yes)


_BLANK: Final = " " * 4


def _text(settled: Settled) -> str:
    from serinus.cli.inert import inert  # noqa: PLC0415  as above

    answer = settled.answer or f"not settled: {settled.why}"
    cost = f" ({settled.asked} asked, {settled.usd:.6f} USD)" if settled.asked else ""
    lines = [f"{settled.question}{cost}", f"{_BLANK}{inert(answer, 400)}"]
    return "\n".join([*lines, *(f"{_BLANK}| {inert(evidence, 400)}" for evidence in settled.evidence)])


def _sum(bench: Bench, found: list[Settled]) -> str:
    settled = sum(s.answer is not None for s in found)
    return f"{settled} of {len(found)} settled with {bench.asked} questions for {bench.usd:.6f} USD"


def _row(settled: Settled) -> dict[str, Any]:
    return {
        "question": settled.question,
        "answer": settled.answer,
        "why": settled.why,
        "evidence": list(settled.evidence),
        "asked": settled.asked,
        "usd": round(settled.usd, 9),
    }
