from dataclasses import fields
from datetime import timedelta

import pytest

from serinus.config.settings import Policy as PolicySettings
from serinus.core.policy import Mode, Policy
from serinus.core.two_rounds import TwoRounds
from serinus.service.policy_file import KEYS, PolicyError, misfits, parse_policy, policy_of

HOUR = timedelta(hours=1)
DEFAULTS = b"""
mode = "observe"
consecutive_failures = 2
consecutive_clean = 2
suspensions = ["1d", "3d", "7d"]
forget_after = "14d"
floor = 2
streak_max_age = "6h"
min_gap = "15m"
capacity_max_age = "1h"
void_majority = true
"""


def problems(data):
    with pytest.raises(PolicyError) as caught:
        parse_policy(data)
    return [p.line() for p in caught.value.problems]


def test_everything_is_optional_and_the_documented_defaults_are_the_real_ones():
    assert parse_policy(b"") == parse_policy(DEFAULTS) == Policy()


def test_the_file_and_the_configuration_know_the_same_keys_with_the_same_defaults():
    settings = PolicySettings()
    assert set(KEYS) == set(PolicySettings.model_fields)
    policy = Policy()
    for field in fields(Policy):
        if field.name != "rule":
            assert getattr(settings, field.name) == getattr(policy, field.name)
    for field in fields(TwoRounds):
        assert getattr(settings, field.name) == getattr(policy.rule, field.name)


def test_every_key_is_read():
    policy = parse_policy(
        b'mode = "enforce"\nconsecutive_failures = 3\nconsecutive_clean = 4\nsuspensions = ["90s", "2h"]\n'
        b'forget_after = "0s"\nfloor = 0\nstreak_max_age = "75m"\nmin_gap = "0s"\ncapacity_max_age = "5m"\n'
        b"void_majority = false\n"
    )
    assert policy == Policy(
        mode=Mode.ENFORCE,
        suspensions=(timedelta(seconds=90), 2 * HOUR),
        forget_after=timedelta(0),
        floor=0,
        min_gap=timedelta(0),
        capacity_max_age=timedelta(minutes=5),
        void_majority=False,
        rule=TwoRounds(consecutive_failures=3, consecutive_clean=4, streak_max_age=timedelta(minutes=75)),
    )


def test_all_mistakes_are_told_at_once():
    told = problems(
        b'mode = "on"\nconsecutive_failures = 0\nconsecutive_clean = true\nsuspensions = ["1d", "0s", 3]\n'
        b'forget_after = 14\nfloor = -1\nstreak_max_age = "6 h"\nmin_gap = "999999d"\n'
        b'capacity_max_age = []\nvoid_majority = "yes"\nflor = 2\n'
    )
    assert [line.partition(", allowed is ")[0] for line in told] == [
        'mode: found "on"',
        "consecutive_failures: found 0",
        "consecutive_clean: found true",
        'suspensions[1]: found "0s"',
        "suspensions[2]: found 3",
        "forget_after: found 14",
        "floor: found -1",
        'streak_max_age: found "6 h"',
        'min_gap: found "999999d"',
        "capacity_max_age: found []",
        'void_majority: found "yes"',
        "flor: found an unknown key",
    ]


@pytest.mark.parametrize(
    ("line", "allowed"),
    [
        (b'mode = "on"', "observe or enforce"),
        (b"floor = 2.0", "a whole number from 0 to 1000"),
        (b"floor = 1001", "a whole number from 0 to 1000"),
        (b"consecutive_clean = 0", "a whole number from 1 to 1000"),
        (b"void_majority = 1", "true or false"),
        (b'streak_max_age = "0s"', "a whole number with s, m, h or d behind it, such as 30m, more than 0"),
        (b'min_gap = "1w"', "a whole number with s, m, h or d behind it, such as 30m, at most 36525d"),
        (b"suspensions = []", 'a list of durations, such as ["1d", "3d", "7d"]'),
        (b'suspensions = "1d"', 'a list of durations, such as ["1d", "3d", "7d"]'),
        (b"minimum_gap = 1", f"{', '.join(KEYS)}"),
    ],
)
def test_each_mistake_says_what_is_allowed(line, allowed):
    assert [p.partition(", allowed is ")[2] for p in problems(line)] == [allowed]


def test_a_file_that_is_no_toml_is_told():
    assert problems(b"mode = observe")[0].startswith("file: found no TOML: Invalid value (at line 1")
    assert problems(b"\xff") == ["file: found bytes that are no UTF-8, at byte 0, allowed is UTF-8"]
    assert problems(b"floor = " + b"[" * 5000) == [
        "file: found brackets in brackets, hundreds deep, allowed is TOML"
    ]


def test_a_byte_order_mark_is_no_mistake():
    assert parse_policy(b"\xef\xbb\xbffloor = 3") == Policy(floor=3)


def test_a_table_where_a_number_is_wanted_is_told():
    assert problems(b"[floor]\nof = 2") == [
        'floor: found {"of": 2}, allowed is a whole number from 0 to 1000'
    ]


def test_ages_must_fit_the_round_interval_once_it_is_known():
    policy = policy_of({"streak_max_age": "75m", "min_gap": "15m"})
    assert misfits(policy, timedelta(minutes=30)) == []
    assert [p.line() for p in misfits(policy, timedelta(minutes=31))] == [
        "streak_max_age: found 75m, allowed is at least 2.5 times the round interval (31m)"
    ]
    assert [p.line() for p in misfits(policy, timedelta(minutes=29))] == [
        "min_gap: found 15m, allowed is at most half of the round interval (29m)"
    ]
