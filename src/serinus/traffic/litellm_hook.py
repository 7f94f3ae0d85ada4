"""Exclusions in a LiteLLM proxy or its asynchronous SDK, as one of its callbacks.

    litellm_settings:
      callbacks: ["serinus.traffic.litellm_hook.hook"]

with SERINUS_EXCLUSIONS in its environment. Deployments that a canary excludes are left out of routing;
requests to `openrouter/…` models get the names in their `provider.ignore`. Only public methods of
`CustomLogger` are used, and LiteLLM is imported when `hook` is asked for.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, Final

from serinus.core.exclusions import covers
from serinus.core.provider_field import pinned
from serinus.traffic.client import Exclusions
from serinus.traffic.client.telling import failed

OPENROUTER: Final = "openrouter/"
FLOOR: Final = "SERINUS_FLOOR"
Deployment = dict[str, Any]


class LeftOut:
    """What the callback does, whatever class it is a part of.

    `floor` is how many deployments of a group suspensions must leave; where they would leave fewer, they
    are not applied. What people excluded is left out all the same, as long as anything is left.
    """

    def __init__(self, exclusions: Exclusions, floor: int = 1) -> None:
        super().__init__()
        self.exclusions = exclusions
        self.floor = floor
        self._ready = False

    async def async_filter_deployments(
        self,
        model: str,
        healthy_deployments: list[Deployment],
        messages: Any = None,
        request_kwargs: Any = None,
        parent_otel_span: Any = None,
    ) -> list[Deployment]:
        """The deployments of a group that may serve; a request for a deployment's own id never comes here."""
        del messages, request_kwargs, parent_otel_span
        await self._begin()
        if not isinstance(healthy_deployments, list) or self.exclusions.nothing:
            return healthy_deployments
        try:
            return self._allowed(model, healthy_deployments)
        except Exception as error:  # noqa: BLE001  a request is never lost to us
            failed("exclusions were not applied", error)
            return healthy_deployments

    async def async_pre_call_deployment_hook(self, kwargs: dict[str, Any], call_type: Any) -> dict[str, Any]:
        """What is sent to the deployment that was chosen: `openrouter/…` ones get the names."""
        del call_type
        await self._begin()
        model = kwargs.get("model")
        if not isinstance(model, str) or self.exclusions.nothing:
            return kwargs
        openrouter = model.startswith(OPENROUTER) or kwargs.get("custom_llm_provider") == OPENROUTER[:-1]
        if not openrouter:
            return kwargs
        try:
            return self._injected(kwargs, model.removeprefix(OPENROUTER))
        except Exception as error:  # noqa: BLE001  as above
            failed("exclusions were not applied", error)
            return kwargs

    async def _begin(self) -> None:
        """Wait for the list once, without holding up the proxy."""
        if not self._ready:
            self._ready = True
            await self.exclusions.ready()

    def _allowed(self, model: str, healthy: list[Deployment]) -> list[Deployment]:
        allowed = [d for d in healthy if not _excluded(d, model, self.exclusions.ignore)]
        if len(allowed) >= min(self.floor, len(healthy)) and allowed:
            return allowed
        by_people = [d for d in healthy if not _excluded(d, model, self.exclusions.people)]
        return by_people or healthy

    def _injected(self, kwargs: dict[str, Any], model: str) -> dict[str, Any]:
        """The names in `provider`, wherever the caller has it; in `extra_body` where he has none."""
        extra = kwargs.get("extra_body")
        extra = extra if isinstance(extra, dict) else {}
        if "provider" in kwargs:
            kwargs = self.exclusions.apply(kwargs, model)
            if "provider" not in extra:
                return kwargs
        preset = {name: kwargs[name] for name in ("preset",) if name in kwargs}
        applied = self.exclusions.apply({**preset, **extra}, model)
        if "provider" not in applied or applied["provider"] is extra.get("provider"):
            return kwargs
        return {**kwargs, "extra_body": {**extra, "provider": applied["provider"]}}


def make_hook(exclusions: Exclusions | None = None, floor: int | None = None) -> Any:
    """The callback; its exclusions and its floor are those of the environment when absent.

    Raises:
        ImportError: LiteLLM is not installed.
        ValueError: the source of the exclusions or the floor is written wrongly.
    """
    from litellm.integrations.custom_logger import (  # type: ignore[import-not-found]  # noqa: PLC0415  it takes seconds
        CustomLogger,
    )

    kind = type("SerinusExclusions", (LeftOut, CustomLogger), {})
    return kind(exclusions or Exclusions(), _floor() if floor is None else floor)


def __getattr__(name: str) -> Any:
    """`hook` is made when it is first asked for."""
    if name != "hook":
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    globals()["hook"] = made = make_hook()
    return made


def _floor() -> int:
    written = os.environ.get(FLOOR, "1")
    if written.isascii() and written.isdigit() and int(written) > 0:
        return int(written)
    message = f"{FLOOR} is {written!r}, allowed is a whole number from 1"
    raise ValueError(message)


def _excluded(deployment: Deployment, group: str, names_of: Callable[[str], tuple[str, ...]]) -> bool:
    """Whether a deployment is excluded: by its own id or provider, or as pinned to excluded routes."""
    info, params = deployment.get("model_info") or {}, deployment.get("litellm_params") or {}
    excluded = names_of(group)
    if _covered(str(info.get("id")), excluded) or info.get("provider") in excluded:
        return True
    asked = params.get("model")
    if not isinstance(asked, str) or not asked.startswith(OPENROUTER):
        return False
    provider = params.get("provider") or (params.get("extra_body") or {}).get("provider")
    pins = pinned(provider) if isinstance(provider, Mapping) else []
    names = names_of(asked.removeprefix(OPENROUTER))
    return bool(pins) and all(_covered(pin, names) for pin in pins)


def _covered(tag: str, names: tuple[str, ...]) -> bool:
    """Whether names take a route out: its own, or its provider's as the tag begins."""
    return any(covers(name, tag, {}) for name in names)
