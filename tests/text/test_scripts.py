import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serinus.text.scripts import LETTERS, own_words, runs, units


@pytest.mark.parametrize(
    ("letters", "script"),
    [
        ("hello", "Latn"), ("Ünïcödé", "Latn"), ("đường", "Latn"), ("мир", "Cyrl"), ("їжак", "Cyrl"),
        ("μετά", "Grek"), ("面包", "Hani"), ("々", "Hani"), ("さくら", "Kana"), ("ラーメン", "Kana"),
        ("서연", "Hang"), ("ที่", "Thai"), ("خبز", "Arab"), ("नहीं", "Deva"), ("שלום", "Hebr"),
        ("ქართული", "Othr"),
    ],
)  # fmt: skip
def test_a_word_is_one_run_of_its_script(letters, script):
    assert [(r.script, r.start, r.end) for r in runs(letters)] == [(script, 0, len(letters))]


def test_runs_stand_where_they_are():
    text = "ab мир! 面包c"
    assert [text[r.start : r.end] for r in runs(text)] == ["ab", "мир", "面包", "c"]


def test_a_letter_is_worth_a_part_of_a_word_where_no_blanks_are():
    assert units("Latn", 9) == 1.0
    assert units("Hani", 10) == pytest.approx(6.0)
    assert units("Thai", 1) == 0.5


def test_a_word_keeps_its_apostrophes_and_marks():
    words = own_words(frozenset({"Latn"}))
    assert words.findall("C'è un po’ d'acqua, i-i-it cafe\u0301.") == [
        "C'è",
        "un",
        "po",
        "d'acqua",
        "i",
        "i",
        "it",
        "cafe\u0301",
    ]


@given(st.text(max_size=80))
def test_runs_never_overlap_and_lie_inside(text):
    found = list(runs(text))
    assert all(0 <= r.start < r.end <= len(text) for r in found)
    assert all(a.end <= b.start for a, b in pairwise(found))


def test_no_letter_belongs_to_two_scripts():
    patterns = {code: re.compile(f"[{letters}]") for code, letters in LETTERS.items()}
    for point in [*range(0x3000), *range(0x3000, 0x10000, 7)]:
        owners = [code for code, p in patterns.items() if p.match(chr(point))]
        assert len(owners) <= 1, (hex(point), owners)
