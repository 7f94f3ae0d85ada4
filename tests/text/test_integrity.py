"""The whole examination: any text is answered, everywhere the same, and no table is read for nothing."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passages import PARTED, PASSAGES
from serinus.text.integrity import examine, prepared
from serinus.text.languages import known, languages
from serinus.text.loops import find_loops
from serinus.text.openings import find_opening
from serinus.text.templates import find_role_first, find_tokens
from serinus.text.turns import find_monologue, find_turns

ANY_TEXT = st.text(st.characters(), max_size=200) | st.lists(
    st.sampled_from(
        [
            *PASSAGES.values(),
            "<|",
            "|>",
            "Ã©",
            "\ufffd",
            "\ud800",
            "極",
            "``",
            "“",
            "\n",
            "user:",
            "&amp;",
            "ĠĊ",
        ]
    ),
    max_size=5,
).map("".join)


@given(ANY_TEXT, st.sampled_from([*languages()]), ANY_TEXT)
def test_any_text_is_examined_in_any_language(text, lang, prompt):
    found = examine(text, known(lang), prompt)
    assert found.units >= 0
    if found.sign is not None:
        assert all(0 <= a <= b <= len(text) for a, b in found.sign.spans)


@given(ANY_TEXT, st.sampled_from([*languages()]), ANY_TEXT)
def test_any_text_is_searched_for_openings_leaks_and_loops(text, lang, prompt):
    list(find_opening(text, known(lang), prompt, prompt))
    list(find_tokens(text, prompt))
    find_role_first(text, prompt)
    list(find_turns(text, prompt))
    list(find_monologue(text))
    list(find_loops(text, capped=True))


@given(st.text(max_size=300))
def test_preparing_moves_nothing(text):
    assert len(prepared(text)) == len(text)


HOSTILE = [
    "a",
    "<",
    "<|",
    "\n",
    " ",
    "*",
    "`",
    "的",
    "ก้",
    "😀",
    "\ufffd",
    "Ã©",
    "user\n",
    ". ",
    "abc.",
    '"a ',
    "a'",
    "é ",
    "[",
    "=",
    "\\n",
]


@pytest.mark.parametrize("unit", HOSTILE)
@pytest.mark.parametrize("lang", ["en", "ru", "zh-Hans", "th"])
def test_a_hundred_kilobytes_of_one_thing_are_read_to_the_end(unit, lang):
    text = unit * (100_000 // len(unit))
    examine(text, known(lang))
    list(find_opening(text, known(lang), text[:2000], text[:2000]))
    list(find_tokens(text))
    list(find_turns(text))
    list(find_monologue(text))


# The signs of some passages, each in its own language and in the next one's.
DIGEST = """
import hashlib, json, sys
sys.path.insert(0, {tests!r})
from passages import PASSAGES
from serinus.text.integrity import examine
from serinus.text.languages import known
codes = ["de", "pt", "zh-Hans", "uk", "vi"]
def line(text, lang):
    found = examine(text, known(lang)).sign
    return [lang, found and [found.code, found.sure, list(found.spans), dict(found.values)]]
out = [line(PASSAGES[a], b) for a in codes for b in (a, codes[codes.index(a) - 1])]
print(hashlib.sha256(json.dumps(out, sort_keys=True).encode()).hexdigest())
"""


def _digest(seed, tests):
    program = DIGEST.format(tests=tests)
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return ran.stdout.strip()


def test_the_same_text_gives_the_same_signs_whatever_the_hash_seed(request):
    tests = str(request.config.rootpath / "tests")
    assert _digest("1", tests) == _digest("2", tests)


def test_the_same_text_gives_the_same_signs_in_every_thread():
    def signs(_):
        return [str(examine(PASSAGES[c], known("en")).sign) for c in PARTED]

    with ThreadPoolExecutor(4) as pool:
        assert len({json.dumps(s) for s in pool.map(signs, range(8))}) == 1


def test_importing_the_contracts_reads_no_table():
    program = (
        "import serinus.contracts as c; c.contracts(); from serinus.text.words import table; "
        "print(table.cache_info().currsize)"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "0"
