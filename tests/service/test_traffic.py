"""User traffic beside the canary's own knowledge."""

from serinus.service.traffic import quantile


def test_the_quantile_is_a_time_that_was_measured():
    assert quantile([], 0.5) is None
    assert quantile([0.3], 0.95) == 0.3
    assert quantile([float(n) for n in range(1, 21)], 0.95) == 19.0
    assert quantile([1.0, 2.0, 3.0, 4.0], 0.5) == 2.0
