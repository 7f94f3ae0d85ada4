"""What an examination of a text found: one sign, with where it stands and how sure it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Sign:
    """Something in a text that should not be there.

    `code` names it (a reason code of a contract). `sure` tells a proof from a doubt: a doubt alone
    never fails a host. `spans` are offsets into the text in code points, `values` what was measured.
    """

    code: str
    sure: bool
    detail: str
    spans: Sequence[tuple[int, int]] = ()
    values: Mapping[str, Any] = field(default_factory=dict)


def first(signs: Sequence[Sign]) -> Sign | None:
    """The first proof, or else the first doubt."""
    return next((s for s in signs if s.sure), signs[0] if signs else None)
