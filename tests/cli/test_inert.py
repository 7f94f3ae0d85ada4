from hypothesis import given
from hypothesis import strategies as st

from serinus.cli.inert import inert


@given(st.text())
def test_nothing_a_terminal_would_obey_is_left(text):
    shown = inert(text)
    assert shown.isprintable() or all(c.isprintable() or c.isspace() for c in shown)
    assert "\n" not in shown
    assert "\x1b" not in shown


def test_escapes_are_shown_and_not_dropped():
    assert inert("a\x1b[31mb\u202ec") == "a\\x1b[31mb\\u202ec"


def test_a_long_text_is_cut():
    assert inert("x" * 500, limit=10) == "x" * 10 + "…"
