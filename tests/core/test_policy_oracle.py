"""The policy equals a second, naive reading of its rules; `bench/replay_oracle.py` compares many more."""

import pytest

from oracle.comparing import our_lists, ours
from oracle.histories import history
from oracle.log import epoch
from oracle.rules import decisions, ignore_lists

SEEDS = 100
GROUPS = 10


@pytest.mark.parametrize("group", range(GROUPS))
def test_both_readings_decide_the_same(group):
    for seed in range(group, SEEDS, GROUPS):
        events, policy = history(seed)
        assert ours(events, policy) == decisions(events, policy), f"seed {seed}"


@pytest.mark.parametrize("group", range(GROUPS))
def test_both_readings_ignore_the_same(group):
    for seed in range(SEEDS + group, SEEDS + SEEDS // 2, GROUPS):
        events, policy = history(seed)
        when = epoch(events[len(events) * (seed % 4 + 1) // 4 - 1]["at"]) + seed % 3 * 600
        assert our_lists(events, policy, when) == ignore_lists(events, policy, when), f"seed {seed}"


def test_the_histories_tell_of_everything():
    said = {d["decision"] for seed in range(20) for d in decisions(*history(seed))}
    assert said == {
        "suspended",
        "held_at_floor",
        "restored",
        "expired",
        "renewed",
        "lifted",
        "probe_weak",
        "round_void",
        "below_floor",
    }
