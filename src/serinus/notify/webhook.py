"""A signed webhook: one POST a group of notices, verifiable by its receiver."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus

import aiohttp

from serinus.prober.errors import without_address
from serinus.service.links import NOWHERE, Links
from serinus.service.ports import Clock, DeliveryError
from serinus.service.storage import Notice

PASSING = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS})


def signature(secret: bytes, at: datetime, body: bytes) -> str:
    """`t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`: the receiver checks age and origin."""
    moment = str(int(at.timestamp()))
    digest = hmac.new(secret, moment.encode() + b"." + body, hashlib.sha256).hexdigest()
    return f"t={moment},v1={digest}"


@dataclass(frozen=True, slots=True)
class Webhook:
    """Posts notices as JSON to one URL; `secret` signs them. Redirects are never followed."""

    name: str
    url: str = field(repr=False)
    secret: bytes = field(repr=False)
    clock: Clock = field(repr=False)
    links: Links = NOWHERE

    async def send(self, notices: Sequence[Notice]) -> None:
        """Post the group.

        Raises:
            DeliveryError: refused for good (any 4xx but 408, 425, 429), or in passing.
        """
        body = json.dumps({"notices": [document(n, self.links) for n in notices]}, sort_keys=True).encode()
        headers = {
            "Content-Type": "application/json",
            "Serinus-Signature": signature(self.secret, self.clock(), body),
        }
        try:
            async with (
                aiohttp.ClientSession() as session,
                session.post(self.url, data=body, headers=headers, allow_redirects=False) as response,
            ):
                status = response.status
        except aiohttp.InvalidURL as error:
            message = f"the URL of webhook {self.name} is not one that can be posted to"
            raise DeliveryError(message, permanent=True) from error
        except (aiohttp.ClientError, OSError) as error:
            message = f"webhook {self.name} could not be reached: {without_address(error)}"
            raise DeliveryError(message, permanent=False) from error
        _check(self.name, status)


def _check(name: str, status: int) -> None:
    if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        return
    refused = HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.INTERNAL_SERVER_ERROR
    message = f"webhook {name} answered {status}"
    raise DeliveryError(message, permanent=refused and status not in PASSING)


def identity(notice: Notice) -> str:
    """The notice's own name, the same each time it is sent: by it a receiver drops what came twice."""
    return hashlib.sha256(f"{notice.key}\n{notice.at.isoformat()}".encode()).hexdigest()[:32]


def document(notice: Notice, links: Links) -> dict[str, object]:
    """A notice as its receiver gets it."""
    return {
        "id": identity(notice),
        "key": notice.key,
        "at": notice.at.isoformat(),
        "kind": notice.kind,
        "severity": notice.severity,
        "model": notice.model,
        "route": notice.tag,
        "text": notice.text,
        "resolves": notice.resolves,
        "facts": dict(notice.facts),
        "link": links.of(notice),
    }
