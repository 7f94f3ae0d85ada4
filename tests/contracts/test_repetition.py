"""The repetition contract: its reasons, one golden case each, and what repeats itself rightly."""

import pytest

from passages import PARTED, PASSAGES
from recorded import chunk, ending, stream, text, told, verdict
from serinus.contracts.repetition import Repetition
from serinus.core.model import Turn

EN = PASSAGES["en"]
REFRAIN = "Oh bread of the morning, oh bread of the day!"

GOLDEN = [
    ("repetition_character", "!" * 160, "length"),
    ("repetition_character", "4" * 40, "stop"),
    ("repetition_character", EN[:80] + "#" * 130, "length"),
    ("repetition_word", "The baker kneads the" + " dough" * 12 + " and opens the door.", "stop"),
    ("repetition_loop", EN[:120] + " She waits by the oven." * 8, "length"),
    (
        "repetition_loop",
        EN[:60] + " She waits by the oven for the bread to rise in the dark of the morning." * 3,
        "length",
    ),
    (
        "repetition_block",
        (EN[:90] + "\n") * 3 + "Then.\n" + (EN[:90] + "\n") * 4 + "And so she stopped, at last.",
        "stop",
    ),
    ("repetition_blank", "The baker opens the door. " + "\n " * 150, "length"),
    ("repetition_twice", f"{EN}\n\n{EN}", "stop"),
    ("repetition_doubled", " ".join(f"{w} {w}" for w in EN.split()), "stop"),
]


@pytest.mark.parametrize(("reason", "answer", "finish"), GOLDEN)
def test_a_proven_loop_fails_with_its_reason(reason, answer, finish):
    assert told("repetition", text(answer, finish), expect_lang="en") == ("fail", reason)


@pytest.mark.parametrize("lang", PASSAGES)
def test_a_clean_passage_of_every_language_passes(lang):
    assert told("repetition", text(PASSAGES[lang], "length"), expect_lang=lang) == ("pass", "repetition_none")


@pytest.mark.parametrize("lang", PASSAGES)
def test_a_sentence_that_comes_until_the_limit_is_a_loop_in_every_language(lang):
    passage = PASSAGES[lang]
    answer = passage[:40] + (" " + passage[40:90]) * 8
    assert told("repetition", text(answer, "length"), expect_lang=lang)[0] == "fail"


@pytest.mark.parametrize("lang", PARTED)
def test_words_that_come_twice_each_are_found_in_every_language_that_parts_them(lang):
    answer = " ".join(f"{w} {w}" for w in PASSAGES[lang].split())
    assert told("repetition", text(answer), expect_lang=lang) == ("fail", "repetition_doubled")


@pytest.mark.parametrize(
    ("answer", "finish"),
    [
        ('"Bread!!! Fresh bread!!!" the baker shouts, and runs to the door.', "stop"),
        (
            f"{EN} Knock, knock, knock. “Ha ha ha!” laughs the baker. “Very, very, very early you are.”",
            "stop",
        ),
        (f"{EN}\n\n{REFRAIN}\n{REFRAIN}\n{REFRAIN}", "stop"),
        (f"{EN}\n\nLa la la la la la la la, she sings, la la la.", "stop"),
        (f"{EN} She draws a line in the flour: ----------.", "stop"),
        (f"{EN}\n\n{'-' * 60}\n", "stop"),
        ("The baker wakes.\n\nOutside,\n\n    the rain.\n\nInside,\n\n    bread and quiet.", "stop"),
        ("- a roll\n- a loaf\n- a pie\n- a cake\n- a bun\n- a tart\n- a pretzel\n- a bagel", "stop"),
        ("Anak-anak berlari-lari, pelan-pelan, lalu tertawa-tawa di dekat tungku yang hangat.", "stop"),
        ("```\n" + "=" * 200 + "\n```\n" + EN, "stop"),
        (f"{EN} Nooooooooooooo! she cries. Hahahahahahahahaha!", "stop"),
    ],
)
def test_what_repeats_itself_rightly_passes(answer, finish):
    assert told("repetition", text(answer, finish), expect_lang="en") == ("pass", "repetition_none")


def pieces(words):
    return [words[i : i + 20] for i in range(0, len(words), 20)]


def test_a_stream_in_which_every_piece_comes_twice_is_doubled():
    doubled = [p for piece in pieces(EN) for p in (piece, piece)]
    events = [(700 + 20 * n, chunk({"content": p})) for n, p in enumerate(doubled)]
    assert told("repetition", stream(*events, *ending(3000)), expect_lang="en") == (
        "fail",
        "repetition_doubled",
    )


def test_an_empty_message_beside_each_delta_doubles_nothing():
    events = [
        (700 + 20 * n, chunk({"content": p}, choice={"message": {"content": ""}}))
        for n, p in enumerate(pieces(EN))
    ]
    assert told("repetition", stream(*events, *ending(3000)), expect_lang="en") == ("pass", "repetition_none")


def test_a_last_event_that_repeats_the_answer_is_the_protocols_fault():
    events = [(700 + 20 * n, chunk({"content": p})) for n, p in enumerate([*pieces(EN), EN])]
    assert told("repetition", stream(*events, *ending(3000)), expect_lang="en") == ("pass", "repetition_none")


def test_a_loop_shows_its_period():
    got = verdict("repetition", text(EN[:120] + " She waits by the oven." * 8, "length"), expect_lang="en")
    assert (got.evidence["period"], got.evidence["copies"]) == (23, 8.0)


def test_every_reason_is_told_by_a_golden_case():
    told_ = {reason for reason, _, _ in GOLDEN}
    assert {r.code for r in Repetition.reasons} - told_ == {"repetition_none", "no_text", "votes_disagree"}


def test_it_asks_the_role_play_of_the_turn():
    (probe,) = Repetition().probes(Turn(round="m@2026-11-30T02:30Z", index=1, tag="host-a", language="de"))
    assert probe.kind == "roleplay"


def resent(parts, which):
    return [p for n, part in enumerate(parts) for p in ([part, part] if n in which else [part])]


@pytest.mark.parametrize("lang", ["en", "ja", "th"])
def test_three_long_pieces_that_are_sent_again_are_doubled(lang):
    parts = resent(pieces(PASSAGES[lang]), {1, 3, 4})
    events = [(700 + 20 * n, chunk({"content": p})) for n, p in enumerate(parts)]
    assert told("repetition", stream(*events, *ending(3000)), expect_lang=lang) == (
        "fail",
        "repetition_doubled",
    )


@pytest.mark.parametrize(
    "parts",
    [
        resent(pieces(EN), {2}),
        ["“", *["Ha"] * 9, "!” ", *pieces(EN)],
        ["knock ", "knock ", "knock knock knock ", "knock knock knock ", *pieces(EN)],
    ],
)
def test_one_piece_sent_again_and_laughter_double_nothing(parts):
    events = [(700 + 20 * n, chunk({"content": p})) for n, p in enumerate(parts)]
    assert told("repetition", stream(*events, *ending(3000)), expect_lang="en")[0] == "pass"
