"""The opening contract: its reasons, one golden case each, what begins so rightly, the rate over samples."""

import pytest

from passages import PASSAGES
from recorded import samples, text, told, verdict
from serinus.contracts.opening import Opening
from serinus.core.model import Turn

EN = PASSAGES["en"]
STRAY = [
    ", ",
    "; ",
    ") ",
    ": ",
    "| ",
    "】",
    "。",
    "、 ",
    "] ",
    "} ",
    "/ ",
    "， ",
    "% ",
    "= ",
    ". ",
    "! ",
    '", ',
    "*/ ",
    "``` ",
]
INSTRUCTIONS = (
    "You are a baker in a small town. Greet the first customer warmly and never speak for the customer."
)

GOLDEN = [
    ("opening_stray_punctuation", f": {EN}", "en"),
    ("opening_stray_punctuation", f"'), {PASSAGES['fr']}", "fr"),
    ("opening_foreign_fragment", f"ования{EN}", "en"),
    ("opening_foreign_fragment", f"的{PASSAGES['nl']}", "nl"),
    ("opening_foreign_fragment", f"ção {PASSAGES['ru']}", "ru"),
    ("opening_foreign_fragment", f"ます{PASSAGES['uk']}", "uk"),
    ("opening_cut_word", f"ment{EN}", "en"),
    ("opening_cut_word", f"ungen {PASSAGES['es']}", "es"),
    ("opening_combining_mark", f"ิง {PASSAGES['fr']}", "fr"),
    ("opening_combining_mark", f"่{PASSAGES['th']}", "th"),
    ("opening_role_label", f"assistant\n{EN}", "en"),
    ("opening_role_label", f"model: {EN}", "en"),
    ("opening_control_token", f"<|begin_of_text|>{EN}", "en"),
    ("opening_acknowledgement", f"收到您的请求，正在为您生成。{EN}", "en"),
    ("opening_acknowledgement", f"您的消息已经受理，请稍候。{EN}", "en"),
]

MARKED = [f"*She opens the door.* {EN}", f'"One more," she says. {EN}', f"“One more,” she says. {EN}"]


@pytest.mark.parametrize("answer", MARKED)
@pytest.mark.parametrize("bit", ["的", "ния", "ました", "สวัส", "습니다", "ment", "tion", "ção"])
def test_a_fragment_before_an_emphasis_or_quotation_mark_is_seen(bit, answer):
    verdict, reason = told("opening", text(bit + answer), expect_lang="en")
    assert (verdict, reason) in {("fail", "opening_foreign_fragment"), ("fail", "opening_cut_word")}


@pytest.mark.parametrize("answer", [f"*她打开门。* {PASSAGES['zh-Hans']}", f"「早い」 {PASSAGES['ja']}"])
@pytest.mark.parametrize("bit", ["ment", "ний", "ings"])
def test_a_fragment_before_a_mark_is_seen_in_other_scripts(bit, answer):
    lang = "ja" if answer.startswith("「") else "zh-Hans"
    assert told("opening", text(bit + answer), expect_lang=lang) == ("fail", "opening_foreign_fragment")


@pytest.mark.parametrize("rest", ["*She smiles.*", '"One more."', "— she says."])
def test_a_pause_with_a_mark_glued_to_what_follows_is_stray(rest):
    answer = "…:" + rest.replace("— ", "—")
    assert told("opening", text(f"{answer} {EN}"), expect_lang="en")[0] == "fail"


@pytest.mark.parametrize("bit", ["はい", "Да", "да", "嗯", "네", "nya", "Привет", "猫—"])
def test_a_word_of_another_tongue_before_an_action_is_at_most_a_doubt(bit):
    assert told("opening", text(f"{bit}*nods and smiles* {EN}"), expect_lang="en")[0] != "fail"


@pytest.mark.parametrize(("reason", "answer", "lang"), GOLDEN)
def test_a_proven_fault_fails_with_its_reason(reason, answer, lang):
    assert told("opening", text(answer), expect_lang=lang) == ("fail", reason)


@pytest.mark.parametrize("lang", PASSAGES)
@pytest.mark.parametrize("mark", STRAY)
def test_a_stray_mark_opens_no_answer_of_any_language(mark, lang):
    assert told("opening", text(mark + PASSAGES[lang]), expect_lang=lang) == (
        "fail",
        "opening_stray_punctuation",
    )


@pytest.mark.parametrize("lang", PASSAGES)
def test_a_clean_passage_of_every_language_passes(lang):
    assert told("opening", text(PASSAGES[lang]), expect_lang=lang) == ("pass", "opening_ok")


@pytest.mark.parametrize(
    ("answer", "lang"),
    [
        (f'"Come in," she says. {EN}', "en"),
        (f"...and then the bell rang. {EN}", "en"),
        (f". . . {EN}", "en"),
        (f"…{EN}", "en"),
        (f"…:D {EN}", "en"),
        (f"…!? {EN}", "en"),
        (f"*wipes her hands* {EN}", "en"),
        (f"**Baker:** {EN}", "en"),
        (f"# Before dawn\n\n{EN}", "en"),
        (f"---\n\n{EN}", "en"),
        (f"> {EN}", "en"),
        (f"(quietly) {EN}", "en"),
        (f"[The oven roars.] {EN}", "en"),
        (f"♪ La la la! {EN}", "en"),
        (f"~ {EN}", "en"),
        (f"🥐 {EN}", "en"),
        (f":) {EN}", "en"),
        (f":smile: {EN}", "en"),
        (f"5:30 — {EN}", "en"),
        (f"_sighs_ {EN}", "en"),
        (f"`clang` {EN}", "en"),
        (f"/me waves. {EN}", "en"),
        (f"<3 {EN}", "en"),
        (f"| a | b |\n|---|---|\n{EN}", "en"),
        (f"iPhone in hand, the baker waits. {EN}", "en"),
        (f"Senpai... {EN}", "en"),
        (f"\n\n{EN}", "en"),
        ("hmm, you are early today. come in, the rolls are warm, and mind the step.", "en"),
        (PASSAGES["de"].replace("Die", "„Die", 1), "de"),
        ("»Komm herein«, sagte sie, »das Brot ist warm.«", "de"),
        ("”Kom in”, sa hon och log, ”bröden är redan varma.”", "sv"),
        ("’s Ochtends vroeg opent ze de deur en veegt het meel van haar handen.", "nl"),
        ("'t Is nog donker, zegt ze, en ze zet een stoel klaar bij de oven.", "nl"),
        ("—¿Has venido tan temprano? —pregunta ella.", "es"),
        ("¡Qué frío! La panadera cierra la puerta.", "es"),
        ("« Entrez, dit-elle. »", "fr"),
        ("「早いですね」と彼女は言った。", "ja"),
        ("『早いですね』と彼女は言った。", "ja"),
        ("【朝】彼女は窯に火を入れた。", "ja"),
        ("เธอยิ้มแล้วเปิดประตู", "th"),
        ("ไม่เป็นไร เข้ามาเถอะ", "th"),
        ("iPhone를 내려놓고 그녀는 문을 열었다.", "ko"),
        ("“Ciao!” La boulangère ouvre la porte.", "fr"),
    ],
)
def test_what_an_answer_may_begin_with_passes(answer, lang):
    assert told("opening", text(answer), expect_lang=lang) == ("pass", "opening_ok")


@pytest.mark.parametrize(
    ("reason", "answer", "lang"),
    [
        ("opening_stray_punctuation_suspected", f"@Anna, come in. {EN}", "en"),
        ("opening_stray_punctuation_suspected", f"!? {EN}", "en"),
        ("opening_foreign_fragment_suspected", f"さくら {EN}", "en"),
        ("opening_cut_word_suspected", f"pssk {EN}", "en"),
    ],
)
def test_a_doubt_is_inconclusive_and_says_which(reason, answer, lang):
    assert told("opening", text(answer), expect_lang=lang) == ("inconclusive", reason)


def test_instructions_that_go_on_are_no_answer():
    answer = "eet the first customer warmly and never speak for the customer. Keep it short."
    assert told("opening", text(answer), expect_lang="en", prompt=INSTRUCTIONS) == (
        "fail",
        "opening_continues_prompt",
    )


def test_a_persona_in_lower_case_may_use_three_words_of_them():
    answer = "good morning, first customer. the bread is warm. sit down and rest a while."
    assert told("opening", text(answer), expect_lang="en", prompt=INSTRUCTIONS) == ("pass", "opening_ok")


def test_a_script_that_was_asked_for_begins_with_a_role():
    answer = "Assistant: Good morning!\nCustomer: Good morning. Are the rolls ready?"
    hint = {
        "expect_lang": "en",
        "prompt": "Write a short dialogue between an assistant baker and a customer.",
    }
    assert told("opening", text(answer), **hint) == ("pass", "opening_ok")


def test_a_control_token_in_a_code_span_is_spoken_of():
    answer = "`<|im_start|>` opens a message of that template."
    hint = {"expect_lang": "en", "prompt": "What is the token that opens a message?"}
    assert told("opening", text(answer), **hint) == ("pass", "opening_ok")


class TestSeveralAnswers:
    def test_two_of_three_fail(self):
        answers = samples(f", {EN}", EN, f"; {EN}")
        assert told("opening", answers, expect_lang="en") == ("fail", "opening_stray_punctuation")

    def test_doubts_count_where_they_are_most(self):
        answers = samples(f"さくら {EN}", f"@{EN}", EN)
        assert told("opening", answers, expect_lang="en")[0] == "fail"

    def test_one_of_three_proves_nothing(self):
        assert told("opening", samples(f", {EN}", EN, EN), expect_lang="en") == (
            "inconclusive",
            "votes_disagree",
        )

    def test_lost_starts_are_a_rate(self):
        cut = [EN[10:], EN[23:], EN]
        assert told("opening", samples(*cut), expect_lang="en") == ("fail", "opening_lost_start")

    def test_one_lost_start_and_ellipses_are_none(self):
        assert told("opening", samples(EN[10:], f"…{EN}", EN), expect_lang="en")[0] == "pass"

    def test_a_lower_case_persona_is_none(self):
        low = EN.lower()
        assert told("opening", samples(low, low, low), expect_lang="en")[0] == "pass"

    def test_floods_of_blank_lines_are_recorded_and_never_scored(self):
        flood = "\n" * 14 + EN
        assert told("opening", samples(flood, flood, EN), expect_lang="en") == ("warn", "opening_blank_flood")
        assert told("opening", samples(f"\n\n{EN}", EN, EN), expect_lang="en")[0] == "pass"


def test_the_evidence_shows_the_head():
    got = verdict("opening", text(f": {EN}"), expect_lang="en")
    assert got.evidence["spans"][0] == {"start": 0, "end": 1, "text": ":"}
    assert got.evidence["head"].startswith(": The baker")


def test_every_reason_that_was_told_is_in_the_table():
    assert {reason for reason, _, _ in GOLDEN} <= {r.code for r in Opening.reasons}


def test_it_asks_the_role_play_of_the_turn():
    (probe,) = Opening().probes(Turn(round="m@2026-11-30T02:30Z", index=1, tag="host-a", language="de"))
    assert probe.kind == "roleplay"


@pytest.mark.parametrize("mark", ["…:", "...;", "…】", "…)"])
def test_a_mark_behind_a_pause_and_glued_to_the_first_word_is_stray(mark):
    assert told("opening", text(mark + EN), expect_lang="en") == ("fail", "opening_stray_punctuation")
