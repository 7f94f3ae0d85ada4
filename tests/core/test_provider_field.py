import pytest

from serinus.core.provider_field import ignored_beside


@pytest.mark.parametrize(
    ("provider", "names", "sent"),
    [
        (None, ("amber", "birch"), ["amber", "birch"]),
        ({}, ("amber",), ["amber"]),
        ({"ignore": None}, ("amber",), ["amber"]),
        ({"ignore": ["cedar", "amber"]}, ("amber", "birch"), ["cedar", "amber", "birch"]),
        ({"ignore": ["amber"]}, ("amber",), None),
        ({"ignore": ["cedar"]}, (), None),
        (None, (), None),
    ],
)
def test_what_the_caller_ignores_is_kept_first_and_in_order(provider, names, sent):
    assert ignored_beside(provider, names, ()) == sent


@pytest.mark.parametrize("ignore", ["amber", 7, {"amber": 1}, ["amber", 7]])
def test_a_field_of_another_shape_is_left_for_the_gateway_to_refuse(ignore):
    assert ignored_beside({"ignore": ignore}, ("birch",), ()) is None


@pytest.mark.parametrize(
    "provider",
    [
        {"only": ["amber/fp8"]},
        {"only": ["amber"]},
        {"only": ["amber/fp8", "birch"]},
        {"order": ["amber/fp8"], "allow_fallbacks": False},
    ],
)
def test_a_pin_to_suspended_routes_alone_is_not_emptied(provider):
    assert ignored_beside(provider, ("amber/fp8", "birch"), ()) is None
    assert ignored_beside(provider, ("amber/fp8", "birch"), ("birch",)) == ["birch"]  # as people want it


@pytest.mark.parametrize(
    "provider",
    [
        {"only": ["amber/fp8", "cedar"]},
        {"order": ["amber/fp8"]},
        {"order": ["amber/fp8"], "allow_fallbacks": True},
        {"only": []},
        {"only": "amber/fp8"},
        {"only": ["amber/turbo"]},
    ],
)
def test_a_pin_that_leaves_something_is_honoured_beside_the_list(provider):
    assert ignored_beside(provider, ("amber/fp8", "birch"), ()) == ["amber/fp8", "birch"]
