"""The names in a request's body."""

import copy

import pytest

from serinus.traffic.client import Exclusions
from traffic.client.lists import MODEL, Time, excluded, suspended, written


@pytest.fixture
def exclusions(tmp_path):
    """Birch is suspended, people excluded cedar of this model and dahlia of all."""
    path = tmp_path / "lists.json"
    path.write_bytes(written(suspended("birch"), excluded("cedar"), excluded("dahlia", model=None)))
    with Exclusions(path, cache=False, clocks=Time().clocks) as found:
        yield found


def ignored(exclusions, **body):
    return exclusions.apply(body)["provider"]["ignore"]


def test_the_names_stand_in_provider_ignore(exclusions):
    assert exclusions.apply({"model": MODEL, "stream": True}) == {
        "model": MODEL,
        "stream": True,
        "provider": {"ignore": ["birch", "cedar", "dahlia"]},
    }


def test_what_the_caller_put_there_is_kept_and_his_objects_are_not_changed(exclusions):
    body = {"model": MODEL, "provider": {"ignore": ["elm", "cedar"], "sort": "price"}}
    before = copy.deepcopy(body)
    assert exclusions.apply(body)["provider"] == {
        "ignore": ["elm", "cedar", "birch", "dahlia"],
        "sort": "price",
    }
    assert body == before


def test_nothing_excluded_gives_the_same_object(tmp_path):
    path = tmp_path / "lists.json"
    path.write_bytes(written(suspended("birch")))
    body = {"model": "acme/tale-8b"}
    with Exclusions(path, cache=False, clocks=Time().clocks) as found:
        assert found.apply(body) is body
        assert found.apply(body, "acme/tale-8b") is body
        there = {"model": MODEL, "provider": {"ignore": ["birch"]}}
        assert found.apply(there) is there


def test_a_request_that_may_end_at_several_models_leaves_out_the_names_of_each(exclusions):
    assert ignored(exclusions, model="acme/tale-8b", models=["other/model", MODEL]) == [
        "dahlia",
        "birch",
        "cedar",
    ]
    assert ignored(exclusions, models=[MODEL]) == ["birch", "cedar", "dahlia"]
    assert ignored(exclusions, messages=[]) == ["dahlia"]


def test_a_pin_to_what_is_suspended_stands_and_one_to_what_people_excluded_does_not(exclusions):
    assert ignored(exclusions, model=MODEL, provider={"only": ["birch"]}) == ["cedar", "dahlia"]
    assert ignored(exclusions, model=MODEL, provider={"only": ["birch", "elm"]}) == [
        "birch",
        "cedar",
        "dahlia",
    ]


@pytest.mark.parametrize("body", [{"model": f"{MODEL}@preset/quick"}, {"model": MODEL, "preset": "quick"}])
def test_a_preset_keeps_its_own_provider_object(exclusions, body):
    assert exclusions.apply(body) is body
    own = {**body, "provider": {"sort": "price"}}
    assert exclusions.apply(own)["provider"]["ignore"] == ["birch", "cedar", "dahlia"]


@pytest.mark.parametrize(
    "body",
    [
        {"model": MODEL, "provider": ["birch"]},
        {"model": MODEL, "provider": "birch"},
        {"model": MODEL, "provider": {"ignore": "birch"}},
        {"model": MODEL, "provider": {"ignore": [1]}},
    ],
)
def test_another_shape_is_left_for_the_gateway_to_refuse(exclusions, body):
    assert exclusions.apply(body) is body


@pytest.mark.parametrize("model", [None, 7, ["x"], {"a": 1}])
def test_a_model_of_another_shape_raises_nothing(exclusions, model):
    assert ignored(exclusions, model=model) == ["dahlia"]
    assert ignored(exclusions, model=MODEL, models=model) == ["birch", "cedar", "dahlia"]
