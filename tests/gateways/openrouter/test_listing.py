"""The list of endpoints, whole, odd, broken and empty."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from serinus.core.model import Route
from serinus.gateways.openrouter.listing import Providers, listing_of, mandatory_of, providers_of

MODEL = "acme/story-70b"
PROVIDERS = Providers(
    {
        "deepinfra": "DeepInfra",
        "google-vertex": "Google",
        "anthropic": "Anthropic",
        "anthropic/2": "Anthropic 2",
        "openai": "OpenAI",
    }
)


def endpoint(tag="deepinfra/fp8", **changes):
    return {
        "name": f"X | {MODEL}",
        "tag": tag,
        "provider_name": "DeepInfra",
        "quantization": "fp8",
        "status": 0,
        "pricing": {"prompt": "0.00000008", "completion": "0.00000018", "discount": 0},
        "supported_parameters": ["max_tokens", "tools", "response_format"],
        "latency_last_30m": None,
        "a_key_of_tomorrow": {"x": [1]},
        **changes,
    }


def listing(*endpoints, providers=PROVIDERS, mandatory=None):
    return listing_of(MODEL, {"endpoints": list(endpoints)}, providers, mandatory=mandatory)


def test_an_endpoint_becomes_an_offer():
    (offer,) = listing(endpoint()).offers
    assert offer.route == Route(MODEL, "deepinfra/fp8")
    assert (offer.provider, offer.display, offer.precision, offer.tier) == (
        "deepinfra",
        "DeepInfra",
        "fp8",
        None,
    )
    assert (offer.prompt_price, offer.completion_price) == (8e-08, 1.8e-07)
    assert offer.claims == {"max_tokens", "tools", "response_format"}
    assert (offer.status, offer.reasoning_mandatory) == (0, False)


def test_two_routes_of_one_provider_share_its_name_and_are_two_offers():
    offers = listing(endpoint(), endpoint("deepinfra/turbo")).offers
    assert [(o.route.tag, o.display) for o in offers] == [
        ("deepinfra/fp8", "DeepInfra"),
        ("deepinfra/turbo", "DeepInfra"),
    ]


def test_a_provider_is_the_longest_slug_that_its_tag_begins_with():
    tags = ["anthropic/2", "anthropic/2/us", "anthropic/eu", "google-vertex/us-east5", "openai"]
    providers = [o.provider for o in listing(*map(endpoint, tags)).offers]
    assert providers == ["anthropic/2", "anthropic/2", "anthropic", "google-vertex", "openai"]


def test_a_slug_covers_no_tag_that_only_looks_like_it():
    (offer,) = listing(endpoint("openai-compatible/fp8")).offers
    assert offer.provider == "openai-compatible"


def test_a_tier_is_an_offer_of_its_own_and_says_so():
    offers = listing(endpoint("openai"), endpoint("openai/priority", service_tier="priority")).offers
    assert [o.tier for o in offers] == [None, "priority"]


def test_an_unknown_host_and_an_unknown_status_are_taken_and_noted():
    found = listing(endpoint("brand-new/fp4", provider_name="Brand New", status=-7))
    assert [(o.provider, o.display, o.status) for o in found.offers] == [("brand-new", "Brand New", -7)]
    assert found.trouble is None
    assert len(found.notes) == 2


def test_a_known_negative_status_is_no_reason_to_leave_a_host_out():
    found = listing(endpoint(status=-2))
    assert (len(found.offers), found.notes) == (1, ())


def test_without_a_list_of_providers_nobody_is_called_unknown():
    found = listing(endpoint(), providers=Providers())
    assert (found.offers[0].provider, found.notes) == ("deepinfra", ())


def test_a_tag_listed_twice_is_one_offer_and_a_note():
    found = listing(endpoint(), endpoint(quantization="fp4"))
    assert [o.precision for o in found.offers] == ["fp8"]
    assert found.notes == ("deepinfra/fp8 is listed more than once; the first is taken",)


def test_a_broken_endpoint_is_left_out_and_named():
    found = listing(endpoint(), endpoint("novita"), None, 7, {"provider_name": "NoTag"}, endpoint("parasail"))
    assert found.trouble is not None  # three of six: to believe it would let three hosts vanish


def test_a_listing_that_is_broken_in_part_stands_with_its_notes():
    found = listing(endpoint(), endpoint("openai"), endpoint(tag=None))
    assert [o.route.tag for o in found.offers] == ["deepinfra/fp8", "openai"]
    assert found.trouble is None
    assert "endpoint 2 has no tag" in found.notes[0]


def test_an_empty_listing_is_trouble_and_not_the_end_of_all_hosts():
    assert listing().trouble == "the listing names no endpoint"


def test_a_listing_without_a_list_says_what_was_found():
    assert "found no such key" in (listing_of(MODEL, {}, PROVIDERS, mandatory=None).trouble or "")
    assert "found str" in (listing_of(MODEL, {"endpoints": "x"}, PROVIDERS, mandatory=None).trouble or "")


def test_five_hundred_routes_are_five_hundred_offers():
    assert len(listing(*(endpoint(f"host-{n}/fp8") for n in range(500))).offers) == 500


def test_prices_that_are_no_price_are_left_open():
    for odd in (None, "", "free", "-1", "NaN", "Infinity", True, [], "1e999"):
        (offer,) = listing(endpoint(pricing={"prompt": odd, "completion": 0})).offers
        assert (offer.prompt_price, offer.completion_price) == (None, 0.0)


def test_reasoning_is_mandatory_only_where_the_model_says_so():
    assert listing(endpoint(), mandatory=True).offers[0].reasoning_mandatory
    assert not listing(endpoint(), mandatory=None).offers[0].reasoning_mandatory
    assert mandatory_of({"reasoning": {"mandatory": True}}) is True
    assert mandatory_of({"reasoning": None}) is None
    assert mandatory_of([]) is None


def test_providers_are_read_by_slug_and_odd_entries_left_out():
    data = [{"slug": "z-ai", "name": "Z.AI"}, {"slug": 3, "name": "x"}, None, {"name": "no slug"}]
    assert providers_of(data).names == {"z-ai": "Z.AI"}
    assert providers_of("nonsense").names == {}


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=6,
)
odd_endpoints = st.dictionaries(st.sampled_from(sorted(endpoint())), values).map(
    lambda odd: {**endpoint(), **odd}
)


@given(st.lists(odd_endpoints | values, max_size=8))
def test_whatever_is_listed_never_raises_and_no_route_is_offered_twice(endpoints):
    found = listing_of(MODEL, {"endpoints": endpoints}, PROVIDERS, mandatory=None)
    tags = [o.route.tag for o in found.offers]
    assert len(tags) == len(set(tags))
    assert found.offers or found.trouble
    assert all(tags)
