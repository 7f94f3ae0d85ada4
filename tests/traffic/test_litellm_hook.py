"""What the LiteLLM callback does with deployments and requests, without LiteLLM."""

import asyncio
import json

import pytest

from serinus.core.exclusions import Exclusion, Layer, Offered, merge
from serinus.core.published import Published, document
from serinus.traffic.client import Exclusions
from serinus.traffic.litellm_hook import LeftOut
from traffic.client.lists import AT, DAY, MODEL, Time, excluded, suspended

GROUP = "story"


def hook(tmp_path, *entries, floor=1):
    path = tmp_path / "lists.json"
    models = {model: merge(model, AT, entries, Offered(frozenset(), {})) for model in (GROUP, MODEL)}
    path.write_text(json.dumps(document(Published(AT, models))))
    return LeftOut(Exclusions(path, cache=False, clocks=Time().clocks), floor)


def suspension(name, model=GROUP):
    return Exclusion(name, Layer.SUSPENSION, AT, AT + DAY, model, level=1, contracts=("language",))


def deployment(identity, only=None):
    extra = {"extra_body": {"provider": {"only": [only]}}} if only else {}
    return {
        "model_name": GROUP,
        "litellm_params": {"model": f"openrouter/{MODEL}", **extra},
        "model_info": {"id": identity},
    }


HOSTS = [deployment("host-a"), deployment("host-b"), deployment("host-c")]


def left(found, healthy=HOSTS):
    async def ask():
        try:
            return await found.async_filter_deployments(GROUP, healthy, None)
        finally:
            found.exclusions.close()

    return [d["model_info"]["id"] for d in asyncio.run(ask())]


def test_an_excluded_deployment_is_left_out(tmp_path):
    assert left(hook(tmp_path, suspension("host-b"))) == ["host-a", "host-c"]


def test_deployments_are_left_out_by_the_provider_that_they_name(tmp_path):
    rack = [{**host, "model_info": {**host["model_info"], "provider": "rack"}} for host in HOSTS[:2]]
    assert left(hook(tmp_path, suspension("rack")), [*rack, HOSTS[2]]) == ["host-c"]


def test_nothing_excluded_gives_the_same_list(tmp_path):
    assert left(hook(tmp_path)) == ["host-a", "host-b", "host-c"]


def test_a_deployment_that_is_pinned_to_an_excluded_route_is_left_out(tmp_path):
    hosts = [
        deployment("host-a", "amber/fp8"),
        deployment("host-b", "birch"),
        deployment("host-c", "birch/turbo"),
    ]
    assert left(hook(tmp_path, suspension("birch", MODEL)), hosts) == ["host-a"]
    assert left(hook(tmp_path, suspension("birch/turbo", MODEL)), hosts) == ["host-a", "host-b"]


def test_suspensions_never_leave_fewer_than_the_floor(tmp_path):
    two = [suspension("host-b"), suspension("host-c")]
    assert left(hook(tmp_path, *two)) == ["host-a"]
    assert left(hook(tmp_path, *two, floor=2)) == ["host-a", "host-b", "host-c"]
    assert left(hook(tmp_path, suspension("host-a"), *two)) == ["host-a", "host-b", "host-c"]
    assert left(hook(tmp_path, suspension("host-b")), [deployment("host-b")]) == [
        "host-b"
    ]  # the rest cools down


def test_what_people_excluded_is_left_out_below_the_floor_too_as_long_as_anything_is_left(tmp_path):
    entries = [excluded("host-a", model=GROUP), suspension("host-b"), suspension("host-c")]
    assert left(hook(tmp_path, *entries)) == ["host-b", "host-c"]
    everything = [excluded(f"host-{x}", model=GROUP) for x in "abc"]
    assert left(hook(tmp_path, *everything)) == ["host-a", "host-b", "host-c"]


@pytest.mark.parametrize(
    "healthy", [{"model_info": {"id": "host-b"}}, None, [], [None], [{"model_info": None}], ["x"]]
)
def test_another_shape_comes_back_as_it_was(tmp_path, healthy):
    found = hook(tmp_path, suspension("host-b"))
    assert asyncio.run(found.async_filter_deployments(GROUP, healthy)) in (healthy, [*(healthy or ())])
    found.exclusions.close()


def sent(tmp_path, **kwargs):
    found = hook(tmp_path, suspended("birch"), excluded("cedar"))
    changed = asyncio.run(found.async_pre_call_deployment_hook(kwargs, None))
    found.exclusions.close()
    return changed


IGNORED = {"ignore": ["birch", "cedar"]}


def test_requests_to_openrouter_get_the_names(tmp_path):
    model = f"openrouter/{MODEL}"
    assert sent(tmp_path, model=model) == {"model": model, "extra_body": {"provider": IGNORED}}
    assert sent(tmp_path, model=MODEL, custom_llm_provider="openrouter")["extra_body"] == {
        "provider": IGNORED
    }
    assert sent(tmp_path, model=f"{model}:nitro")["extra_body"] == {"provider": IGNORED}


def test_the_callers_own_stays_where_he_put_it(tmp_path):
    model = f"openrouter/{MODEL}"
    own = {"sort": "price", "ignore": ["elm"]}
    merged = {"sort": "price", "ignore": ["elm", "birch", "cedar"]}
    assert sent(tmp_path, model=model, provider=own) == {"model": model, "provider": merged}
    extra = {"provider": own, "x": 1}
    assert sent(tmp_path, model=model, extra_body=extra)["extra_body"] == {"provider": merged, "x": 1}
    both = sent(tmp_path, model=model, provider=own, extra_body=extra)
    assert (both["provider"], both["extra_body"]["provider"]) == (merged, merged)
    assert extra["provider"] == own == {"sort": "price", "ignore": ["elm"]}


def test_a_pinned_request_and_one_with_a_preset_are_left_as_they_are(tmp_path):
    model = f"openrouter/{MODEL}"
    pinned = {"provider": {"only": ["birch"]}}
    assert sent(tmp_path, model=model, extra_body=pinned)["extra_body"]["provider"]["ignore"] == ["cedar"]
    for kwargs in ({"extra_body": {"preset": "quick"}}, {"preset": "quick"}):
        assert sent(tmp_path, model=model, **kwargs) == {"model": model, **kwargs}


@pytest.mark.parametrize("model", ["openai/gpt", MODEL, "openrouter/acme/other", None, 7])
def test_requests_to_others_are_the_same_object(tmp_path, model):
    found = hook(tmp_path, suspended("birch"))
    kwargs = {"model": model, "messages": []}
    assert asyncio.run(found.async_pre_call_deployment_hook(kwargs, None)) is kwargs
    found.exclusions.close()
