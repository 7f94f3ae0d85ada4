import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from serinus.core.exclusions import Layer
from serinus.core.model import Control, Round, Word
from serinus.core.policy import Exclude, Include, Lift, Mode, SetMode, Tick
from serinus.service.fields import FieldError
from serinus.service.history import BadLine, GoodLine, parse_event, read_history

AT = datetime(2026, 11, 30, 2, tzinfo=UTC)
WRITTEN = "2026-11-30T02:00:00Z"
ROUND = {
    "at": WRITTEN,
    "event": "round",
    "model": "m",
    "live": ["a/x", "b"],
    "results": {"a/x": {"language": "fail"}},
}
LIFT = {"at": WRITTEN, "event": "lift", "route": "a", "model": "m"}


def parsed(**record):
    return parse_event(json.dumps({"at": WRITTEN, **record}).encode())


def refused(record):
    line = record if isinstance(record, bytes) else json.dumps(record).encode()
    with pytest.raises(FieldError) as caught:
        parse_event(line)
    return str(caught.value)


def test_a_round_is_read_with_its_controls_and_providers():
    event = parse_event(
        json.dumps({**ROUND, "controls": {"c": "passed"}, "providers": {"a/x": "p"}}).encode()
    )
    assert event == Round(
        AT,
        "m",
        frozenset({"a/x", "b"}),
        {"a/x": {"language": Word.FAIL}},
        {"c": Control.PASSED},
        {"a/x": "p"},
    )


def test_live_is_a_set():
    assert parse_event(json.dumps({**ROUND, "live": ["b", "a/x", "b"]}).encode()).live == {"a/x", "b"}


@pytest.mark.parametrize("word", list(Word))
def test_every_verdict_word_is_read(word):
    event = parse_event(json.dumps({**ROUND, "results": {"b": {"language": word}}}).encode())
    assert event.results == {"b": {"language": word}}


def test_operators_acts_are_read():
    assert parsed(event="exclude", layer="builtin", route="a", until="2026-11-30T03:00:00Z") == Exclude(
        AT, Layer.BUILTIN, "a", until=AT + timedelta(hours=1)
    )
    assert parsed(event="include", layer="account", route="a", model="m", by="x", why="y") == Include(
        AT, Layer.ACCOUNT, "a", "m", "x", "y"
    )
    assert parsed(event="lift", route="a", model="m", grace=1.5, forget=True) == Lift(
        AT, "m", "a", grace=timedelta(seconds=1.5), forget=True
    )
    assert parsed(event="mode", mode="enforce", contract="language") == SetMode(
        AT, Mode.ENFORCE, None, "language"
    )
    assert parsed(event="tick") == Tick(AT)


def test_null_and_absent_are_the_same_where_both_are_allowed():
    acts = [
        {"event": "exclude", "layer": "operational", "route": "a", "model": None, "until": None, "by": None},
        {"event": "lift", "route": "a", "model": "m", "grace": None, "forget": None, "why": ""},
        {"event": "mode", "mode": "observe", "model": None, "contract": None},
    ]
    for act in acts:
        assert parsed(**act) == parsed(**{k: v for k, v in act.items() if v not in (None, "")})


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (b"{", "found no JSON (Expecting property name enclosed in double quotes at character 1)"),
        (b"[1]", "found [1], allowed is one JSON object a line"),
        (b"\xff{}", "found bytes that are no UTF-8 (at byte 0), allowed is UTF-8"),
        (b"[" * 100_000, "found JSON nested too deeply"),
        (b'{"at": ' + b"9" * 5000 + b"}", "found a number that cannot be read (Exceeds the limit"),
        (b'{"at": NaN}', "found NaN, allowed is a number"),
        (b'{"at": 1, "at": 2}', 'found the key "at" twice, allowed is once'),
        ({}, "event: found nothing, allowed is round, exclude, include, lift, mode, tick"),
        ({"event": 1}, "event: found 1, allowed is round"),
        ({"event": ["round"]}, 'event: found ["round"], allowed is round'),
        ({"event": "tick"}, "at: found nothing, allowed is a time"),
        ({"event": "tick", "at": 7}, "at: found 7, allowed is a time"),
        ({"event": "tick", "at": "soon"}, "at: found 'soon', allowed is a time"),
        ({"event": "tick", "at": WRITTEN, "x": 1}, 'found unknown keys of a tick: "x"; allowed: event, at'),
        ({**LIFT, "model": None}, "model: found null, allowed is a text that is not empty"),
        ({**LIFT, "route": ""}, 'route: found "", allowed is a text that is not empty'),
        ({**LIFT, "route": "\ud800"}, "route: found "),
        ({**LIFT, "grace": -1}, "grace: found -1, allowed is a number of seconds from 0 to 316224000"),
        ({**LIFT, "grace": True}, "grace: found true, allowed is a number"),
        ({**LIFT, "grace": "1h"}, 'grace: found "1h", allowed is a number'),
        ({**LIFT, "grace": 1e300}, "grace: found 1e+300, allowed is a number"),
        ({**LIFT, "forget": 1}, "forget: found 1, allowed is true or false"),
        ({**LIFT, "by": 1}, "by: found 1, allowed is a text that is not empty"),
        (
            {"event": "exclude", "at": WRITTEN, "layer": "suspension", "route": "a"},
            'layer: found "suspension", allowed is builtin, operational, account',
        ),
        (
            {"event": "exclude", "at": WRITTEN, "layer": "account", "route": "a", "until": 3},
            "until: found 3, allowed is a time",
        ),
        ({"event": "mode", "at": WRITTEN, "mode": "on"}, 'mode: found "on", allowed is observe, enforce'),
        ({**ROUND, "live": "a"}, 'live: found "a", allowed is a list of routes'),
        ({**ROUND, "live": ["a/x", 3]}, "live[1]: found 3, allowed is a text that is not empty"),
        ({**ROUND, "results": None}, "results: found null, allowed is an object"),
        (
            {**ROUND, "results": {"c": {}}},
            "results.c: found a result for a route outside live, allowed is one of",
        ),
        ({**ROUND, "live": []}, "allowed is none, since live is empty"),
        (
            {**ROUND, "results": {"b": "pass"}},
            'results.b: found "pass", allowed is an object of contract and',
        ),
        (
            {**ROUND, "results": {"b": {"language": "bad"}}},
            'results.b.language: found "bad", allowed is pass, fail',
        ),
        ({**ROUND, "results": {"b": {"language": None}}}, "results.b.language: found null, allowed is pass"),
        ({**ROUND, "results": {"b": {"language": ["pass"]}}}, 'results.b.language: found ["pass"]'),
        ({**ROUND, "results": {"b": {"": "pass"}}}, 'results.b: found "", allowed is a name'),
        (
            {**ROUND, "controls": {"c": "ok"}},
            'controls.c: found "ok", allowed is caught, passed, unreachable',
        ),
        ({**ROUND, "controls": []}, "controls: found [], allowed is an object"),
        ({**ROUND, "providers": {"b": ""}}, 'providers.b: found "", allowed is a text'),
        ({**ROUND, "extra": {}, "also": 1}, 'found unknown keys of a round: "also", "extra"; allowed: '),
    ],
)
def test_a_bad_line_says_where_what_was_found_and_what_is_allowed(record, told):
    assert told in refused(record)


def test_of_many_live_routes_an_error_names_the_first():
    record = {**ROUND, "live": [f"r{n}" for n in range(10)]}
    assert refused(record).endswith('one of "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7" and 2 more')


def test_a_long_value_is_shown_cut_short():
    assert len(refused({**LIFT, "forget": "x" * 5000})) < 120


def test_bad_lines_stop_no_good_ones_and_keep_their_number():
    lines = [
        b"\xef\xbb\xbf" + json.dumps(LIFT).encode() + b"\r\n",
        b"\n",
        b"  \n",
        b"nonsense\n",
        json.dumps(LIFT).encode(),
    ]
    found = list(read_history(lines))
    assert [(type(line), line.number) for line in found] == [(GoodLine, 1), (BadLine, 4), (GoodLine, 5)]


@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")))
@example(b'{"event":"lift","at":"2026-11-30T02:00:00Z","route":"\\ud800","model":"m"}')
def test_any_line_is_an_event_or_a_problem(line):
    for found in read_history([line]):
        assert isinstance(found, GoodLine | BadLine)


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=4) | st.sampled_from(["pass", "a/x", WRITTEN]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from([ROUND, LIFT]), st.data(), json_values)
def test_any_value_in_any_field_is_an_event_or_a_problem(record, data, value):
    key = data.draw(st.sampled_from([*record, "grace", "forget", "controls", "providers"]))
    (line,) = read_history([json.dumps({**record, key: value}).encode()])
    assert isinstance(line, GoodLine) or "found" in line.problem
