"""The `ignore` of a request's `provider` object, with exclusions beside what the caller wrote (R23)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any


def ignored_beside(
    provider: Mapping[str, Any] | None, names: Sequence[str], people: Sequence[str]
) -> list[str] | None:
    """The `ignore` to send with a caller's `provider` object; None where that is to stay as it is.

    `names` are all that is excluded, `people` those among them that people excluded. The caller's own
    come first and in order. A caller who pins a request to routes that are all suspended gets them: the
    gateway would answer 404, and a canary may never empty a model's pool (`formats.md` §2 rule 12); what
    people excluded stays excluded. A field that is no list is left for the gateway to refuse.
    """
    said = provider or {}
    callers = said.get("ignore") or []
    if not isinstance(callers, list) or not all(isinstance(name, str) for name in callers):
        return None
    pins = pinned(said)
    ours = people if pins and all(touched(pin, names) for pin in pins) else names
    return None if set(ours) <= set(callers) else list(dict.fromkeys([*callers, *ours]))


def pinned(provider: Mapping[str, Any]) -> list[str]:
    """The names to which a request is confined: `only`, or `order` without fallbacks; empty if it is not."""
    named = provider.get("only")
    if not named and provider.get("allow_fallbacks") is False:
        named = provider.get("order")
    return [name for name in named if isinstance(name, str)] if isinstance(named, list) else []


def touched(pin: str, names: Collection[str]) -> bool:
    """Whether exclusions may leave nothing of what a pin allows.

    A provider's name pins to all its routes, and how many it has is not known here: if one of them is
    excluded, it may have been the last.
    """
    return any(pin == name or pin.startswith(f"{name}/") or name.startswith(f"{pin}/") for name in names)


def of_each(names_of: Callable[[str], tuple[str, ...]], models: Sequence[str]) -> tuple[str, ...]:
    """The names for a request that may end at any of these models: those of each, in order, each once."""
    if len(models) == 1:
        return names_of(models[0])
    return tuple(dict.fromkeys(name for model in models for name in names_of(model)))
