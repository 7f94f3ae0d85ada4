"""A round as a person sees it in a terminal: routes × contracts, what failed and why, what follows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from serinus.cli.inert import inert
from serinus.core import explain
from serinus.core.exclusions import IgnoreList, Layer
from serinus.core.model import Control, Finding, Word
from serinus.core.policy import Decision, Entry, Kind, Warned
from serinus.service.rounds import RoundReport, RouteReport

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
_BAD: Final = frozenset({Kind.SUSPENDED, Kind.RENEWED, Kind.BELOW_FLOOR})
_GOOD: Final = frozenset({Kind.RESTORED, Kind.EXPIRED, Kind.LIFTED})


def matrix(report: RoundReport, contracts: Sequence[str], ignored: Mapping[str, str]) -> Table:
    """Routes × contracts; `ignored` says of a tag why it gets no traffic."""
    table = Table(box=None, pad_edge=False, padding=(0, 1), header_style="bold")
    table.add_column("route", no_wrap=True)
    table.add_column("in", no_wrap=True)
    for name in contracts:
        table.add_column(name.replace("_", "\n", 1), justify="center", vertical="bottom")
    table.add_column("stands", overflow="fold")
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


def asked_contracts(reports: Iterable[RouteReport], order: Sequence[str]) -> list[str]:
    """The contracts that any route was asked about, in the given order."""
    asked = {f.contract for r in reports for f in r.findings if f.verdict.word is not Word.NOT_APPLICABLE}
    return [name for name in order if name in asked]


def troubles(report: RoundReport) -> list[Text]:
    """One line for each finding that is neither kept nor plainly undecided, the worst first."""
    told = [
        (route.offer.route.tag, f)
        for route in report.routes
        for f in route.findings
        if f.verdict.word in (Word.FAIL, Word.VOID, Word.ALARM)
    ]
    return [_trouble(tag, f) for tag, f in told]


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
    return Text.assemble((kind, style), "  ", inert(explain.of_decision(decision), limit=600))


def ignore_lines(ignore: IgnoreList) -> list[Text]:
    """The merged list as the gateway gets it, and why each name is on it."""
    names = ", ".join(f'"{inert(n)}"' for n in ignore.ignore)
    lines = [Text.assemble(("provider.ignore  ", "bold"), f"[{names}]")]
    lines += [Text("  " + inert(sentence, limit=400), style="yellow") for sentence in explain.of_list(ignore)]
    return lines


def standing(ignore: IgnoreList) -> dict[str, str]:
    """Why each excluded name gets no traffic, in few words: `suspended until 02:30 (level 1)`."""
    told = {}
    for entry in ignore.entries:
        if entry.name not in ignore.ignore:
            continue
        if entry.layer is Layer.SUSPENSION:
            until = f"{entry.until:%m-%d %H:%M:%S}" if entry.until else "lifted by hand"
            told[entry.name] = f"suspended until {until}"
        else:
            told[entry.name] = f"excluded ({entry.layer})"
    return told


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
    """Print the parts one under the other."""
    for part in parts:
        console.print(part, soft_wrap=isinstance(part, Text))
