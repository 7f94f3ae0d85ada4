"""The layers of exclusion, one by one and merged, for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from serinus.cli.acting import LINE, tell
from serinus.cli.inert import inert
from serinus.cli.paper import console
from serinus.cli.records import put
from serinus.cli.tables import show
from serinus.core import explain
from serinus.core.exclusions import Exclusion, IgnoreList, Layer
from serinus.core.listing import ignore_list, suspended
from serinus.core.policy import Exclude
from serinus.service.desk import Desk
from serinus.service.records import exclusion, listing
from serinus.service.reviews import gone, old


def show_layers(desk: Desk, models: Sequence[str], *, as_json: bool) -> None:
    """Every entry that is not over, layer by layer, and how many routes it covers."""
    entries = [e for e in desk.state.exclusions.values() if _stands(desk, e, models)]
    entries += [e for name in models for e in suspended(desk.state, name) if _stands(desk, e, models)]
    names = desk.names(models)
    lines: list[Text] = []
    for e in sorted(entries, key=_order):
        routes = sum(len(n.covered(e.name)) for n in names if e.concerns(n.model))
        if as_json:
            put({"model": e.model, "covers": routes, **exclusion(e)})
        else:
            lines.append(_line(e, routes))
    if not as_json:
        show(console(), lines or [Text("Nothing is excluded.")])
        for name in models:
            for sentence in explain.of_list(ignore_list(desk.state, name, desk.at)):
                tell(sentence)


def tell_of_reviews(desk: Desk, models: Sequence[str], reviewed: Sequence[Exclude]) -> None:
    """Say which reviewed exclusions need another look, and why."""
    ours = [e for e in reviewed if e.model is None or e.model in models]
    for doubt in (*old(ours, desk.at), *gone(ours, desk.names(models))):
        tell(doubt.found)


def _line(e: Exclusion, routes: int) -> Text:
    until = f"until {e.until:%Y-%m-%d %H:%M}" if e.until else "without end"
    covers = explain.counted(routes, "route") if routes else "nothing known"
    facts = f"{e.layer}, {e.model or 'all models'}, since {e.since:%Y-%m-%d %H:%M} {until}, covers {covers}"
    said = f"{facts}, by {e.by or 'nobody named'}: {e.why or 'no reason given'}"
    return Text.assemble((inert(e.name), "bold"), "  ", inert(said, LINE))


def _stands(desk: Desk, entry: Exclusion, models: Sequence[str]) -> bool:
    """Whether an entry is in force, or will be."""
    over = entry.until is not None and entry.until <= desk.at
    return not over and any(entry.concerns(name) for name in models)


def show_merged(desk: Desk, models: Sequence[str], *, as_json: bool) -> None:
    """Each model's list as the gateway gets it."""
    for name in models:
        found = ignore_list(desk.state, name, desk.at)
        if as_json:
            put(listing(found))
        else:
            show(
                console(),
                [Text(inert(name), style="bold"), ignore_line(found), *_provenance(found), Text("")],
            )
        for sentence in explain.of_list(found):
            tell(sentence)


def ignore_line(found: IgnoreList) -> Text:
    """The names as the gateway gets them."""
    names = ", ".join(f'"{inert(n)}"' for n in found.ignore)
    return Text.assemble(("provider.ignore  ", "bold"), f"[{names}]")


def _provenance(found: IgnoreList) -> list[Text]:
    """One line an entry: where its name comes from."""
    return [
        Text.assemble("  ", (inert(e.name), "bold"), "  ", inert(explain.of_exclusion(e), LINE))
        for e in found.entries
    ]


def _order(entry: Exclusion) -> tuple[int, str, str]:
    return (list(Layer).index(entry.layer), entry.name, entry.model or "")
