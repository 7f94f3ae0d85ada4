"""The stream reader against the standard, an independent reading of it, and hostile bytes."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serinus.core.transcript import Event
from serinus.wire.sse import EventReader


def read(data: bytes, cuts: list[int] | None = None) -> list[Event]:
    """All events of these bytes, cut at the given places, without times."""
    reader = EventReader()
    places = [0, *sorted(min(cut, len(data)) for cut in cuts or []), len(data)]
    events = []
    for start, end in pairwise(places):
        events += reader.feed(data[start:end], None)
    return events + reader.finish(None)


def naive(data: bytes) -> list[tuple[str, str, str | None]]:
    """The standard read another way: whole text, character by character, comments and the rest kept."""
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    lines, rest = [], ""
    for i, char in enumerate(text):
        if char == "\n" and i and text[i - 1] == "\r":
            continue
        if char in "\r\n":
            lines.append(rest)
            rest = ""
        else:
            rest += char
    found: list[tuple[str, str, str | None]] = []
    data_buffer, type_buffer = "", ""
    for line in [*lines, *([rest] if rest else []), ""]:
        if line == "":
            if data_buffer:
                found.append(("data", data_buffer[:-1], type_buffer or None))
            data_buffer, type_buffer = "", ""
        elif line[0] == ":":
            found.append(("comment", line[2:] if line[1:2] == " " else line[1:], None))
        else:
            name, value = line.split(":", 1) if ":" in line else (line, "")
            value = value[1:] if value[:1] == " " else value
            if name == "data":
                data_buffer += value + "\n"
            if name == "event":
                type_buffer = value
    return found


def seen(events: list[Event]) -> list[tuple[str, str, str | None]]:
    return [
        ("data", e.data, e.name) if e.data is not None else ("comment", e.comment or "", None) for e in events
    ]


piece = st.sampled_from(
    [
        *(b"\r", b"\n", b"\r\n", b"\n\n", b"\r\r", b"\r\n\r\n"),
        *(b"data", b"data:", b"data: ", b"event:", b"id:", b"retry: 5", b"other", b":", b" ", b": note"),
        *(b"\xef\xbb\xbf", b"\xef", b"\xbb", b"\xbf", b"\x00", b"\xff", b"\xe4\xbd", b"\x0b", b"\x0c"),
        *(s.encode() for s in ("ü", "\u0085", "\u2028", "\u2029", "寿", "🐤", "x", "{}", "[DONE]")),
    ]
)
streams = st.lists(piece | st.binary(max_size=4), max_size=40).map(b"".join)


@given(streams)
def test_an_independent_reading_of_the_standard_agrees(data):
    assert seen(read(data)) == naive(data)


@given(streams, st.lists(st.integers(0, 120), max_size=12))
def test_any_cut_of_the_bytes_gives_the_same_events(data, cuts):
    assert read(data, cuts) == read(data)


@given(streams)
def test_single_bytes_give_the_same_events(data):
    assert read(data, list(range(len(data)))) == read(data)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"data: a\n\n", ["a"]),
        (b"data:a\n\n", ["a"]),
        (b"data:  a\n\n", [" a"]),
        (b"data\n\n", [""]),
        (b"data:\n\n", [""]),
        (b"data\ndata\n\n", ["\n"]),
        (b"data: a\ndata: b\n\n", ["a\nb"]),
        (b"data: a\r\n\r\ndata: b\r\rdata: c\n\n", ["a", "b", "c"]),
        (b"data: a\r\n\ndata: b\n\r\n", ["a", "b"]),
        (b"\n\n\ndata: a\n\n\n\n", ["a"]),
        (b"event: only\n\n", []),
        (b"id: 7\nretry: 10\nfoo: bar\ndata: a\n\n", ["a"]),
        (b"DATA: a\n data: b\n\n", []),
        (b"data: a: b\n\n", ["a: b"]),
        (b"\xef\xbb\xbfdata: a\n\n", ["a"]),
        (b"\xef\xbb\xbf\xef\xbb\xbfdata: a\n\n", []),
        (b"data: a\n\n\xef\xbb\xbfdata: b\n\n", ["a"]),
        (
            "data: a\u0085b\u2028c\u2029d\x0be\x0cf\x1cg\n\n".encode(),
            ["a\u0085b\u2028c\u2029d\x0be\x0cf\x1cg"],
        ),
        (b"data: a\x00b\n\n", ["a\x00b"]),
        (b"id: \x00\ndata: a\n\n", ["a"]),
        (b"data: a", ["a"]),
        (b"data: a\n", ["a"]),
        (b"data: a\n\ndata: b", ["a", "b"]),
    ],
)
def test_the_standard_by_example(data, expected):
    assert [e.data for e in read(data)] == expected


def test_an_event_is_named_by_its_last_event_field_and_the_name_does_not_stay():
    events = read(b"event: x\nevent: error\ndata: a\n\ndata: b\n\n")
    assert [(e.name, e.data) for e in events] == [("error", "a"), (None, "b")]


def test_a_comment_is_an_event_of_its_own_before_the_event_it_stands_in():
    events = read(b"data: a\n: OPENROUTER PROCESSING\n:\ndata: b\n\n")
    assert seen(events) == [
        ("comment", "OPENROUTER PROCESSING", None),
        ("comment", "", None),
        ("data", "a\nb", None),
    ]


def test_an_event_arrives_with_the_read_that_completes_it():
    reader = EventReader()
    assert reader.feed(b"data: a\n", 1.0) == []
    assert reader.feed(b"\r", 2.0) == [Event(2.0, "a")]
    assert reader.feed(b"\n: wait\ndata: b\n\nda", 3.0) == [Event(3.0, comment="wait"), Event(3.0, "b")]
    assert reader.feed(b"ta: c", 4.0) == []
    assert reader.finish(5.0) == [Event(5.0, "c")]
    assert reader.finish(6.0) == []


def test_a_blank_line_that_ends_in_cr_dispatches_without_waiting_for_lf():
    reader = EventReader()
    assert reader.feed(b"data: a\r\n\r", 1.0) == [Event(1.0, "a")]
    assert reader.feed(b"\ndata: b\r\n\r\n", 2.0) == [Event(2.0, "b")]


@pytest.mark.parametrize("bad", [b"\xff", b"\xc3(", b"\xe4\xbd", b"\xed\xa0\x80", b"\xc0\x80"])
def test_bytes_that_are_not_utf8_mark_their_event_alone(bad):
    events = read(b"data: a" + bad + b"\n\ndata: b\n\n: " + bad + b"\n")
    assert [e.undecodable for e in events] == [True, False, True]
    assert "\ufffd" in events[0].data


def test_a_character_cut_by_the_end_of_the_stream_is_not_held_against_the_host():
    assert read("data: 寿".encode()[:-1]) == [Event(None, "\ufffd")]
    assert read(b"data: \xff" + "寿".encode()[:-1]) == [Event(None, "\ufffd\ufffd", undecodable=True)]


def test_a_line_without_end_is_scanned_once():

    reader = EventReader()
    for _ in range(200_000):
        assert reader.feed(b"x", 0.0) == []
    for _ in range(160):
        assert reader.feed(bytes(65536), 0.0) == []
    assert reader.finish(0.0) == []
