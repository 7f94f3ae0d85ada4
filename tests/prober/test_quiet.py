"""Full collections wait while something is measured, and come back afterwards."""

from __future__ import annotations

import gc

import pytest

from serinus.prober.quiet import Quiet


def test_full_collections_wait_until_the_last_holder_has_left():
    before, quiet = gc.get_threshold(), Quiet()
    with quiet.held():
        with quiet.held():
            pass
        assert gc.get_threshold()[2] > 100_000
        assert gc.get_threshold()[:2] == before[:2]
    assert gc.get_threshold() == before


def test_a_measurement_that_breaks_leaves_the_collector_as_it_was():
    before = gc.get_threshold()
    with pytest.raises(RuntimeError), Quiet().held():
        raise RuntimeError
    assert gc.get_threshold() == before
