"""The pieces of pages: bars, passages, charts, what a browser has seen."""

from __future__ import annotations

import html
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serinus.text.inert import inert, unsafe
from serinus.web.pages.bars import bar, said
from serinus.web.pages.chart import times
from serinus.web.pages.hostile import LONGEST, exact, passage, shown
from serinus.web.pages.seen import PAUSE, Seen
from web_page import Page

AT = datetime(2026, 11, 30, 12, tzinfo=UTC)


def in_a_page(markup) -> Page:
    return Page(
        f'<html lang="en"><head><title>t</title></head><body><main><h1>h</h1>{markup}</main></body></html>'
    )


@pytest.mark.parametrize("letters", ["p" * 48, "f" * 48, "pf" * 24, " " * 48, "pfwitvnka. "])
def test_a_bar_is_whole_and_says_in_words_what_it_shows(letters):
    (svg,) = in_a_page(bar(letters, "last 24 hours")).named("svg")
    assert svg.attributes["aria-label"].startswith("last 24 hours")


def test_a_bar_of_one_kind_costs_a_hundred_and_a_half_bytes():
    assert len(bar("p" * 48, "last 24 hours")) < 160


def test_a_bar_tells_kinds_apart_by_shape_too():
    heights = {letter: str(bar(letter, "x")).split("M0 ")[1].split("h")[0] for letter in "pfitn"}
    assert len(set(heights.values())) == len(heights)


def test_a_bar_counts_rounds_and_not_gaps():
    assert said("pp f", "last 2 hours") == "last 2 hours, 3 rounds: 2 kept, 1 broken"


@given(st.text(max_size=200), st.lists(st.tuples(st.integers(0, 200), st.integers(0, 200)), max_size=4))
def test_no_passage_breaks_out_of_its_page(text, spans):
    page = in_a_page(f"<div>{passage(text, spans)}</div>")
    assert {e.tag for e in page.elements} <= {
        "html",
        "head",
        "title",
        "body",
        "main",
        "h1",
        "div",
        "span",
        "mark",
    }


@given(st.text(max_size=200))
def test_whatever_is_shown_holds_nothing_that_acts(text):
    for markup in (str(shown(text)), inert(text, 1000)):
        assert not [c for c in markup if unsafe(c) and c not in "\u200c\u200d"]


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r\x80"), max_size=60))
def test_the_value_of_a_field_comes_back_as_it_was(text):
    markup = exact(text)
    assert not [c for c in str(markup) if unsafe(c)]
    assert "<" not in markup
    assert '"' not in markup
    if not any(ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 or ord(c) & 0xFFFE == 0xFFFE for c in text):
        assert html.unescape(str(markup)) == text


def test_spans_are_marked_where_they_are_even_behind_escapes():
    assert str(passage("a\x1bbcd", [(2, 4)])).endswith("<mark>bc</mark>d")


def test_overlapping_spans_are_marked_once():
    assert str(passage("abcdef", [(1, 4), (2, 5)])) == "a<mark>bcd</mark><mark>e</mark>f"


def test_of_a_long_answer_the_marked_place_is_shown():
    text = "x" * 50_000 + "HERE" + "y" * 50_000
    found = str(passage(text, [(50_000, 50_004)]))
    assert "<mark>HERE</mark>" in found
    assert len(found) < LONGEST + 500
    assert "characters more" in found


def test_joiners_are_shown_as_themselves_only_where_a_script_needs_them():
    assert "\u200c" in shown("می\u200cخواهم")
    assert "\u200d" in shown("👩\u200d🚀")
    assert "\\u200d" in shown("pay\u200dpal")


@pytest.mark.parametrize("points", [[], [(AT, 0.0)], [(AT - timedelta(hours=n), n * 1.7) for n in range(9)]])
def test_the_chart_is_whole_and_says_what_it_shows(points):
    (svg,) = in_a_page(times(points, 10.0, AT - timedelta(days=1), AT)).named("svg")
    assert svg.attributes["aria-label"]


def test_a_visit_ends_by_a_pause():
    seen = Seen(3, 5, AT)
    assert seen.looked(9, AT + PAUSE / 2) == Seen(3, 9, AT + PAUSE / 2)
    assert seen.looked(9, AT + PAUSE) == Seen(5, 9, AT + PAUSE)
