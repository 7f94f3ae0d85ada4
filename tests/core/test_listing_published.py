from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from serinus.core.listing import ignore_list, published
from serinus.core.published import document
from serinus.core.published_reading import read
from stories.timeline import told

LINES = st.sampled_from(["xx", "x.xx | a: .....", "xx....[exclude a]", ".[exclude z]", "{mode observe} xx"])


@given(LINES, st.integers(0, 5_000))
def test_what_is_read_of_a_document_is_the_list_of_that_instant(line, minutes):
    state = told(line).state
    at = state.now + timedelta(minutes=minutes)
    found = read(document(published(state, at, ["other"])))
    assert sorted(found.models) == sorted({"m", "other"})
    for model in ("m", "other", "third"):
        here = ignore_list(state, model, at)
        assert (found.of(model).ignore, found.of(model).fail_open) == (here.ignore, here.fail_open)
        assert found.of(model).unmatched == here.unmatched
