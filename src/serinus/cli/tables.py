"""A round as a person sees it in a terminal: routes × contracts, what failed and why, what follows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from serinus.cli.inert import inert
from serinus.cli.paper import columned
from serinus.contracts import FIRST
from serinus.core import explain
from serinus.core.exclusions import IgnoreList, Layer
from serinus.core.model import Control, Finding, Word
from serinus.core.policy import Decision, Entry, Kind, Warned
from serinus.service.round_report import RoundReport, RouteReport
from serinus.service.troubles import OWN_FAULT

# A shape and a colour for each word, so that neither is needed to read the other.
MARKS: Final[Mapping[Word, tuple[str, str]]] = {
    Word.PASS: ("ok", "green"),
    Word.FAIL: ("FAIL", "bold red"),
    Word.WARN: ("warn", "yellow"),
    Word.INCONCLUSIVE: ("?", "yellow"),
    Word.TRANSPORT: ("net", "magenta"),
    Word.VOID: ("void", "magenta"),
    Word.NOT_APPLICABLE: ("-", "dim"),
    Word.WEAK: ("weak", "bold yellow"),
    Word.ALARM: ("ALARM", "bold red"),
}
LEGEND: Final = (
    "ok kept   FAIL broken   ? undecided   net no scorable answer   void not this route's   - not asked"
)
_WORTH: Final = frozenset({Word.FAIL, Word.ALARM})
TOLD: Final = _WORTH | {Word.VOID}  # verdicts that have a line of their own, here and in a log
_BAD: Final = frozenset({Kind.SUSPENDED, Kind.RENEWED, Kind.BELOW_FLOOR})
_GOOD: Final = frozenset({Kind.RESTORED, Kind.EXPIRED, Kind.LIFTED})


def matrix(report: RoundReport, contracts: Sequence[str], ignored: Mapping[str, str]) -> Table:
    """Routes × contracts; `ignored` says of a tag why it gets no traffic."""
    table = columned()
    table.add_column("route", no_wrap=True)
    table.add_column("in", no_wrap=True)
    for name in contracts:
        table.add_column(name.replace("_", "\n", 1), justify="center", vertical="bottom", overflow="fold")
    table.add_column("stands", no_wrap=True)
    for route in report.routes:
        tag = route.offer.route.tag
        words = {f.contract: f.verdict.word for f in route.findings}
        stands = ignored.get(tag) or ("control" if tag in report.controls else "production")
        table.add_row(
            Text(inert(tag)),
            route.turn.language,
            *(_mark(words.get(name, Word.NOT_APPLICABLE)) for name in contracts),
            Text(stands, style="red" if tag in ignored else "dim"),
        )
    return table


def _mark(word: Word) -> Text:
    shown, style = MARKS[word]
    return Text(shown, style=style)


def columns(reports: Iterable[RouteReport], order: Sequence[str]) -> tuple[list[str], list[str]]:
    """The contracts worth a column, and the others that were asked, of which none failed.

    The four that were asked for first always have one; a further contract earns it by a failure.
    """
    words: dict[str, set[Word]] = {}
    for finding in (f for r in reports for f in r.findings):
        words.setdefault(finding.contract, set()).add(finding.verdict.word)
    asked = [name for name in order if words.get(name, set()) - {Word.NOT_APPLICABLE}]
    worth = [name for name in asked if name in FIRST or words[name] & _WORTH]
    return worth, [name for name in asked if name not in worth]


def troubles(report: RoundReport) -> list[Text]:
    """One line for each thing that is wrong: with us first, then with routes.

    What several contracts say of a route alike, as they do of an answer that is another's, is said once.
    """
    told: dict[tuple[str, Word, str, str], Finding] = {}
    for route in report.routes:
        for f in route.findings:
            if f.verdict.word in TOLD:
                key = (route.offer.route.tag, f.verdict.word, f.verdict.reason, f.verdict.detail)
                told.setdefault(key, f)
    return [*_our_faults(report), *(_trouble(tag, f) for (tag, *_), f in told.items())]


def _our_faults(report: RoundReport) -> list[Text]:
    """Our own key, account or request was refused: one line for each way, whatever the number of routes."""
    hit: dict[str, dict[str, None]] = {}
    for route in report.routes:
        for f in route.findings:
            if f.verdict.reason == OWN_FAULT:
                hit.setdefault(f.verdict.detail, {})[route.offer.route.tag] = None
    return [
        Text.assemble(
            ("ours", "bold red"),
            f"  {inert(detail, limit=300)} So it was at {explain.counted(len(tags), 'route')}, "
            "of which it says nothing; `serinus doctor` looks over key, credit and account.",
        )
        for detail, tags in hit.items()
    ]


def _trouble(tag: str, finding: Finding) -> Text:
    sentence = explain.of_verdict(finding.contract, finding.verdict)
    return Text.assemble((inert(tag), "bold"), "  ", inert(sentence))


def decisions(entries: Iterable[Entry]) -> list[Text]:
    """One line for each decision and warning."""
    lines = []
    for entry in entries:
        if isinstance(entry, Decision):
            lines.append(_decision(entry))
        elif isinstance(entry, Warned):
            lines.append(Text.assemble(("note  ", "yellow"), inert(explain.of_warning(entry))))
    return lines


def _decision(decision: Decision) -> Text:
    style = "bold red" if decision.kind in _BAD else "bold green" if decision.kind in _GOOD else "bold yellow"
    kind = decision.kind.value.replace("_", " ")
    if decision.enforced is False:
        kind = f"would be {kind}" if decision.kind in _BAD | _GOOD else kind
    whom = f"{inert(decision.route)}  " if decision.route else ""
    return Text.assemble((kind, style), "  ", (whom, "bold"), inert(explain.of_decision(decision), limit=600))


def ignore_lines(ignore: IgnoreList) -> list[Text]:
    """The merged list as the gateway gets it, and why each name is on it."""
    names = ", ".join(f'"{inert(n)}"' for n in ignore.ignore)
    lines = [Text.assemble(("provider.ignore  ", "bold"), f"[{names}]")]
    lines += [Text("  " + inert(sentence, limit=400), style="yellow") for sentence in explain.of_list(ignore)]
    return lines


def standing(ignore: IgnoreList) -> dict[str, str]:
    """Why each excluded name gets no traffic, in few words: `out until 12-01 02:30:00`."""
    told = {}
    for entry in ignore.entries:
        if entry.name not in ignore.ignore:
            continue
        if entry.layer is Layer.SUSPENSION:
            told[entry.name] = f"out until {entry.until:%m-%d %H:%M:%S}"
        else:
            told[entry.name] = f"out ({entry.layer})"
    return told


def shift_lines(report: RoundReport) -> list[Text]:
    """Routes whose count of the same prompt stands apart: another template or model, perhaps."""
    return [
        Text.assemble(
            (inert(s.tag), "bold"),
            f"  counts {s.tokens} tokens for a prompt that its peers count as about {s.usual}: "
            "its template or its model may be another (not scored)",
            style="yellow",
        )
        for s in report.shifts
    ]


def controls_line(controls: Mapping[str, Control]) -> list[Text]:
    """What the controls did, where there are any (R8)."""
    said = {
        Control.CAUGHT: "refused as it should: the filtering probe can see filters",
        Control.PASSED: "answered: the filtering probe is weak in this round",
        Control.UNREACHABLE: "was not reached: passes of filtering are unproven",
    }
    return [
        Text.assemble(("control  ", "bold"), inert(tag), " ", said[what]) for tag, what in controls.items()
    ]


def show(console: Console, parts: Iterable[RenderableType]) -> None:
    """Print the parts one under the other: sentences break between words in a terminal, and not in a file."""
    for part in parts:
        console.print(part, soft_wrap=isinstance(part, Text) and not console.is_terminal)
