import contextlib
import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serinus.core.exclusions import Exclusion, Layer, Offered, merge
from serinus.core.published import NOTHING, Published, document, etag_of, plain
from serinus.core.published_reading import PublishedError, read

AT = datetime(2026, 11, 30, 9, tzinfo=UTC)
INSTANTS = st.datetimes(datetime(2026, 1, 1), datetime(2027, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001  zoned
NAMES = st.sampled_from(["amber/fp8", "amber", "birch", "cedar/us-east5"])


@st.composite
def exclusions(draw, model):
    layer = draw(st.sampled_from(Layer))
    suspension = layer is Layer.SUSPENSION
    since = draw(INSTANTS)
    until = since + timedelta(hours=draw(st.integers(1, 10_000)))
    return Exclusion(
        draw(NAMES),
        layer,
        since,
        until if suspension or draw(st.booleans()) else None,
        model=model,
        by=draw(st.none() | st.text(max_size=9)),
        why=draw(st.none() | st.text(max_size=9)),
        level=draw(st.integers(1, 6)) if suspension else None,
        contracts=("language",) if suspension else None,
    )


@st.composite
def documents(draw):
    offered = Offered(frozenset(draw(st.sets(NAMES))), {})
    names = draw(st.sets(st.sampled_from(["acme/story", "acme/poem:free"])))
    models = {n: merge(n, AT, draw(st.lists(exclusions(n), max_size=6)), offered) for n in names}
    return Published(AT, models)


@given(documents())
def test_what_was_published_is_read_as_it_was(published):
    assert read(json.loads(json.dumps(document(published)))) == published


@given(documents(), INSTANTS)
def test_the_tag_is_the_same_whenever_the_same_is_said(published, later):
    said = document(published)
    again = json.loads(json.dumps(said).replace(said["at"], "2026-12-24T18:00:00Z"))
    entries = [e for found in published.lists() for e in found.entries]
    if all(AT not in (e.since, e.until) for e in entries):
        assert etag_of(again) == etag_of(said)
    assert etag_of({**said, "at": later.isoformat()}) == etag_of(said)


@given(documents())
def test_the_tag_is_another_when_a_name_comes(published):
    more = Exclusion("dahlia", Layer.BUILTIN, AT, model="acme/story")
    longer = {**published.models, "acme/story": merge("acme/story", AT, [more], Offered(frozenset(), {}))}
    assert etag_of(document(Published(AT, longer))) != etag_of(document(published))


def suspension(**changes):
    entry = Exclusion(
        "birch", Layer.SUSPENSION, AT, AT + timedelta(days=1), "acme/story", level=1, contracts=("language",)
    )
    said = document(Published(AT, {"acme/story": merge("acme/story", AT, [entry], Offered(frozenset(), {}))}))
    said["models"]["acme/story"]["entries"][0] |= changes
    return said


def test_keys_that_a_newer_release_adds_are_ignored():
    said = suspension(colour="yellow") | {"mood": "bright"}
    said["models"]["acme/story"]["weather"] = 7
    assert read(said) == read(suspension())


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ([], "the document is [], allowed is an object"),
        ({}, "found a list of version None, this reader knows 1: update serinus"),
        (suspension() | {"version": 2}, "found a list of version 2"),
        (suspension() | {"version": True}, "found a list of version True"),
        (suspension() | {"at": "yesterday"}, "at is 'yesterday', allowed is a time as in RFC 3339"),
        (suspension() | {"models": []}, "models is [], allowed is an object"),
        (suspension(until=None), "is a suspension without an end"),
        (suspension(layer="weather"), "models['acme/story'].entries[0].layer is 'weather'"),
        (suspension(level="high"), ".entries[0].level is 'high', allowed is a whole number or null"),
        (suspension(since=12), ".entries[0].since is 12"),
        (suspension(name="cedar"), "contradicts itself"),
        (suspension(name="bi\nrch"), "allowed is a printable name"),
        (suspension(name="b" * 513), "allowed is a printable name of 1 to 512 characters"),
        (suspension() | {"others": "none"}, "others is 'none', allowed is an object"),
    ],
)
def test_another_shape_is_refused_with_what_was_found_and_where(written, told):
    with pytest.raises(PublishedError) as error:
        read(written)
    assert told in str(error.value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=8,
)


@given(JSON, JSON, JSON)
def test_no_garbage_does_worse_than_be_refused(whole, part, leaf):
    for written in (
        whole,
        suspension() | {"models": part},
        suspension(until=leaf),
        suspension(contracts=leaf),
    ):
        with contextlib.suppress(PublishedError):
            read(written)


@pytest.mark.parametrize(
    ("model", "base"),
    [
        ("acme/story", "acme/story"),
        ("acme/story:nitro", "acme/story"),
        ("acme/story:floor@preset/quick", "acme/story"),
        ("acme/story@preset/quick", "acme/story"),
        ("acme/story:free", "acme/story:free"),
        (":nitro", ":nitro"),
    ],
)
def test_a_way_to_ask_for_the_same_routes_has_the_list_of_the_plain_model(model, base):
    assert plain(model) == base


def test_a_model_that_is_not_named_has_what_holds_for_all_models():
    everywhere = merge("", AT, [Exclusion("cedar", Layer.OPERATIONAL, AT)], Offered(frozenset(), {}))
    published = Published(AT, {"acme/story": NOTHING}, everywhere)
    assert published.of("acme/poem").ignore == ("cedar",)
    assert published.of("acme/poem").model == "acme/poem"
    assert published.of("acme/story:nitro").ignore == ()
    assert read(document(published)).of("acme/poem:free").ignore == ("cedar",)


def test_the_next_end_is_when_a_list_changes_by_itself():
    published = read(suspension())
    assert published.next_end(AT) == AT + timedelta(days=1)
    assert published.next_end(AT + timedelta(days=1)) is None
