"""Rules between the gateway, its models and one's own servers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from serinus.config.clash import Clash
from serinus.config.keys import allowed
from serinus.config.settings import Model, Settings

OWN: Final = "openai_compatible"


def gateway_clashes(settings: Settings) -> Iterator[Clash]:
    """Every such rule that this configuration breaks."""
    gateway = settings.gateway
    if gateway.name == "openrouter":
        yield from _names(settings)
    if gateway.name == "litellm" and "base_url" not in gateway.model_fields_set:
        yield Clash(
            "gateway.base_url",
            f'"{gateway.base_url}"',
            "the proxy's own address, such as http://litellm:4000",
            "set it",
            ("gateway.name",),
        )
    if gateway.name == OWN:
        yield from _served(settings)
        yield from _replicas(settings)
    elif settings.replica:
        found = f"a table, and gateway.name is {gateway.name}"
        yield Clash(
            "replica[0]", found, f'none unless gateway.name is "{OWN}"', f'set gateway.name = "{OWN}"'
        )


def _names(settings: Settings) -> Iterator[Clash]:
    for n, model in enumerate(settings.model):
        if "/" not in model.id:
            phrase = allowed(Model.model_fields["id"])
            yield Clash(f"model[{n}].id", f'"{model.id}"', phrase, "correct it")


def _served(settings: Settings) -> Iterator[Clash]:
    served = {replica.model for replica in settings.replica}
    for n, model in enumerate(settings.model):
        if model.id not in served:
            said = "a model that a [[replica]] table names"
            yield Clash(f"model[{n}].id", f'"{model.id}"', said, "add a [[replica]] for it", ("replica",))


def _replicas(settings: Settings) -> Iterator[Clash]:
    known = [model.id for model in settings.model]
    seen: set[tuple[str, str]] = set()
    for n, replica in enumerate(settings.replica):
        at = f"replica[{n}]"
        if replica.model not in known:
            said = f"the id of a [[model]] table: {', '.join(known)}"
            yield Clash(
                f"{at}.model", f'"{replica.model}"', said, "correct it, or add the [[model]]", ("model",)
            )
        if (replica.model, replica.tag) in seen:
            yield Clash(
                f"{at}.tag", f"{replica.tag} again", "each tag of a model once", "give it another tag"
            )
        seen.add((replica.model, replica.tag))
        if replica.api_key_env and replica.api_key_file:
            said = "api_key_env or api_key_file, one of them"
            yield Clash(f"{at}.api_key_env", "this and api_key_file", said, "take one out")
