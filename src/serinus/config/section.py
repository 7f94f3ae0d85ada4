"""What every table of the configuration has in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """A table of the file. Keys that it does not name are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)
