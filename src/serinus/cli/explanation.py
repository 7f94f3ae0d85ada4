"""The explanation of a route, for people and for programs."""

from __future__ import annotations

from rich.console import RenderableType
from rich.text import Text

from serinus.cli.inert import inert
from serinus.core import explain
from serinus.core.policy import Decision
from serinus.service.explaining import Explanation, Past, excerpt
from serinus.service.storage import FindingRow, TranscriptRow

MARKS = {True: "marked right", False: "marked wrong", None: ""}
LINE = 600  # characters of a sentence that are shown


def parts(found: Explanation) -> list[RenderableType]:
    """What a terminal shows: where it stands, what would change that, the evidence."""
    route = found.route
    title = Text.assemble(
        (inert(route.tag), "bold"), " of ", inert(route.model), f" ({inert(route.provider)})"
    )
    shown: list[RenderableType] = [Text(""), title]
    sections = (
        ("where it stands", [Text(inert(s, LINE)) for s in found.why]),
        ("what would change it", [Text(inert(s, LINE)) for s in found.outlook]),
        ("anomalies of the last day", [_finding(f) for f in found.findings]),
        ("kept transcripts of the last day", [_transcript(t) for t in found.kept]),
        ("decisions", [_past(p) for p in found.past]),
    )
    for name, lines in sections:
        if lines:
            shown += [Text(""), Text(name, style="bold cyan"), *(Text("  ") + line for line in lines)]
    return [*shown, Text("")]


def _finding(row: FindingRow) -> Text:
    language = f" [{row.language}]" if row.language else ""
    said = explain.of_finding(row.contract, row.word, row.reason, row.detail)
    return Text.assemble((f"{row.at:%m-%d %H:%M}", "dim"), inert(language), " ", inert(said, LINE))


def _transcript(row: TranscriptRow) -> Text:
    name = f"{row.round} {row.probe} attempt {row.attempt}"
    return Text.assemble((inert(name), "dim"), "  ", f"“{inert(excerpt(row.document))}”")


def _past(past: Past) -> Text:
    entry = past.entry
    if isinstance(entry, Decision):
        kind = entry.kind.value.replace("_", " ")
        said = f"{'would be ' if entry.enforced is False else ''}{kind}: {explain.of_decision(entry)}"
    else:
        said = explain.of_act(entry)
    mark = f"  ({MARKS[past.mark]})" if past.mark is not None else ""
    return Text.assemble((f"{past.seq:>6}  {entry.at:%Y-%m-%d %H:%M}", "dim"), "  ", inert(said, LINE), mark)
