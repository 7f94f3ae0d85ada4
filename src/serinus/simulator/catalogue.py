"""What discovery shows: models, their endpoints, providers (`openrouter-facts.md` §1)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from serinus.simulator.chance import dice
from serinus.simulator.scenario import Host, Model, Scenario

Json = dict[str, Any]
_CREATED: Final = 1767225600  # when the models of the catalogue were listed first
_ARCHITECTURE: Final[Json] = {
    "modality": "text->text",
    "input_modalities": ["text"],
    "output_modalities": ["text"],
    "tokenizer": "Other",
    "instruct_type": None,
}


def models(scenario: Scenario, host: str) -> Json:
    """`GET /models`: every model of the scenario."""
    rows = [_model(scenario, model, host) for model in scenario.models]
    return {"data": rows, "total_count": len(rows), "links": {"next": None}}


def model_row(scenario: Scenario, model: Model, host: str) -> Json:
    """`GET /model/{author}/{slug}`: one model."""
    return {"data": _model(scenario, model, host)}


def endpoints(model: Model, rows: list[Json]) -> Json:
    """`GET /models/{author}/{slug}/endpoints`: the model and the rows of its endpoints."""
    return {
        "data": {
            "id": model.id,
            "name": model.name,
            "created": _CREATED,
            "description": f"{model.name}, simulated",
            "architecture": dict(_ARCHITECTURE),
            "endpoints": rows,
        }
    }


def endpoint_row(model: Model, host: Host, now: datetime, *, authenticated: bool) -> Json:
    """One endpoint as the gateway lists it; latency and throughput are null without a key."""
    chance = dice(host.tag, int(now.timestamp()) // 300)
    uptime = round(chance.uniform(98.5, 100.0), 2)
    return {
        "name": f"{host.display} | {model.dated or model.id}",
        "model_id": model.id,
        "model_name": model.name,
        "context_length": host.context_length,
        "pricing": _pricing(host),
        "provider_name": host.display,
        "tag": host.tag,
        "quantization": host.precision,
        "max_completion_tokens": host.max_completion_tokens,
        "max_prompt_tokens": None,
        "supported_parameters": list(host.claims),
        **({} if host.status is None else {"status": host.status}),
        "uptime_last_5m": chance.choice((None, uptime, uptime, uptime)),
        "uptime_last_30m": uptime,
        "uptime_last_1d": uptime,
        "supports_implicit_caching": False,
        "supports_diarization": False,
        "supports_tool_choice": _tool_choice("tools" in host.claims),
        "native_tools": {},
        "service_tier": host.tier,
        "latency_last_30m": _percentiles(host.latency.first_text * 1000) if authenticated else None,
        "throughput_last_30m": _percentiles(_speed(host)) if authenticated else None,
        "datacenter_hint": "unknown to most clients",  # an extra key, as the gateway grows them
    }


def providers(hosts: Iterable[Host]) -> Json:
    """`GET /providers`: display names and slugs."""
    rows = {
        host.provider: {
            "name": host.display,
            "slug": host.provider,
            "privacy_policy_url": f"https://{host.provider}.example/privacy",
            "terms_of_service_url": f"https://{host.provider}.example/terms",
            "status_page_url": None,
            "headquarters": "US",
            "datacenters": ["US"],
        }
        for host in hosts
    }
    return {"data": list(rows.values())}


def _model(scenario: Scenario, model: Model, host: str) -> Json:
    offers = scenario.hosts_of(model)
    first = min(offers, key=lambda h: h.price.completion, default=None)
    row: Json = {
        "id": model.id,
        "canonical_slug": model.dated or model.id,
        "hugging_face_id": None,
        "name": model.name,
        "created": _CREATED,
        "description": f"{model.name}, simulated",
        "context_length": model.context_length,
        "architecture": dict(_ARCHITECTURE),
        "pricing": _pricing(first) if first else {"prompt": "0", "completion": "0"},
        "top_provider": {
            "context_length": model.context_length,
            "max_completion_tokens": first.max_completion_tokens if first else None,
            "is_moderated": False,
        },
        "per_request_limits": None,
        "supported_parameters": sorted({claim for h in offers for claim in h.claims}),
        "default_parameters": None,
        "supported_voices": None,
        "links": {"details": f"{host}/api/v1/models/{model.id}/endpoints"},
    }
    if model.reasoning_mandatory:
        row["reasoning"] = {"mandatory": True, "default_enabled": True, "supported_efforts": ["low", "high"]}
    return row


def _pricing(host: Host) -> Json:
    return {
        "prompt": _per_token(host.price.prompt),
        "completion": _per_token(host.price.completion),
        "request": "0",
        "image": "0",
        "web_search": "0",
        "internal_reasoning": "0",
        "discount": 0,
    }


def _per_token(per_million: float) -> str:
    return f"{per_million / 1_000_000:.12f}".rstrip("0").rstrip(".") or "0"


def _speed(host: Host) -> float:
    return 1.0 / host.latency.per_token if host.latency.per_token else 200.0


def _percentiles(middle: float) -> Json:
    return {
        "p50": round(middle, 1),
        "p75": round(middle * 1.2, 1),
        "p90": round(middle * 1.6, 1),
        "p99": round(middle * 2.5, 1),
    }


def _tool_choice(supported: bool) -> Json:  # noqa: FBT001  the one thing it depends on
    return {"auto": supported, "function": supported, "none": supported, "required": False}
