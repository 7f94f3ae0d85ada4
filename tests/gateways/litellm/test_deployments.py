"""A proxy's model info as a listing: what is believed, what is told, what is claimed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serinus.gateways.litellm.deployments import listing_of

GROUP = "story"


def entry(tag="rack-1", group=GROUP, **info):
    return {
        "model_name": group,
        "litellm_params": {"model": "openai/story-70b", "api_base": "http://10.0.0.5:8000/v1"},
        "model_info": {"id": tag, "db_model": False, **info},
    }


def listed(*entries, reasons=False):
    return listing_of(GROUP, list(entries), reasons=reasons)


def offer(**info):
    return listed(entry(**info)).offers[0]


def test_each_deployment_of_the_group_is_a_route_of_its_own_provider():
    found = listed(entry("rack-1"), entry("rack-2"), entry("other", group="chat"))
    assert [(o.route.tag, o.provider, o.display) for o in found.offers] == [
        ("rack-1", "rack-1", "rack-1"),
        ("rack-2", "rack-2", "rack-2"),
    ]
    assert (found.trouble, found.notes) == (None, ())


def test_deployments_that_fail_together_may_name_the_provider_they_share():
    assert offer(provider="rack").provider == "rack"


@pytest.mark.parametrize(
    ("info", "claims"),
    [
        ({}, frozenset()),
        ({"supports_response_schema": True, "supports_function_calling": None}, {"structured_outputs"}),
        ({"supports_response_schema": False, "supports_function_calling": True}, {"tools"}),
        ({"supported_openai_params": ["tools", "response_format"]}, frozenset()),
        ({"supported_parameters": ["tools"], "supports_response_schema": True}, {"tools"}),
        ({"supported_parameters": "tools"}, frozenset()),
    ],
)
def test_a_claim_is_what_somebody_says_of_the_model_and_not_what_the_proxy_passes_on(info, claims):
    assert offer(**info).claims == claims


def test_prices_are_the_proxys_and_unknown_where_it_has_none():
    priced = offer(input_cost_per_token=1e-06, output_cost_per_token=0)
    assert (priced.prompt_price, priced.completion_price) == (1e-06, 0.0)
    assert (offer().prompt_price, offer(input_cost_per_token=-1).prompt_price) == (None, None)


def test_a_model_that_reasons_is_given_room_for_it():
    assert offer(supports_reasoning=True).reasoning_mandatory
    assert listed(entry(), reasons=True).offers[0].reasoning_mandatory
    assert not offer(supports_reasoning=None).reasoning_mandatory


def test_a_paused_deployment_is_not_live_and_is_told():
    found = listed(entry("rack-1", blocked=True), entry("rack-2"))
    assert [o.route.tag for o in found.offers] == ["rack-2"]
    assert "rack-1 is paused" in found.notes[0]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (None, "should be a list; found NoneType"),
        ({"data": []}, "should be a list; found dict"),
        ([], "no deployment of story; it lists none at all"),
        ([entry(group="chat")], "no deployment of story; it has chat"),
        ([entry(blocked=True)], "every deployment is paused"),
        ([{"model_name": GROUP}], "1 of 1 deployments cannot be read"),
        (
            [entry("a"), {"model_name": GROUP, "model_info": {"id": None}}],
            "1 of 2 deployments cannot be read",
        ),
        (["x", 3, None], "no deployment of story"),
    ],
)
def test_a_listing_that_cannot_be_believed_is_trouble(data, said):
    found = listing_of(GROUP, data, reasons=False)
    assert found.offers == ()
    assert said in found.trouble


def test_one_unreadable_deployment_among_many_is_left_out_and_told():
    found = listed(entry("a"), entry("b"), {"model_name": GROUP})
    assert [o.route.tag for o in found.offers] == ["a", "b"]
    assert "has no id" in found.notes[0]


def test_what_is_odd_and_harmless_is_a_note():
    assert "listed more than once" in listed(entry("a"), entry("a"), entry("b")).notes[0]
    assert "is also a model group's name" in listed(entry("chat"), entry("x", group="chat")).notes[0]


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
INFO = st.dictionaries(
    st.sampled_from(
        ["id", "blocked", "provider", "supported_parameters", "input_cost_per_token", "supports_reasoning"]
    ),
    ANYTHING,
)
ENTRIES = st.fixed_dictionaries({"model_name": st.just(GROUP) | ANYTHING, "model_info": INFO | ANYTHING})


@given(data=st.lists(ENTRIES | ANYTHING, max_size=5) | ANYTHING)
def test_whatever_a_proxy_lists_is_offers_or_trouble_and_never_both(data):
    found = listing_of(GROUP, data, reasons=False)
    assert bool(found.offers) != bool(found.trouble)
    assert len({o.route.tag for o in found.offers}) == len(found.offers)
    assert all(o.route.tag and o.provider for o in found.offers)
