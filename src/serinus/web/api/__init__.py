"""The JSON API under /v1: the same services and documents as the commands."""

from __future__ import annotations

from fastapi import APIRouter

from serinus.web.office import Office


def api(office: Office) -> APIRouter:
    """Every route of the API."""
    router = APIRouter(prefix="/v1")
    del office
    return router
