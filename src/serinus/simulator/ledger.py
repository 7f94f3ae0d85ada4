"""What the gateway remembers of answers: generation records and money."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from serinus.simulator.response import Answered

Json = dict[str, Any]
# Keys that a strict client wants to see, and of which nothing is known here.
_UNKNOWN: Final = (
    *("request_id", "router", "moderation_latency", "native_tokens_completion_images"),
    *("upstream_inference_cost", "cache_discount", "preset_id", "app_id", "http_referer", "user_agent"),
    *("workspace_id", "num_media_prompt", "num_media_completion", "num_input_audio_prompt"),
    *("num_search_results", "num_fetches", "web_search_engine"),
)
_KEPT: Final = 20_000  # records; older ones are forgotten, as the gateway forgets them some day


@dataclass(slots=True)
class Ledger:
    """Generation records, each to be had only `delay` seconds after its answer, and the cost of all."""

    delay: float
    spent: float = 0.0
    requests: int = 0
    _records: OrderedDict[str, tuple[datetime, Json]] = field(default_factory=OrderedDict)

    def enter(self, answer: Answered, usage: Json | None, now: datetime) -> None:
        """Write an answer down."""
        self.requests += 1
        self.spent += float((usage or {}).get("cost") or 0.0)
        self._records[answer.id] = (now + timedelta(seconds=self.delay), record(answer, usage, now))
        while len(self._records) > _KEPT:
            self._records.popitem(last=False)

    def balance(self, bought: float) -> Json:
        """`GET /credits`: what was bought and what is spent, in USD."""
        return {"data": {"total_credits": bought, "total_usage": round(self.spent, 10)}}

    def key(self, bought: float) -> Json:
        """`GET /key`: the key's limits and what it has used."""
        spent = round(self.spent, 10)
        periods = ("", "_daily", "_weekly", "_monthly")
        found: Json = {
            "label": "sk-or-v1-sim...key",
            "limit": bought,
            "limit_remaining": round(bought - spent, 10),
            "limit_reset": None,
            "include_byok_in_limit": False,
            **{f"usage{period}": spent for period in periods},
            **{f"byok_usage{period}": 0 for period in periods},
            "is_free_tier": False,
            "is_management_key": False,
            "is_provisioning_key": False,
            "budgets": [],
            "effective_budget": None,
            "free_model_daily_requests": {"limit": 1000, "remaining": 1000, "used": 0},
            "allowed_data_regions": [],
            "creator_user_id": None,
            "organization_id": None,
            "workspace_id": None,
            "expires_at": None,
            "rate_limit": {"requests": -1, "interval": "10s", "note": "This field is deprecated."},
        }
        return {"data": found}

    def find(self, name: str, now: datetime) -> Json | None:
        """The record of that id, or None while it is not there yet."""
        known = self._records.get(name)
        return known[1] if known and known[0] <= now else None


def record(answer: Answered, usage: Json | None, now: datetime) -> Json:
    """A generation record (`openrouter-facts.md` §3.2): `provider_responses` are all attempts."""
    draft, framer, host = answer.draft, answer.framer, answer.host
    first_text = round(host.latency.first_text * 1000)
    return {
        **dict.fromkeys(_UNKNOWN),
        "id": answer.id,
        "upstream_id": _upstream_id(answer),
        "model": framer.served.model,
        "provider_name": framer.served.display or None,
        "provider_responses": _attempts(answer, first_text),
        "streamed": framer.ask.stream,
        "cancelled": False,
        "finish_reason": draft.finish,
        "native_finish_reason": draft.native,
        "latency": first_text,
        "generation_time": first_text,
        "created_at": now.isoformat().replace("+00:00", "Z"),
        **_counts(usage or {}),
        "is_byok": framer.served.byok,
        "service_tier": framer.served.tier,
        "data_region": "global",
        "session_id": framer.ask.body.get("session_id"),
        "external_user": framer.ask.body.get("user"),
        "origin": "",
        "api_type": "completions",
    }


def _attempts(answer: Answered, latency: int) -> list[Json]:
    served = answer.framer.served
    return [
        {
            "endpoint_id": attempt.endpoint_id,
            "id": _upstream_id(answer),
            "is_byok": served.byok,
            "latency": latency,
            "model_permaslug": attempt.model,
            "provider_name": attempt.display,
            "status": attempt.status,
        }
        for attempt in served.attempts
    ]


def _counts(billed: Json) -> Json:
    details = billed.get("completion_tokens_details") or {}
    cost = billed.get("cost", 0.0)
    return {
        "tokens_prompt": billed.get("prompt_tokens"),
        "tokens_completion": billed.get("completion_tokens"),
        "native_tokens_prompt": billed.get("prompt_tokens"),
        "native_tokens_completion": billed.get("completion_tokens"),
        "native_tokens_reasoning": details.get("reasoning_tokens"),
        "native_tokens_cached": 0,
        "usage": cost,
        "total_cost": cost,
    }


def _upstream_id(answer: Answered) -> str:
    return f"chatcmpl-{answer.id.removeprefix('gen-')}"
