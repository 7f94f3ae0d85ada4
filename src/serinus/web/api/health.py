"""Whether the process is alive and its store can be read: for whoever watches it, without details."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel

from serinus.service.standing import overdue_at
from serinus.service.store_errors import StoreError
from serinus.web.office import Office
from serinus.web.problems import Problem, documented


class Alive(BaseModel):
    """The process answers."""

    status: Literal["ok"] = "ok"


def health(office: Office) -> APIRouter:
    """The routes that need no credential."""
    router = APIRouter(tags=["health"])

    @router.get("/health")
    async def is_alive() -> Alive:
        """Whether the process answers."""
        return Alive()

    @router.get("/ready", responses=documented(503))
    def is_ready() -> Alive:
        """Whether the store can be read and no model's rounds are stale."""
        if not ready(office):
            raise Problem(503, "Not ready: the store cannot be read, or rounds are not held.")
        return Alive()

    return router


def ready(office: Office) -> bool:
    """Whether the store can be read and the last round of each configured model is not stale."""
    desk = office.desk
    try:
        last = [desk.store.last_round(model) for model in desk.configured]
    except StoreError:
        return False
    return all(r is not None and desk.at <= overdue_at(r.at, desk.interval) for r in last)
