"""An evidence pack to send to a provider: what was done, what came of it, and how to see it again."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any, Final

from serinus.core.explain.phrases import counted
from serinus.core.instants import format_instant
from serinus.core.model import Word
from serinus.service.comparing.documents import document
from serinus.service.comparing.markdown import code, fenced, markdown, plain
from serinus.service.comparing.result import Comparison, Sample

FAILING: Final = 6  # answers shown
HEALTHY: Final = 4


def pack(found: Comparison) -> Mapping[str, str]:
    """The files of the pack by name. None holds a key; of an operator's prompts none holds anything."""
    shown = samples(found)
    files = {
        "README.md": _readme(found, shown),
        "results.json": json.dumps(document(found), indent=2, sort_keys=True, ensure_ascii=False) + "\n",
    }
    if any(s.by_hand for s in shown):
        files["repeat.sh"] = _script(found, shown)
    return files


def samples(found: Comparison) -> tuple[Sample, ...]:
    """The answers worth showing: failing ones of whoever the verdict names, then healthy ones of others.

    Peers of the same precision class and the author's own host speak most, so they come first.
    """
    conclusion = found.conclusion
    named = set(conclusion.tags)
    routes = {r.tag: r for r in found.routes}
    precisions = {routes[tag].known_precision for tag in named if tag in routes}

    def nearness(sample: Sample) -> tuple[bool, bool]:
        route = routes[sample.tag]
        return (not route.own, route.known_precision is None or route.known_precision not in precisions)

    failing = [s for s in found.samples if s.word == Word.FAIL and s.tag in named]
    healthy = [s for s in found.samples if s.word == Word.PASS and s.tag not in conclusion.blamed]
    return (*_in_turn(failing, FAILING), *sorted(healthy, key=nearness)[:HEALTHY])


def _in_turn(found: Sequence[Sample], most: int) -> list[Sample]:
    """So many of them, of each route in turn."""
    by_tag: dict[str, list[Sample]] = {}
    for sample in found:
        by_tag.setdefault(sample.tag, []).append(sample)
    deepest = max(map(len, by_tag.values()), default=0)
    return [queue[n] for n in range(deepest) for queue in by_tag.values() if n < len(queue)][:most]


def _readme(found: Comparison, shown: Sequence[Sample]) -> str:
    lines = [markdown(found), "## Answers", ""]
    if found.asked.prompts is not None:
        lines += ["The prompts were an operator's own, so neither they nor their answers are kept.", ""]
    for sample in shown:
        lines += _told(sample)
    lines += [
        "## What is here",
        "",
        "- `results.json`: every count, interval and test, and the answers above.",
    ]
    if any(s.by_hand for s in shown):
        wants = ", ".join(f"`${name}`" for name in _keys(shown))
        lines.append(f"- `repeat.sh`: the requests behind these answers, as curl lines; it wants {wants}.")
    return "\n".join(lines) + "\n"


def _told(sample: Sample) -> list[str]:
    lines = [
        f"### {plain(sample.tag)}: {sample.word} ({plain(sample.reason)})",
        "",
        (
            f"- at {format_instant(sample.at)}, prompt {plain(sample.prompt)}, "
            f"generation {plain(sample.generation or 'without an id')}"
        ),
    ]
    if sample.provider:
        lines.append(f"- the answer names {plain(sample.provider)} as its provider")
    if sample.first_text is not None:
        lines.append(f"- first text after {sample.first_text:.2f} s")
    if sample.detail:
        lines.append(f"- `{code(sample.detail)}`")
    lines.append("")
    if sample.text is not None:
        lines += [*fenced(sample.text), ""]
    return lines


def _script(found: Comparison, shown: Sequence[Sample]) -> str:
    repeatable = [s for s in shown if s.by_hand]
    lines = [
        "#!/bin/sh",
        f"# {counted(len(repeatable), 'request')} of the comparison {found.asked.name}, pinned each.",
        *(f"# ${name} is your own key; each call costs what the route charges." for name in _keys(shown)),
        "set -u",
        "",
    ]
    for sample in repeatable:
        lines += [f"# {_comment(sample)}", curl(sample.by_hand or {}), ""]
    return "\n".join(lines)


def _keys(shown: Sequence[Sample]) -> list[str]:
    return sorted({s.by_hand["key"] for s in shown if s.by_hand})


def _comment(sample: Sample) -> str:
    said = f"{sample.tag}: {sample.word} ({sample.reason}), generation {sample.generation}"
    return "".join(c if c.isprintable() else "?" for c in said)


def curl(by_hand: Mapping[str, Any]) -> str:
    """One request as a line for a shell; the key is whatever the variable holds."""
    headers = {"Content-Type": "application/json", **by_hand["headers"]}
    told = " ".join(f"-H {shlex.quote(f'{name}: {value}')}" for name, value in headers.items())
    data = shlex.quote(json.dumps(by_hand["body"]))  # ASCII alone: no terminal reads anything into it
    url = shlex.quote(by_hand["url"])
    return f'curl -sSN {url} -H "Authorization: Bearer ${by_hand["key"]}" {told} -d {data}'
