"""The proxy's deployments of one model group as offers (`GET /v1/model/info`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from serinus.core.model import Listing, Offer, Route
from serinus.wire.json_text import as_list, as_mapping, as_number, as_text

_SHOWN: Final = 80
_GROUPS_SHOWN: Final = 12
# What LiteLLM itself knows of a deployment's model, as the parameters that the contracts look for.
_KNOWN: Final = {
    "supports_response_schema": "structured_outputs",
    "supports_function_calling": "tools",
}


def listing_of(model: str, data: Any, *, reasons: bool) -> Listing:
    """The offers of a model group in the `data` of a model-info answer.

    A paused deployment (`blocked`) is not live. Without any deployment of the group, or with at least
    as many unreadable ones as readable ones, the listing is trouble (R1). `reasons` says that the
    model's reasoning is left as its hosts have it.
    """
    if not isinstance(data, list):
        return Listing(model, trouble=f"the model info should be a list; found {type(data).__name__}")
    entries = [as_mapping(entry) for entry in data]
    groups = sorted({name for entry in entries if (name := as_text(entry.get("model_name")))})
    mine = [entry for entry in entries if entry.get("model_name") == model]
    if not mine:
        return Listing(model, trouble=f"the proxy has no deployment of {model}; {_has(groups)}")
    offers: dict[str, Offer] = {}
    notes: list[str] = []
    broken: list[str] = []
    for entry in mine:
        info = as_mapping(entry.get("model_info"))
        tag = (as_text(info.get("id")) or "").strip()
        if not tag:
            broken.append(f"a deployment has no id and is left out: {str(entry)[:_SHOWN]!r}")
        elif info.get("blocked") is True:
            notes.append(f"{tag} is paused in the proxy (blocked) and is not asked")
        elif tag in offers:
            notes.append(f"{tag} is listed more than once; the first is taken")
        else:
            offers[tag] = _offer(model, tag, info, reasons=reasons)
            notes += _peculiar(tag, groups)
    return Listing(model, *_believed(mine, offers, broken, notes))


def _believed(
    mine: Sequence[object], offers: Mapping[str, Offer], broken: list[str], notes: list[str]
) -> tuple[tuple[Offer, ...], str | None, tuple[str, ...]]:
    """Offers, trouble and notes."""
    told = (*notes, *broken)
    if broken and len(broken) >= len(offers):
        return (), f"{len(broken)} of {len(mine)} deployments cannot be read; {broken[0]}", told
    if not offers:
        return (), f"every deployment is paused: {notes[0]}", told
    return tuple(offers.values()), None, told


def _has(groups: Sequence[str]) -> str:
    if not groups:
        return "it lists none at all to this key"
    more = f" and {len(groups) - _GROUPS_SHOWN} more" if len(groups) > _GROUPS_SHOWN else ""
    return f"it has {', '.join(groups[:_GROUPS_SHOWN])}{more}"


def _offer(model: str, tag: str, info: Mapping[str, Any], *, reasons: bool) -> Offer:
    """One deployment. It is its own provider, unless its `model_info` names one that several share."""
    return Offer(
        route=Route(model, tag),
        provider=as_text(info.get("provider")) or tag,
        display=tag,
        claims=_claims(info),
        precision=as_text(info.get("quantization")),
        prompt_price=_price(info.get("input_cost_per_token")),
        completion_price=_price(info.get("output_cost_per_token")),
        reasoning_mandatory=reasons or info.get("supports_reasoning") is True,
    )


def _claims(info: Mapping[str, Any]) -> frozenset[str]:
    """What the operator says of the deployment, else what LiteLLM knows of its model.

    Its `supported_openai_params` say what LiteLLM passes on, not what a host heeds: they are no claim.
    """
    said = info.get("supported_parameters")
    if isinstance(said, list):
        return frozenset(filter(None, map(as_text, as_list(said))))
    return frozenset(claim for key, claim in _KNOWN.items() if info.get(key) is True)


def _price(value: Any) -> float | None:
    price = as_number(value)
    return price if price is not None and price >= 0 else None


def _peculiar(tag: str, groups: Sequence[str]) -> Sequence[str]:
    if tag not in groups:
        return ()
    return (f"the id {tag} is also a model group's name, so that a pin may reach another deployment",)
