"""The shapes of what the API takes and answers, from which its description is made.

What goes out is written by `service/records`, the same for commands; tests hold it against these.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Instant = Annotated[str, Field(json_schema_extra={"format": "date-time"})]


class Shape(BaseModel):
    """An object with exactly these keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)
