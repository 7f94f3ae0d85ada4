"""The pages that operators see and touch."""

from __future__ import annotations

from fastapi import APIRouter

from serinus.web.office import Office


def pages(office: Office) -> APIRouter:
    """Every page."""
    del office
    return APIRouter(include_in_schema=False)
