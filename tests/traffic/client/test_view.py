"""What lookups read, at any instant, of any list."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serinus.core.listing import ignore_list, published
from serinus.traffic.client.view import NEVER, Known, view_of
from stories.timeline import told
from traffic.client.lists import AT, DAY, MODEL, excluded, lists, suspended

HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)


def known(*entries, confirmed=AT):
    return Known(lists(*entries), confirmed, AT, heard=1000.0)


def after(delta):
    return 1000.0 + delta.total_seconds()


LINES = st.sampled_from(
    [
        "a: xx | b: x.xx | c: ..... | d: .....",
        "a: xx....[exclude b] | c: .x.xxx | d: .",
        "a: xx | b: xx",
        ".[exclude z]",
        "{mode observe} xx",
    ]
)


@given(LINES, st.integers(0, 20_000), st.integers(0, 20_000))
def test_a_lookup_says_what_the_listing_says_at_any_instant(line, first, later):
    state = told(line).state
    then = state.now + timedelta(minutes=first)
    lists_then = published(state, then)
    view = view_of(Known(lists_then, then, then, 0.0), later * 60.0, max_age=timedelta(days=400))
    here = ignore_list(state, "m", then + timedelta(minutes=later))
    if lists_then.of("m").fail_open and not here.fail_open:
        assert set(view.of("m")) <= set(here.ignore)  # until the list is asked anew, nothing is added
    else:
        assert view.of("m") == here.ignore
    assert set(view.of_people("m")) == {e.name for e in here.entries if e.level is None}


@given(LINES, st.integers(0, 20_000))
def test_a_view_holds_until_it_turns_and_not_a_moment_longer(line, first):
    state = told(line).state
    then = state.now + timedelta(minutes=first)
    found = Known(published(state, then), then, then, 0.0)
    view = view_of(found, 0.0, DAY)
    if view.turns != NEVER:
        assert view_of(found, view.turns - 1e-3, DAY).names == view.names
        assert view_of(found, view.turns + 1e-3, DAY).names != view.names or any(
            len([e for e in x.entries if e.name == n]) > 1 for x in found.published.lists() for n in x.ignore
        )


def test_an_entry_runs_out_by_its_own_until_though_nobody_asked_again():
    found = known(suspended("birch", AT + HOUR), excluded("cedar", AT + 2 * HOUR), excluded("amber"))
    assert view_of(found, after(HOUR - SECOND), DAY).of(MODEL) == ("amber", "birch", "cedar")
    assert view_of(found, after(HOUR), DAY).of(MODEL) == ("amber", "cedar")
    assert view_of(found, after(2 * HOUR), DAY).of(MODEL) == ("amber",)


def test_suspensions_that_nobody_confirms_for_a_day_no_longer_apply_and_what_people_excluded_stays():
    found = known(suspended("birch", AT + 14 * DAY), excluded("amber"))
    assert view_of(found, after(DAY), DAY).of(MODEL) == ("amber", "birch")
    assert view_of(found, after(DAY + SECOND), DAY).of(MODEL) == ("amber",)
    assert view_of(found, after(0 * DAY), DAY).turns == pytest.approx(after(DAY), abs=1e-3)


def test_its_age_counts_from_when_its_source_last_said_so():
    found = known(suspended("birch", AT + 14 * DAY), confirmed=AT - 23 * HOUR)
    assert found.age(after(HOUR)) == DAY
    assert view_of(found, after(HOUR), DAY).of(MODEL) == ("birch",)
    assert view_of(found, after(HOUR + SECOND), DAY).of(MODEL) == ()


def test_a_way_to_ask_for_the_same_routes_has_the_plain_models_list():
    view = view_of(known(suspended("birch"), excluded("cedar", model=None)), after(0 * DAY), DAY)
    assert view.of(f"{MODEL}:nitro") == ("birch", "cedar")
    assert view.of(f"{MODEL}@preset/quick") == ("birch", "cedar")
    assert view.of(f"{MODEL}:free") == ("cedar",)
    assert view.of("other/model") == view.of_people("other/model") == ("cedar",)


def test_nothing_is_excluded_where_no_list_has_a_name():
    assert view_of(known(), 1000.0, DAY).nothing
    assert not view_of(known(excluded("cedar", model=None)), 1000.0, DAY).nothing
    assert not view_of(known(suspended("birch")), 1000.0, DAY).nothing
