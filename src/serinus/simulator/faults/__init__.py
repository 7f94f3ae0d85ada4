"""Everything that can be wrong with a host: one function a fault, found by listing this package."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from serinus.simulator.faults.registry import Fault


@cache
def catalogue() -> Mapping[str, Fault]:
    """Every fault by its name, in alphabetical order."""
    found: dict[str, Fault] = {}
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        loaded = importlib.import_module(module.name)
        found.update({f.name: f for f in vars(loaded).values() if isinstance(f, Fault)})
    return dict(sorted(found.items()))
