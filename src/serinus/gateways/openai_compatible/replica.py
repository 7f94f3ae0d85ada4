"""One server that serves one model, and what it says of itself when it is asked whether it lives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from serinus.core.model import Offer, Route
from serinus.judging.naming import same_model
from serinus.prober.document import Document
from serinus.prober.secret import Key
from serinus.wire.json_text import as_list, as_mapping, as_text

REFUSING: Final = frozenset({401, 403})
_ABSENT: Final = frozenset({404, 405, 501})  # a server without that address, which is no less alive
_SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class Replica:
    """One route as it is configured. Prices are US dollars a token.

    `serves` is what the server itself calls the model; `extra_body` goes into every request's body as it
    is, under what the probe itself says.
    """

    route: Route
    provider: str
    base_url: str
    serves: str
    key: Key | None = None
    claims: frozenset[str] = frozenset()
    precision: str | None = None
    prompt_price: float = 0.0
    completion_price: float = 0.0
    extra_body: Mapping[str, Any] = field(default_factory=dict)

    def offer(self, *, reasons: bool) -> Offer:
        """The replica as a listed route."""
        return Offer(
            route=self.route,
            provider=self.provider,
            display=self.route.tag,
            claims=self.claims,
            precision=self.precision,
            prompt_price=self.prompt_price,
            completion_price=self.completion_price,
            reasoning_mandatory=reasons,
        )


@dataclass(frozen=True, slots=True)
class Pulse:
    """What a replica said when it was asked for its models.

    `dead` is why it is not live, None if it is. `silent` says that it has no list of models at all.
    """

    dead: str | None = None
    note: str | None = None
    silent: bool = False


def pulse_of(replica: Replica, models: Document) -> Pulse:
    """Read the answer to `GET /v1/models`.

    A server that refuses our key could answer nobody's probe: it is not live, and it is our own fault.
    """
    tag = replica.route.tag
    if models.status in REFUSING:
        return Pulse(f"{tag} refuses our key ({models.status}): set its api_key_env or api_key_file")
    if models.status in _ABSENT:
        return Pulse(silent=True)
    if models.trouble is not None:
        return Pulse(f"{tag} is not live: {models.trouble}")
    names = [name for entry in as_list(models.data) if (name := as_text(as_mapping(entry).get("id")))]
    if not names or any(same_model(name, replica.serves) for name in names):
        return Pulse()
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    listed = ", ".join(names[:_SHOWN]) + more
    return Pulse(note=f"{tag} lists {listed}, and not {replica.serves}: see `serves`")


def health_of(replica: Replica, health: Document) -> Pulse:
    """Read the answer to `GET /health` of a server without a list of models; any answer is a sign of life."""
    if health.status is None or (health.trouble is not None and health.status >= 500):  # noqa: PLR2004  HTTP
        return Pulse(f"{replica.route.tag} is not live: {health.trouble}")
    return Pulse(note=f"{replica.route.tag} does not list its models")
