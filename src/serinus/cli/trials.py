"""The report of faults on trial: what caught each, how soon, and what nothing catches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from serinus.simulator.trial import Fate, Found


def table(found: Sequence[Found]) -> str:
    """A line for each fault, a line for each kind, and the sum."""
    lines = [_line(f) for f in found]
    kinds = sorted({f.kind for f in found})
    lines += ["", f"{'kind':<14}" + "".join(f"{fate:>14}" for fate in Fate)]
    lines += [_sum(kind, [f for f in found if f.kind == kind]) for kind in kinds]
    lines.append(_sum("all", found))
    wronged = [f"{f.fault}: {', '.join(f.wronged)}" for f in found if f.wronged]
    lines.append(f"healthy hosts suspended: {'; '.join(wronged) or 'none'}")
    return "\n".join([*lines, ""])


def _line(found: Found) -> str:
    by = f"{found.by} ({found.reason})" if found.by else ""
    when = f"round {found.rounds}" if found.rounds is not None else ""
    return f"{found.kind:<14}{found.fault:<32}{found.fate:<14}{when:<10}{by}".rstrip()


def _sum(name: str, found: Sequence[Found]) -> str:
    fates = Counter(f.fate for f in found)
    return f"{name:<14}" + "".join(f"{fates[fate]:>14}" for fate in Fate)


def document(found: Sequence[Found], rounds: int) -> dict[str, Any]:
    """The same for programs."""
    return {
        "rounds": rounds,
        "faults": [
            {
                "fault": f.fault,
                "kind": f.kind,
                "fate": f.fate,
                "by": f.by,
                "reason": f.reason,
                "rounds": f.rounds,
                "wronged": list(f.wronged),
            }
            for f in found
        ],
    }
