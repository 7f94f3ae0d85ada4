from datetime import timedelta

import pytest

from serinus.simulator.response import Answered, Refused
from serinus.simulator.scenario import FaultUse, Price, Window
from simulated import BEGAN, ask, gateway, host

FP8, TURBO, BIRCH = host("amber/fp8"), host("amber/turbo"), host("birch")
PRIORITY = host("amber/priority", tier="priority")
ALL = (FP8, TURBO, BIRCH, PRIORITY)


def served(*hosts, tag=None, **provider):
    """The tag that serves a request with these provider preferences, or the error's status."""
    response = gateway(*(hosts or ALL)).chat(ask(only=None, provider=provider, session_id=tag or "s"), BEGAN)
    return response.host.tag if isinstance(response, Answered) else response.error


def all_served(*hosts, **provider):
    return {served(*hosts, tag=f"s{i}", **provider) for i in range(60)}


def test_a_full_tag_reaches_one_endpoint_and_no_other():
    assert all_served(only=["amber/turbo"]) == {"amber/turbo"}


def test_a_base_slug_covers_every_variant_but_those_of_a_service_tier():
    assert all_served(only=["amber"]) == {"amber/fp8", "amber/turbo"}


def test_a_tier_is_reached_by_its_full_tag_alone():
    assert all_served() == {"amber/fp8", "amber/turbo", "birch"}
    assert served(only=["amber/priority"]) == "amber/priority"


def test_ignoring_a_base_slug_takes_every_variant_out():
    assert all_served(ignore=["amber"]) == {"birch"}


def test_ignoring_a_full_tag_takes_out_that_endpoint():
    assert all_served(ignore=["amber/fp8"]) == {"amber/turbo", "birch"}


@pytest.mark.parametrize("name", ["Amber", "AMBER", "nobody", "amber/", "Amber Cloud"])
def test_a_name_that_nobody_has_is_ignored_silently(name):
    assert all_served(ignore=[name]) == {"amber/fp8", "amber/turbo", "birch"}


def test_ignoring_everybody_is_a_404():
    error = served(ignore=["amber", "birch"])
    assert error.status == 404
    assert error.message.startswith("All providers have been ignored")


def test_the_accounts_own_ignores_are_added():
    response = gateway(*ALL, ignored=("amber",)).chat(ask(only=None, provider={"ignore": ["birch"]}), BEGAN)
    assert isinstance(response, Refused)
    assert response.error.status == 404


def test_allowing_nobody_is_a_404_that_names_both_lists():
    error = served(only=["Birch"])
    assert error.status == 404
    assert error.metadata["requested_providers"] == ["Birch"]
    assert error.metadata["available_providers"] == ["amber", "birch"]
    assert error.extra["availability"]["excluded_by"] == ["allowed_providers"]


def test_an_order_without_fallbacks_that_names_nobody_is_a_404():
    assert "manual order" in served(order=["Amber Cloud"], allow_fallbacks=False).message


def test_an_order_comes_first_and_others_follow():
    dead = host("birch", FaultUse("http_502"))
    assert served(FP8, dead, order=["birch"]) == "amber/fp8"
    assert served(FP8, BIRCH, order=["birch"]) == "birch"


def test_without_fallbacks_an_upstream_error_comes_back():
    dead = host("birch", FaultUse("http_502"))
    assert served(FP8, dead, order=["birch"], allow_fallbacks=False).status == 502


def test_a_fallback_shows_both_attempts():
    dead = host("birch", FaultUse("http_502"))
    response = gateway(FP8, dead).chat(ask(only=None, provider={"order": ["birch"]}), BEGAN)
    assert [(a.display, a.status) for a in response.framer.served.attempts] == [
        ("Birch", 502),
        ("Amber", 200),
    ]


def test_an_error_of_our_own_account_tries_nobody_else():
    refusing = host("birch", FaultUse("http_402"))
    assert served(FP8, refusing, order=["birch"]).status == 402


def test_unpinned_requests_go_to_cheap_hosts_more_often():
    cheap, dear = host("birch", price=Price(0.1, 0.2)), host("dune", price=Price(0.1, 0.6))
    found = [served(cheap, dear, tag=f"s{i}") for i in range(400)]
    assert 0.84 < found.count("birch") / len(found) < 0.96  # weights 1/0.04 and 1/0.36: 90 %


def test_sorting_by_price_takes_the_cheapest():
    cheap, dear = host("birch", price=Price(0.1, 0.2)), host("dune", price=Price(0.1, 0.6))
    assert all_served(cheap, dear, sort="price") == {"birch"}
    assert all_served(cheap, dear, sort={"by": "price", "partition": None}) == {"birch"}


def test_hosts_without_tools_step_back_when_others_have_them():
    bare = host("birch", claims=("temperature",))
    response = gateway(FP8, bare).chat(ask("tool_call", only=None, provider={}), BEGAN)
    assert response.host.tag == "amber/fp8"


def test_a_pinned_host_without_the_parameter_answers_all_the_same():
    bare = host("birch", claims=("temperature",))
    assert isinstance(gateway(FP8, bare).chat(ask("structured", only="birch"), BEGAN), Answered)


def test_requiring_parameters_that_nobody_has_is_a_404():
    bare = host("birch", claims=("temperature",))
    wanted = {"only": ["birch"], "require_parameters": True}
    assert gateway(FP8, bare).chat(ask("structured", provider=wanted), BEGAN).error.status == 404


def test_hosts_that_cannot_write_so_much_are_left_out():
    short = host("birch", max_completion_tokens=100)
    response = gateway(FP8, short).chat(ask(only=None, provider={}, max_tokens=500), BEGAN)
    assert response.host.tag == "amber/fp8"


def test_quantizations_filter():
    exact = host("birch", precision="bf16")
    assert all_served(FP8, exact, quantizations=["bf16"]) == {"birch"}


def test_the_callers_own_account_is_tried_first_whatever_the_order_says():
    own = host("dune", byok=True)
    response = gateway(FP8, own).chat(ask(only=None, provider={"order": ["amber/fp8"]}), BEGAN)
    assert response.host.tag == "dune"
    assert response.framer.served.byok


def test_an_unknown_model_is_a_400():
    error = gateway().chat(ask(model="acme/nothing"), BEGAN).error
    assert (error.status, error.message) == (400, "acme/nothing is not a valid model ID")


def test_a_model_without_hosts_is_a_404():
    gone = host("birch", present=Window(end=timedelta(0)))
    assert gateway(gone).chat(ask(only=None), BEGAN).error.message == "No endpoints found for acme/story-70b."
