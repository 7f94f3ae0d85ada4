from datetime import UTC, datetime, timedelta

import pytest

from serinus.core.exclusions import Exclusion, Layer, Offered, beside, covers, in_force, merge, provider_of

AT = datetime(2026, 11, 30, tzinfo=UTC)
HOUR = timedelta(hours=1)
LIVE = Offered(frozenset({"deepinfra/fp8", "deepinfra/turbo", "novita"}), {})


def entry(name, layer=Layer.OPERATIONAL, since=AT, until=None, **fields):
    return Exclusion(name, layer, since, until, **fields)


def merged(*entries, at=AT, offered=LIVE):
    return merge("m", at, entries, offered)


@pytest.mark.parametrize(
    ("since", "until", "holds"),
    [
        (AT, None, True),
        (AT, AT + HOUR, True),
        (AT - HOUR, AT, False),
        (AT + HOUR, None, False),
        (AT, AT, False),
    ],
)
def test_an_interval_holds_from_its_start_until_just_before_its_end(since, until, holds):
    assert in_force(since, until, AT) is holds


def test_a_provider_is_the_part_before_the_first_slash_unless_the_round_says_another():
    assert provider_of("deepinfra/fp8/eu", {}) == "deepinfra"
    assert provider_of("novita", {}) == "novita"
    assert provider_of("deepinfra/fp8", {"deepinfra/fp8": "acme"}) == "acme"


def test_a_bare_tag_covers_every_route_of_its_provider():
    assert covers("deepinfra", "deepinfra/fp8", {})
    assert covers("deepinfra/fp8", "deepinfra/fp8", {})
    assert not covers("deepinfra/fp8", "deepinfra", {})
    assert not covers("deepinfra/fp8", "deepinfra/turbo", {})
    assert not covers("DeepInfra", "deepinfra/fp8", {})


def test_a_name_covers_the_provider_that_the_round_gives_and_not_the_prefix():
    assert covers("acme", "deepinfra/fp8", {"deepinfra/fp8": "acme"})
    assert not covers("deepinfra", "deepinfra/fp8", {"deepinfra/fp8": "acme"})


def test_each_name_stands_once_with_every_layer_that_says_it():
    found = merged(
        entry("novita", Layer.SUSPENSION, level=1, contracts=("language",)),
        entry("novita", by="ops", why="slow"),
        entry("novita", Layer.ACCOUNT),
        entry("novita", Layer.BUILTIN),
    )
    assert found.ignore == ("novita",)
    assert [e.layer for e in found.entries] == ["builtin", "operational", "account", "suspension"]


def test_of_one_layer_the_entry_for_all_models_comes_first():
    found = merged(entry("novita", model="m"), entry("novita"))
    assert [e.model for e in found.entries] == [None, "m"]


def test_names_are_sorted():
    assert merged(entry("novita"), entry("deepinfra/fp8")).ignore == ("deepinfra/fp8", "novita")


def test_only_what_holds_now_and_concerns_the_model_is_merged():
    found = merged(
        entry("a", until=AT),
        entry("b", since=AT + HOUR),
        entry("c", model="other"),
        entry("d", model="m"),
        entry("e"),
    )
    assert found.ignore == ("d", "e")


def test_a_name_that_covers_no_known_route_is_reported_and_still_sent():
    found = merged(entry("DeepInfra"), entry("novita"))
    assert found.ignore == ("DeepInfra", "novita")
    assert found.unmatched == ("DeepInfra",)


def test_a_route_that_was_live_before_is_known():
    offered = Offered(frozenset({"novita"}), {}, known=frozenset({"gone/fp8"}))
    assert merged(entry("gone"), offered=offered).unmatched == ()


def test_a_list_that_would_cover_every_live_route_leaves_suspensions_out():
    found = merged(entry("deepinfra"), entry("novita", Layer.SUSPENSION))
    assert found.fail_open
    assert found.ignore == ("deepinfra",)
    assert [e.name for e in found.entries] == ["deepinfra"]


def test_an_operator_may_exclude_everything():
    found = merged(entry("deepinfra"), entry("novita"))
    assert found.fail_open
    assert found.ignore == ("deepinfra", "novita")


def test_one_route_left_is_enough():
    found = merged(entry("deepinfra/fp8", Layer.SUSPENSION), entry("novita", Layer.SUSPENSION))
    assert not found.fail_open
    assert found.ignore == ("deepinfra/fp8", "novita")


def test_of_a_model_without_a_round_nothing_is_said_but_what_people_exclude():
    found = merged(entry("novita"), offered=Offered(frozenset(), {}))
    assert (found.ignore, found.fail_open, found.unmatched) == (("novita",), False, ("novita",))


def test_what_the_caller_ignored_is_kept_first_and_in_order():
    found = merged(entry("novita"), entry("deepinfra/fp8"))
    assert beside(["zeta", "novita"], found) == ["zeta", "novita", "deepinfra/fp8"]
    assert beside([], found) == ["deepinfra/fp8", "novita"]
    assert beside(["zeta", "zeta"], merged()) == ["zeta"]
