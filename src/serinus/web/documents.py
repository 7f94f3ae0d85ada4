"""Documents as JSON responses, written in the thread that made them and not on the event loop."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from fastapi.responses import Response

JSON: Final = "application/json"
_ENCODER: Final = msgspec.json.Encoder(order="sorted")


def written(document: Mapping[str, Any]) -> bytes:
    """A document as JSON, keys sorted."""
    try:
        return _ENCODER.encode(document)
    except UnicodeEncodeError:  # a host sent half a character: as an escape it can be told
        return json.dumps(document, sort_keys=True).encode()


def answer(
    document: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """A document as a response."""
    return Response(written(document), status, headers, JSON)
