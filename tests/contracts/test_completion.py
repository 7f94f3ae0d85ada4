from __future__ import annotations

import pytest

from recorded import ROUTE, SCENE, body, samples, stream, text, told, usage, words

WHOLE = [
    (SCENE, "en"),
    ("Welcome to the mill 🕯️", "en"),
    ("Broth, bread, a dry blanket\n\n— The miller", "en"),
    ("Willkommen in der Mühle!\n\nDeine Müllerin", "de"),
    ("Suppe · Brot · Tee", "de"),
    ("The Miller's Welcome", "en"),
    ("She smiles and says, “Come in”", "en"),
    ("- a blanket\n- a bowl of broth\n- a place at the hearth", "en"),
    ("*She closes the half-door and waits for you to speak*", "en"),
    ("水車小屋の娘は灯りを掲げ、あなたを炉端に招いた。", "ja"),
    ("磨坊主的女儿举起蜡烛，请你坐到炉边。", "zh-Hans"),
    ("ลูกสาวเจ้าของโรงสียกเทียนขึ้น แล้วเชิญคุณมานั่งข้างเตาไฟ รอฟังเรื่องราวของคุณ", "th"),
    ("ลูกสาวเจ้าของโรงสียกเทียนขึ้น แล้วเชิญคุณมานั่งข้างเตาไฟตรงนี้", "th"),
]


@pytest.mark.parametrize(("words_", "lang"), WHOLE)
def test_whole_texts_pass_with_or_without_a_full_stop(words_, lang):
    assert told("completion", text(words_), expect_lang=lang, **ROUTE) == ("pass", "whole")


@pytest.mark.parametrize(
    ("words_", "lang"),
    [
        ("The miller's daughter holds her candle against the rain and starts to expl", "en"),
        ("Outside, the wheel keeps turning in the dark, but inside the mill it is qui", "en"),
        ("Die Müllerin hält die Kerze in den Regen und mustert deinen nassen Mant", "de"),
        ("La hija del molinero levanta la vela contra la lluvia y te invita a sent", "es"),
        ("La fille du meunier lève sa bougie contre la pluie et te fait signe d'appr", "fr"),
        ("Дочь мельника поднимает свечу и освобождает тебе место у огн", "ru"),
        ("A filha do moleiro levanta a vela contra a chuva e começa a cami", "pt"),
    ],
)
def test_a_normal_end_in_the_middle_of_a_word_fails(words_, lang):
    assert told("completion", text(words_), expect_lang=lang, **ROUTE) == ("fail", "cut_mid_word")


@pytest.mark.parametrize(
    ("words_", "lang"),
    [
        ("The miller's daughter holds her candle against the rain and waits for", "en"),
        ("The miller's daughter holds her candle and whispers the name Elar", "en"),
        ("The miller's daughter holds her candle against the rain,", "en"),
        ("ข้างนอกฝนยังตก แต่ภายในโรงสีนั้นอบอุ่นและเงี", "th"),
        ("水車小屋の娘は灯りを掲げ、雨の中のあなたを見つめてから、炉端に席を空けてくれ", "ja"),
        ("방앗간 주인의 딸이 촛불을 들고 비에 젖은 너를 바라보며 난롯가에 자리를 내어", "ko"),
    ],
)
def test_an_open_end_is_doubt(words_, lang):
    assert told("completion", text(words_), expect_lang=lang, **ROUTE) == ("inconclusive", "open_end")


def test_two_of_three_cut_answers_fail_and_two_doubtful_ones_are_doubt():
    cut = "The miller's daughter holds her candle against the rain and starts to expl"
    assert told("completion", samples(cut, cut, SCENE), expect_lang="en")[0] == "fail"
    assert told("completion", samples(cut, SCENE, SCENE), expect_lang="en")[0] == "inconclusive"
    open_ = "ข้างนอกฝนยังตก แต่ภายในโรงสีนั้นอบอุ่นและเงี"
    whole = "ลูกสาวเจ้าของโรงสียกเทียนขึ้น แล้วเชิญคุณมานั่งข้างเตาไฟ รอฟังเรื่องราวของคุณ"
    assert told("completion", samples(open_, open_, whole), expect_lang="th")[0] == "inconclusive"
    assert told("completion", samples(whole, whole, open_), expect_lang="th")[0] == "pass"


@pytest.mark.parametrize(
    ("response", "cap", "expected"),
    [
        (text(SCENE[:150], "length", usage=usage(60, 256)), 1200, ("fail", "host_cap")),
        (text(SCENE[:150], "max_tokens", usage=usage(60, 256)), 1200, ("fail", "host_cap")),
        (
            text(SCENE[:150], "stop", native_finish_reason="MAX_TOKENS", usage=usage(60, 256)),
            1200,
            ("fail", "host_cap"),
        ),
        (text(SCENE[:150], "length", usage=usage(60, 40)), 40, ("pass", "own_cap_reached")),
        (text(SCENE[:150], "length", usage=usage(60, 37)), 40, ("pass", "own_cap_reached")),
        (text(SCENE[:150], "length"), 40, ("inconclusive", "cap_unknown")),
        (text(SCENE[:150], "length"), None, ("inconclusive", "cap_unknown")),
        (text(SCENE[:150], "length"), 4000, ("fail", "host_cap")),
        (
            body({"content": "", "reasoning": "Hm. " * 900}, "length", usage=usage(60, 4000)),
            4000,
            ("fail", "reasoning_ate_budget"),
        ),
        (
            body({"content": None, "reasoning": "Hm. " * 900}, "length"),
            None,
            ("fail", "reasoning_ate_budget"),
        ),
        (
            body({"content": "", "reasoning": "The greeting"}, "length", usage=usage(60, 8)),
            8,
            ("inconclusive", "own_cap"),
        ),
        (text(SCENE, "eos"), 300, ("pass", "whole")),
        (text(SCENE, ""), 300, ("pass", "whole")),
        (text(SCENE, "end_turn"), 300, ("pass", "whole")),
        (text(SCENE, "repetition"), 300, ("inconclusive", "unknown_finish_reason")),
        (text(SCENE, None), 300, ("inconclusive", "no_finish_reason")),
        (stream(*words(), (2000, "data: [DONE]")), 300, ("inconclusive", "no_finish_reason")),
        (stream(*words()), 300, ("transport", "unfinished")),
        (stream(*words()[:2], end="reset"), 300, ("transport", "reset")),
        (text(""), 300, ("inconclusive", "empty_answer")),
    ],
)
def test_the_finish_reason_is_read_against_our_own_cap(response, cap, expected):
    assert told("completion", response, max_tokens=cap, expect_lang="en", **ROUTE) == expected


def test_a_claim_to_be_too_long_fails_far_below_the_cap_and_a_character_s_does_not():
    claim = SCENE + " I have to stop here, as I have reached the maximum allowed output length."
    assert told("completion", text(claim), max_tokens=4000, expect_lang="en") == ("fail", "claims_too_long")
    assert told("completion", text(claim), max_tokens=100, expect_lang="en")[0] == "pass"
    spoken = SCENE + " “The letter is over its maximum length already,” she laughs and folds it."
    assert told("completion", text(spoken), max_tokens=4000, expect_lang="en")[0] == "pass"
