"""The table of metrics."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field

from serinus.config.kinds import Allowed, number
from serinus.config.section import Section


class Metrics(Section):
    """What Prometheus may read at `/metrics`."""

    routes: Annotated[
        int,
        BeforeValidator(number),
        Field(ge=0, le=100_000),
        Allowed("a whole number from 0 to 100000"),
    ] = 300
    """Up to how many routes series of single routes are given; above it only those of models are."""
