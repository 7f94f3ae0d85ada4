"""What the addresses and forms of several pages carry, and which model a page is of."""

from __future__ import annotations

from typing import Annotated

from fastapi import Form, Path, Query

from serinus.service.desk import Desk

Name = Annotated[str, Query(max_length=500)]
Given = Annotated[str, Form(max_length=500)]
Number = Annotated[int, Path(ge=1, le=2**53)]


def chosen(desk: Desk, wanted: str) -> tuple[str, list[str]]:
    """The model that is wanted, else the first, empty where there is none; and all that there are.

    Raises:
        LookupError: the wanted one is not known.
    """
    models = desk.models()
    return desk.models([wanted])[0] if wanted else next(iter(models), ""), models
