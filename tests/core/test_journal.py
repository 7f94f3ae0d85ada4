import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import get_args

import pytest

from serinus.core.evidence import Tally
from serinus.core.exclusions import Layer
from serinus.core.model import Word
from serinus.core.policy import Decision, Exclude, Include, Kind, Lane, Lift, Mode, SetMode, Tick, Warned
from serinus.core.policy.entries import Counted, Eased, Entry, Moved, Regained
from serinus.core.policy.journal import FORMS, JournalError, from_json, to_json

AT = datetime(2026, 11, 30, 2, tzinfo=UTC)
TALLY = Tally(2, 2, AT)
ONE_OF_EACH = [
    Counted(
        AT,
        "m",
        frozenset({"b", "a"}),
        {"a": "p"},
        {"a": {"language": Word.FAIL}, "b": {}},
        tallies={"a": {"language": TALLY, "filtering": None}},
        clean={"b": {Lane.SHADOW: TALLY, Lane.REAL: None}},
    ),
    Decision(
        AT,
        "m",
        Kind.SUSPENDED,
        "a",
        Lane.REAL,
        ("language",),
        1,
        AT + timedelta(days=1),
        {"left": 3, "held": {"language": {"weight": 2, "rounds": 2}}},
        {"language": None},
    ),
    Decision(AT, "m", Kind.BELOW_FLOOR),
    Exclude(AT, Layer.BUILTIN, "a", "m", "ops", "said so", AT + timedelta(hours=1)),
    Include(AT, Layer.OPERATIONAL, "a"),
    Lift(AT, "m", "a", "ops", "looked", timedelta(minutes=90), forget=True),
    SetMode(AT, Mode.ENFORCE, None, "language", "ops", "trial"),
    Tick(AT + timedelta(milliseconds=1)),
    Moved(AT, "m", "language", Lane.SHADOW),
    Eased(AT, "m", "a", Lane.REAL),
    Regained(AT, "m"),
    Warned(AT, "nothing_to_lift", "m", "a", {"n": 1}),
]

# The first written shape, as it must be readable for ever.
GOLDEN = Path(__file__).with_name("entries_v1.jsonl").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("entry", ONE_OF_EACH)
def test_an_entry_survives_being_written_and_read(entry):
    assert from_json(json.loads(json.dumps(to_json(entry)))) == entry


@pytest.mark.parametrize(("line", "entry"), list(zip(GOLDEN, ONE_OF_EACH, strict=True)))
def test_what_was_written_once_is_readable_for_ever(line, entry):
    assert from_json(json.loads(line)) == entry
    assert json.dumps(to_json(entry), sort_keys=True, separators=(",", ":")) == line


def test_every_kind_of_entry_can_be_written():
    assert {kind for kind, _ in FORMS.values()} == set(get_args(Entry))
    assert {type(e) for e in ONE_OF_EACH} == set(get_args(Entry))


@pytest.mark.parametrize(
    ("record", "told"),
    [
        ({"v": 2, "entry": "tick"}, "found an entry of version 2, this reader knows 1 to 1: update serinus"),
        ({"entry": "tick"}, "version None"),
        ({"v": 0, "entry": "tick"}, "version 0"),
        ({"v": True, "entry": ["tick"]}, "named \\['tick'\\]"),
        ({"v": 1, "entry": "tock"}, "found an entry named 'tock', known are counted, decision, exclude"),
        ({"v": 1, "entry": "tick"}, "the tick entry cannot be read: KeyError: 'at'"),
        ({"v": 1, "entry": "tick", "at": "yesterday"}, "the tick entry cannot be read: ValueError"),
        ({"v": 1, "entry": "regained", "at": 7, "model": "m"}, "TypeError"),
    ],
)
def test_what_is_no_entry_is_refused_with_what_was_found(record, told):
    with pytest.raises(JournalError, match=told):
        from_json(record)
