"""The gateway asked plainly: what is sent is what a question wants to know about, and nothing is added."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from serinus.gateways.openrouter.gateway import BASE_URL
from serinus.prober.attempt import Patience
from serinus.prober.exchange import Exchange, Request
from serinus.prober.prober import Prober
from serinus.prober.secret import Key
from serinus.service.doctor.deep import Said
from serinus.wire.json_text import UNREADABLE, read_json

_PATIENCE: Final = Patience(hard=60.0, size=16_000_000)


class Line:
    """As `serinus.service.doctor.deep.Line`. `prober` must be entered."""

    def __init__(self, prober: Prober, key: Key | None, *, base_url: str = BASE_URL) -> None:
        self._prober = prober
        self._key = key
        self._base = base_url.rstrip("/")

    async def get(self, path: str) -> Said:
        """A document under the base URL."""
        return await self._said(Request("GET", f"{self._base}{path}", {}, key=self._key))

    async def chat(self, body: Mapping[str, Any], headers: Mapping[str, str]) -> Said:
        """One whole answer, not streamed."""
        sent = {"Content-Type": "application/json", "X-OpenRouter-Cache": "false", **headers}
        data = json.dumps({**body, "stream": False}).encode()
        return await self._said(Request("POST", f"{self._base}/chat/completions", sent, data, self._key))

    async def _said(self, request: Request) -> Said:
        exchange: Exchange = await self._prober.exchange(request, _PATIENCE)
        value = read_json(exchange.body or "")
        return Said(exchange.status, None if value is UNREADABLE else value, exchange.ended or 0.0)
