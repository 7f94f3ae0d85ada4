"""A comparison as Markdown, for a ticket or a pack; text of hosts is shown, never obeyed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from serinus.core.comparison.standing import Standing
from serinus.core.explain import comparisons as told
from serinus.core.explain.phrases import counted, listed, moment
from serinus.service.comparing.documents import notes
from serinus.service.comparing.result import Comparison
from serinus.text.inert import inert

_ACTIVE: Final = re.compile(r"[\\`*_{}\[\]|<>~&@]|:(?=//)")
_HEAD: Final = ("route", "precision", "failed", "share (95 %)", "against its peers", "not counted", "")
LINE: Final = 600


def markdown(found: Comparison) -> str:
    """The verdict, what goes with it, the table, and how it was done."""
    asked = found.asked
    lines = [
        f"# Comparison {plain(asked.name)}",
        "",
        "The same prompts were sent to several hosts of one model, each request pinned to one of them.",
        "",
        f"**{plain(told.of_comparison(found.conclusion), LINE)}**",
        "",
        *(f"- {plain(note, LINE)}" for note in notes(found)),
        "",
        *table(found),
        "",
        *method(found),
    ]
    return "\n".join(lines) + "\n"


def table(found: Comparison) -> list[str]:
    """The routes, the one that stands out most first."""
    rows = [_row(standing, found) for standing in ordered(found.conclusion.standings)]
    return [_line(_HEAD), _line(["---"] * len(_HEAD)), *(_line(map(plain, row)) for row in rows)]


def ordered(standings: Iterable[Standing]) -> list[Standing]:
    """The routes by how far they stand out; those of which nothing counted last."""
    return sorted(
        standings,
        key=lambda s: (not s.count.counted, not s.above, 1.0 if s.p is None else s.p, s.route.tag),
    )


def _row(standing: Standing, found: Comparison) -> list[str]:
    route = standing.route
    against = ""
    if standing.weighed is not None:
        against = f"{told.of_count(standing.peers)}, {told.of_chance_value(standing.weighed)}"
    return [
        route.tag,
        route.known_precision or "?",
        told.of_count(standing.count),
        told.of_percents(standing.interval) if standing.count.counted else "",
        against,
        told.of_apart(route.apart),
        ", ".join(roles(standing, found)),
    ]


def roles(standing: Standing, found: Comparison) -> list[str]:
    """What a route is in this comparison: blamed, asked about, the author's own."""
    route, said = standing.route, []
    if route.tag in found.conclusion.blamed:
        said.append("the fault follows it")
    elif standing.stands_out:
        said.append("stands out")
    if route.suspect:
        said.append("asked about")
    if route.own:
        said.append("author's own")
    return said


def method(found: Comparison) -> list[str]:
    """How it was done, so that anybody can judge it or do it again."""
    asked = found.asked
    spoken = f" in {listed(asked.languages)}" if asked.languages else ""
    prompts = f"the contract's own synthetic prompts{spoken}, each with a nonce of its own"
    if asked.prompts is not None:
        prompts = (
            f"{counted(asked.prompts, 'prompt')} of a file ({asked.digest}){spoken}, of which nothing is kept"
        )
    about = f"about {listed(asked.suspects)}" if asked.suspects else "about every route"
    lines = [
        "## How it was done",
        "",
        f"- Model `{code(asked.model)}`, {about}.",
        f"- Contract `{code(asked.contract)}`: {plain(asked.promise)}",
        (
            f"- {moment(asked.at)}: {found.done} of {counted(asked.wanted, 'request')} made, "
            f"{found.cost:.4f} USD, state {found.state}."
        ),
        f"- Asked: {plain(prompts, LINE)}; {_answers(found)}.",
        (
            "- Each request was pinned to one route with fallbacks off and made once. The same prompts "
            "went to every route, interleaved, in an order that chance gave "
            f"(seed `{code(asked.seed)}`)."
        ),
        (
            "- Transport errors, answers of another route and answers that no judge can decide count as "
            "neither good nor bad."
        ),
        (
            "- Tests: Fisher's exact test, two-sided, each route against all others, corrected by Holm "
            "(1979); intervals of Clopper and Pearson (1934). Where prompts repeat, answers are weighed "
            "by their agreement (Rao and Scott 1992) and whole prompts drawn again (cluster bootstrap)."
        ),
    ]
    lines += [f"- {plain(tag)} was left out: {plain(why)}." for tag, why in asked.left_out.items()]
    return lines


def _answers(found: Comparison) -> str:
    asked = found.asked
    if not asked.suspects or asked.peer_answers == asked.answers:
        return f"{counted(asked.answers, 'answer')} of each route"
    return f"{counted(asked.answers, 'answer')} of each suspect, {asked.peer_answers} of each peer"


def plain(text: str, limit: int = 240) -> str:
    """Text in which nothing is markup, no character hidden and no line ended."""
    return _ACTIVE.sub(lambda mark: f"\\{mark[0]}", inert(text, limit))


def code(text: str) -> str:
    """Text between single backticks."""
    return inert(text, LINE).replace("`", "'")


def fenced(text: str) -> list[str]:
    """Several lines of foreign text, verbatim but for control characters, that cannot leave their block."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    lines: Sequence[str] = [inert(line, len(line)) for line in re.split(r"\r\n|\r|\n", text)]
    return [f"{fence}text", *lines, fence]


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
