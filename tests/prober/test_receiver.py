"""Bytes become events or a body, whatever their cuts and their compression."""

from __future__ import annotations

import gzip
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from serinus.prober.receiver import Receiver

pieces = st.sampled_from(
    [
        b"data: x\n",
        b"\n",
        b": c\n",
        b"{",
        b'"error"',
        b"<html>",
        b" ",
        b"\xef\xbb\xbf",
        b"d",
        b"data",
        b"event: e\n",
    ]
)
answers = st.lists(pieces | st.binary(max_size=5), max_size=20).map(b"".join)
kinds = st.sampled_from(["", "application/json", "text/event-stream", "text/event-stream; charset=utf-8"])


def received(data: bytes, kind: str, cuts: list[int], encoding: str = "", cap: int = 10_000) -> Receiver:
    receiver = Receiver(cap, kind, encoding)
    places = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    for start, end in pairwise(places):
        if not receiver.feed(data[start:end], 0.0):
            break
    receiver.finish()
    return receiver


def seen(receiver: Receiver) -> tuple[object, ...]:
    return receiver.events, receiver.body, receiver.capped, receiver.done, receiver.trouble


@given(answers, kinds, st.lists(st.integers(0, 80), max_size=8))
def test_any_cut_of_the_bytes_is_received_alike(data, kind, cuts):
    assert seen(received(data, kind, cuts)) == seen(received(data, kind, []))


@given(answers, kinds, st.lists(st.integers(0, 80), max_size=8), st.integers(1, 60))
def test_a_cap_takes_exactly_the_first_bytes(data, kind, cuts, cap):
    capped = received(data, kind, cuts, cap=cap)
    assert capped.capped == (len(data) > cap)
    whole = received(data[:cap], kind, [])
    assert (capped.events, capped.body) == (whole.events, whole.body)


@given(answers, kinds, st.lists(st.integers(0, 80), max_size=8))
def test_compression_changes_nothing(data, kind, cuts):
    assert seen(received(gzip.compress(data), kind, cuts, "gzip")) == seen(received(data, kind, []))


@given(st.binary(max_size=60), st.lists(st.integers(0, 60), max_size=4))
def test_bytes_that_are_no_gzip_never_raise(data, cuts):
    receiver = received(data, "", cuts, "gzip")
    assert receiver.trouble or not data


@given(st.sampled_from([b"{", b"<html>", b"Bad gateway", b"\xff"]), answers, kinds)
def test_what_does_not_begin_like_a_stream_is_kept_as_it_came(start, data, kind):
    receiver = received(start + data, kind, [])
    if not kind.startswith("text/event-stream"):
        assert (receiver.body, receiver.events) == ((start + data).decode("utf-8", "replace"), [])


def test_blanks_without_end_are_no_stream_and_cost_no_more_than_their_bytes():
    receiver = Receiver(1_000_000)
    for _ in range(20_000):
        assert receiver.feed(b" ", 0.0)
    receiver.finish()
    assert receiver.body == " " * 20_000


def test_fields_that_carry_no_data_are_no_body():
    assert received(b"retry: 3000\nid: 1\n\n: hello\n\n", "text/event-stream", []).body is None
