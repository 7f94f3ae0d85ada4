"""What documents leave open (`openrouter-facts.md` §13): each question a few requests and what they prove."""

from __future__ import annotations

from statistics import median
from typing import Final

from serinus.core.model import Offer
from serinus.service.doctor.deep import OK, Bench, Question, Said, Settled, endpoint_of, places_of, shown
from serinus.wire.json_text import as_mapping, as_number, as_text

NOBODY: Final = "serinus-no-such-provider"
NOT_FOUND: Final = 404
SECONDS_BELOW: Final = (
    20.0  # no host answers within 20 ms, and few need 20 s: a median under it is in seconds
)


def _took(said: Said, offer: Offer) -> bool:
    return said.status == OK and said.provider == offer.display


async def unknown_in_only(bench: Bench) -> Settled:
    """An unknown name in `only`."""
    said = await bench.ask({"only": [NOBODY], "allow_fallbacks": False})
    answer = "it is refused (404)" if said.status == NOT_FOUND else f"it is not refused: {said}"
    return Settled("unknown name in provider.only", answer, (str(said),))


async def unknown_in_ignore(bench: Bench) -> Settled:
    """An unknown name in `ignore`."""
    said = await bench.ask(bench.both(ignore=[NOBODY]))
    passed = said.status == OK
    answer = "it passes without a word" if passed else f"it is refused ({said.status})"
    return Settled("unknown name in provider.ignore", answer, (str(said),))


async def display_names(bench: Bench) -> Settled:
    """The names that responses use, where requests want slugs."""
    return await _spelled(bench, "display name", bench.first.display)


async def upper_case(bench: Bench) -> Settled:
    """A tag in capitals."""
    return await _spelled(bench, "tag in upper case", bench.first.route.tag.upper())


async def _spelled(bench: Bench, what: str, name: str) -> Settled:
    """Whether a spelling means the first route, in `only` and in `ignore`."""
    question = f"{what} in provider.only and provider.ignore"
    if name in {bench.first.route.tag, bench.first.provider}:
        return Settled(
            question, None, (f"{name!r} is the slug itself",), why="here it is spelled like the slug"
        )
    pinned = await bench.ask({"only": [name], "allow_fallbacks": False})
    left_out = await bench.ask(bench.both(ignore=[name]))
    only = "means the route" if _took(pinned, bench.first) else f"means nobody ({pinned.status})"
    ignore = "has no effect" if _took(left_out, bench.first) else "leaves the route out"
    evidence = (f"only {name!r}: {pinned}", f"ignore {name!r}: {left_out}")
    return Settled(question, f"in only it {only}; in ignore it {ignore}", evidence)


async def tag_in_ignore(bench: Bench) -> Settled:
    """A full tag in `ignore`: what exclusions rest on."""
    said = await bench.ask(bench.both(ignore=[bench.first.route.tag]))
    if _took(said, bench.first):
        answer = "it does not leave the route out"
    else:
        answer = "it leaves the route out" if said.status in {OK, NOT_FOUND} else f"no answer: {said}"
    return Settled("full tag in provider.ignore", answer, (str(said),))


async def negative_status(bench: Bench) -> Settled:
    """Whether an endpoint with a negative status still answers a pin."""
    question = "status of an endpoint, and whether a negative one answers a pin"
    known = {as_text(row.get("tag")): as_number(row.get("status")) for row in await bench.listed()}
    low = min(((s, tag) for tag, s in known.items() if s is not None and s < 0 and tag), default=None)
    spread = f"listed: {shown({str(tag): s for tag, s in known.items()})}"
    if low is None:
        return Settled(question, None, (spread,), why="no endpoint of this model has a negative status now")
    status, tag = low
    said = await bench.ask({"only": [tag], "order": [tag], "allow_fallbacks": False})
    does = "answers" if said.status == OK else f"does not answer ({said.status})"
    answer = f"{tag} with status {status:g} {does}"
    return Settled(question, answer, (spread, str(said)))


async def endpoint_header(bench: Bench) -> Settled:
    """Whether `X-OR-Endpoint-Id` pins for an ordinary key."""
    question = "header X-OR-Endpoint-Id with an ordinary key"
    mine = await bench.ask({"only": [bench.second.route.tag], "allow_fallbacks": False})
    _, record = await bench.record(mine) if mine.id else (None, {})
    wanted = endpoint_of(record)
    if wanted is None:
        return Settled(question, None, (str(mine),), why="no record told the id of an endpoint")
    said = await bench.ask(bench.both(), X_OR_Endpoint_Id=wanted)
    honoured = _took(said, bench.second)
    answer = "it is honoured" if honoured else "it has no effect" if said.status == OK else f"refused: {said}"
    evidence = (
        f"endpoint {wanted} of {bench.second.route.tag}, with {bench.first.route.tag} first in order",
        str(said),
    )
    return Settled(question, answer, evidence)


async def preset_wiped(bench: Bench) -> Settled:
    """Whether a request's `provider` replaces that of a preset."""
    del bench
    why = "it needs a preset, and making one would change the account: make one and compare by hand"
    return Settled("request `provider` against a preset's", None, why=why)


async def sticky_ignored(bench: Bench) -> Settled:
    """Whether a conversation leaves its host at once when that is ignored."""
    question = "a conversation whose host is ignored from now on"
    pair = [bench.first.route.tag, bench.second.route.tag]
    session = f"{bench.session}-sticky"
    before = [await bench.ask({"only": pair}, session=session) for _ in range(2)]
    sticky = before[-1].provider
    host = bench.first if sticky == bench.first.display else bench.second
    after = await bench.ask({"only": pair, "ignore": [host.route.tag]}, session=session)
    if sticky is None or after.status != OK:
        return Settled(
            question, None, tuple(map(str, (*before, after))), why="not every request was answered"
        )
    moved = after.provider != sticky
    answer = (
        "it is served elsewhere at once"
        if moved
        else "it stays where it was: the ignore list does not reach it"
    )
    return Settled(question, answer, tuple(map(str, (*before, after))))


async def record_delay(bench: Bench) -> Settled:
    """How long after an answer its record can be read."""
    question = "delay until the record of a generation exists, and how long it is kept"
    said = await bench.ask(bench.both())
    waited, record = await bench.record(said) if said.id else (None, {})
    why = "how long records are kept takes weeks to see"
    if waited is None:
        return Settled(question, None, (str(said),), why="no record came within 20 s")
    evidence = (
        f"asked again after {waited:g} s",
        shown({k: record.get(k) for k in ("id", "latency", "provider_name")}),
    )
    return Settled(question, f"it is there after at most {waited:g} s; {why}", evidence)


async def availability(bench: Bench) -> Settled:
    """Where `availability` stands in an error that no endpoint is left for."""
    said = await bench.ask({"only": [NOBODY], "allow_fallbacks": False})
    places = places_of(said.value, "availability")
    codes = places_of(said.value, "code")
    answer = f"at {', '.join(places)}" if places else "there is none"
    return Settled(
        "where availability stands beside code", f"{answer}; code at {', '.join(codes)}", (shown(said.value),)
    )


async def latency_unit(bench: Bench) -> Settled:
    """The unit of the listing's latency."""
    question = "unit of latency_last_30m"
    told = [as_number(as_mapping(row.get("latency_last_30m")).get("p50")) for row in await bench.listed()]
    known = [value for value in told if value]
    if not known:
        return Settled(question, None, why="the listing tells no latency to this key now")
    middle = median(known)
    own = [f"{said.seconds:.2f} s" for said in bench.answers[:5]]
    unit = "seconds" if middle < SECONDS_BELOW else "milliseconds"
    evidence = (
        f"median of {len(known)} endpoints: {middle:g}",
        f"our own whole answers took {', '.join(own) or '?'}",
    )
    return Settled(question, unit, evidence)


async def guardrail_tags(bench: Bench) -> Settled:
    """Whether a guardrail takes the tag of a variant."""
    del bench
    why = "guardrails are read and written with a management key, which cannot ask models"
    return Settled("variant tag in a guardrail's ignored_providers", None, why=why)


QUESTIONS: Final[tuple[Question, ...]] = (
    *(unknown_in_only, unknown_in_ignore, display_names, upper_case, tag_in_ignore, guardrail_tags),
    *(
        negative_status,
        endpoint_header,
        preset_wiped,
        sticky_ignored,
        record_delay,
        availability,
        latency_unit,
    ),
)
