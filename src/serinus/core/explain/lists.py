"""Why a name gets no user traffic, and what an operator must know of an ignore list."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final

from serinus.core.exclusions import Exclusion, IgnoreList, Layer
from serinus.core.explain.phrases import listed, moment, reason_of

_ENDS: Final[Mapping[Layer, str]] = MappingProxyType(
    {
        Layer.BUILTIN: "until a reviewed change of exclusions.toml",
        Layer.OPERATIONAL: "until it is taken back (`serinus exclusions remove`)",
        Layer.ACCOUNT: "until the account's own settings at the gateway change",
        Layer.SUSPENSION: "until it runs out",
    }
)


def of_suspension(contracts: Collection[str], level: int) -> str:
    """Why a suspended route is in the ignore list."""
    return f"It failed {listed(contracts)} in round after round: suspension of level {level}."


def of_list(found: IgnoreList) -> list[str]:
    """What an operator must know of an ignore list, beyond its entries."""
    told = [
        f"{found.model}: the exclusion of {name} covers no known route, and the gateway drops such names "
        "silently; compare it with the tags and provider names of the listing."
        for name in found.unmatched
    ]
    if found.fail_open:
        told.append(
            f"{found.model}: the layers together cover every live route, so suspensions are left out."
        )
    return told


def of_exclusion(entry: Exclusion) -> str:
    """Why a name gets no user traffic, since when, and what ends that."""
    where = f" for {entry.model}" if entry.model else ""
    until = f"until {moment(entry.until)}" if entry.until else _ENDS[entry.layer]
    by = f" by {entry.by}" if entry.by else ""
    return (
        f"The {entry.layer} exclusion of {entry.name}{where}{by} covers it since {moment(entry.since)}, "
        f"{until}{reason_of(entry.why)}"
    )
