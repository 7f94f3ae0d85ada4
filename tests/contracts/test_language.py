"""The language contract, one golden case for each reason and its benign twins (R10-R14)."""

import pytest

from passages import PASSAGES, misread
from recorded import FORMAT, chunk, samples, stream, text, told, verdict
from serinus.contracts.language import LanguageIntegrity
from serinus.core.model import Turn, Word

EN, DE, ES, PT = PASSAGES["en"], PASSAGES["de"], PASSAGES["es"], PASSAGES["pt"]
MIXED = (
    "Die Bäckerin was up long before the sun. Sie heizte den großen Steinofen an, rolled up her sleeves"
    " und knetete den Teig, while she was humming an old song, das ihre Mutter immer gesungen hatte. "
    "Draußen war die Straße still dark and a thin rain was falling. Dann klopfte der erste Kunde."
)
SALAD = (
    "gate purple Montreal configuring sharply owl stdout anchor violet harvesting tube mirrors uplifted"
    " senator graphite hollow bracket yesterdaying trombone lentil crate surfing velvet nickel pamphlet"
    " orbit ladder quarry"
)
BROKEN = (
    "La panader se levntó mucchho ants que el sool. Encndió el grnde hornno de piedrra, se remngó y "
    "empzó a amsar la harrina mientrras tararrea una vieejja cancin que cantba su madrre. Fuer, la "
    "callle seguía oscurra y cía una lluvviia fina. Cando llmó el prmer clinte, se limpió las mnos y "
    "abrió la puerrta."
)

GOLDEN = [
    ("language_switched", ES, "pt"),
    ("language_switched", PASSAGES["zh-Hans"], "en"),
    ("language_switched", PASSAGES["zh-Hant"], "zh-Hans"),
    ("language_switched", PASSAGES["ja"], "zh-Hant"),
    ("language_mixed", MIXED, "de"),
    ("language_mixed", PASSAGES["ko"] + " 그녀는 밀ga루를 털고 화deok을 열어 따뜻한 빵을 꺼낸다.", "ko"),
    (
        "wrong_token",
        "面包师傅等着极，火还没有点起来极。她揉着面团，外面的街道还很黑，下着细细的小雨极。",
        "zh-Hans",
    ),
    ("word_salad", SALAD, "en"),
    ("broken_words", BROKEN, "es"),
    ("broken_marks", PASSAGES["th"].replace("ข้าง", "ข้้าง").replace("แล้ว", "แล้้ว"), "th"),
    ("blanks_lost", EN.replace(" ", ""), "en"),
    ("mojibake", misread(PT, "latin-1"), "pt"),
    ("replacement_character", DE.replace("ä", "\ufffd\ufffd", 1), "de"),
    ("lone_surrogate", f"{EN} \ud83d", "en"),
    ("control_character", EN.replace(". ", ".\x00\x02", 1), "en"),
    ("escape_sequences", EN.replace(". ", ".\\n\\n", 3), "en"),
    ("html_entities", EN.replace('"', "&quot;"), "en"),
    ("byte_tokens", EN.replace(" ", "Ġ"), "en"),
    ("byte_tokens", EN.replace(". ", ".<0x0A>"), "en"),
    ("byte_tokens", EN.replace(" ", "▁"), "en"),
]


@pytest.mark.parametrize(("reason", "answer", "lang"), GOLDEN)
def test_a_proven_fault_fails_with_its_reason(reason, answer, lang):
    assert told("language", text(answer), expect_lang=lang) == ("fail", reason)


@pytest.mark.parametrize("lang", PASSAGES)
def test_a_clean_passage_of_every_language_passes(lang):
    assert told("language", text(PASSAGES[lang]), expect_lang=lang) == ("pass", "language_ok")


@pytest.mark.parametrize("lang", ["pt-BR", "PT", "zh-CN", "zh-TW", "zh-Hant-HK", "en_GB"])
def test_a_regional_tag_is_the_language(lang):
    base = {"pt": "pt", "en": "en"}.get(lang[:2].lower(), "zh-Hans" if lang == "zh-CN" else "zh-Hant")
    assert told("language", text(PASSAGES[base]), expect_lang=lang) == ("pass", "language_ok")


@pytest.mark.parametrize("answer", ["No.", "No, no.", "Hm, hm.", "Come in, friend."])
def test_a_very_short_answer_is_never_decided(answer):
    assert told("language", text(answer), expect_lang="de") == ("inconclusive", "too_short")


def test_a_short_answer_in_another_script_is_never_decided():
    assert told("language", text("好的。"), expect_lang="en") == ("inconclusive", "too_short")


@pytest.mark.parametrize(
    ("answer", "lang"),
    [
        (f"{PT} «Carpe diem»", "pt"),
        (EN.replace("with a smile", "with a smile and a cheerful “Guten Morgen, meine Dame”"), "en"),
        (f'{PASSAGES["ko"]} 간판에는 "Fresh bread every morning"이라고 적혀 있다.', "ko"),
        ('"Bonjour, hola, ciao, 你好, こんにちは, привет, merhaba": ' + EN, "en"),
        (f"{EN} Over the oven hung a board with the character 福, which means luck.", "en"),
        (PASSAGES["ko"].replace("화덕", "화덕(火德)"), "ko"),
        (PASSAGES["zh-Hans"] + "墙上挂着祖父留下的旧匾，上面写着“聽濤閣”三个字。", "zh-Hans"),
        (PASSAGES["zh-Hans"] + "她常去一家叫“すし屋”的小店。", "zh-Hans"),
        (PASSAGES["zh-Hans"] + "她积极地做事，觉得这真是终极的奖赏，还想去看极光。", "zh-Hans"),
        (PASSAGES["ru"] + " В углу стоял старый Wi-Fi-роутер, и пришла SMS-ка.", "ru"),
        (PASSAGES["th"] + " เธอเปิดวิทยุ FM เครื่องเก่า แล้วบอกว่า OK", "th"),
        (DE + " Laptop, Meeting um neun, Deadline am Freitag: ihr Sohn hat Home-Office.", "de"),
        (PASSAGES["id"] + " Anak-anak berlari-lari, lalu pelan-pelan duduk.", "id"),
        (
            "AMANHÃ DE MANHÃ, ÀS SEIS, A PADEIRA ABRE A PORTA. NÃO HÁ PÃO, O CORAÇÃO DA ALDEIA ESTÁ CALMO.",
            "pt",
        ),
        ("In Malta the baker showed us Ġgantija, Ħaġar Qim, Il-Ġimgħa and the old ovens of Mnajdra.", "en"),
        (f"{EN} ▁▂▃▄▅▆▇█ 60 %", "en"),
        (f"{EN} `<0x0A>` and `\\n\\n\\n` are only written in code here, like `&amp;` and `&lt;`.", "en"),
        (f"{EN} ┌────┐ │ ok │ └────┘", "en"),
        (f"{EN} She weighs the angle β against the weight Δm on her slate and laughs.", "en"),
        (PASSAGES["zh-Hans"] + "墙上的招牌写着“麦の屋”，是她年轻时起的。", "zh-Hans"),
        ("„Salut, ciao, 早上好, доброе утро, merhaba“: So ruft sie durch den Laden. " + DE, "de"),
        (PASSAGES["ko"] + " 벽에는 TV가 걸려 있고, iPad를 든 손님이 e스포츠를 본다.", "ko"),
        (f"{DE} „Ääh“, sagt er. „Ääh, ein Brot?“ „Ääähm, nein, zwei.“", "de"),
        (f"{PT} — S3u p40 3 0 m41s g05t0s0 d4 c1d4d3, p4d31r4! — riu o menino. — 4t3 4m4nh4!", "pt"),
        (EN.replace("smile", "ſmile").replace("flour", "flour‑dust 🥐❤️"), "en"),
    ],
)
def test_what_looks_like_a_fault_and_is_none_passes(answer, lang):
    got = verdict("language", text(answer), expect_lang=lang)
    assert (got.word, got.reason) == (Word.PASS, "language_ok"), dict(got.evidence)


@pytest.mark.parametrize(
    ("prompt", "answer", "reason"),
    [
        (
            "What does the character \ufffd mean?",
            "The sign \ufffd is printed where \ufffd bytes are no text.",
            "language_ok",
        ),
        (
            "Explain HTML entities.",
            "You write &amp; for an ampersand and &lt; for the sign that opens a tag.",
            "language_ok",
        ),
        ("Translate this into Chinese, please.", PASSAGES["zh-Hans"], "translation_asked"),
        ("Speak a spell in an invented language.", "velun harath mirel osk tandu vrai " * 5, "language_ok"),
    ],
)
def test_what_the_prompt_asked_for_is_no_fault(prompt, answer, reason):
    assert told("language", text(answer), expect_lang="en", prompt=prompt)[1] == reason


@pytest.mark.parametrize(
    ("reason", "answer", "lang"),
    [
        ("foreign_script_suspected", EN.replace("an old song", "an old 歌曲"), "en"),
        ("replacement_character_suspected", DE.replace("ä", "\ufffd", 1), "de"),
        ("replacement_character_suspected", f"{DE}\ufffd", "de"),
        ("control_character_suspected", EN.replace(". ", ".\x07 ", 1), "en"),
        ("escape_sequences_suspected", EN.replace(". ", ".\\n", 1), "en"),
        ("html_entities_suspected", EN.replace(". ", ".<br>", 1), "en"),
        ("wrong_token_suspected", PASSAGES["zh-Hans"].replace("老歌。", "老歌极。"), "zh-Hans"),
        ("byte_tokens_suspected", EN.replace(". ", ".ĊĊ", 1), "en"),
        ("mojibake_suspected", PASSAGES["fr"].replace("é", misread("é", "cp1252"), 2), "fr"),
        (
            "word_salad_suspected",
            "sword shield potion rope torch lantern apple cheese bread knife map key coin ring",
            "en",
        ),
    ],
)
def test_a_doubt_is_inconclusive_and_says_which(reason, answer, lang):
    assert told("language", text(answer), expect_lang=lang) == ("inconclusive", reason)


def test_malay_for_indonesian_is_a_doubt_and_never_a_failure():
    malay = (
        "Tukang roti itu bangun lama sebelum matahari terbit. Dia menghidupkan ketuhar batu yang besar, "
        "menyingsing lengan bajunya dan mula menguli doh sambil bernyanyi lagu lama. Di luar, jalan masih "
        "gelap kerana hujan turun. "
        "Apabila pelanggan pertama mengetuk pintu, dia mengesat tepung daripada tangannya lalu membuka pintu."
    )
    assert told("language", text(malay), expect_lang="id")[0] in {"inconclusive", "pass"}


def test_nothing_is_said_where_no_language_was_asked():
    assert told("language", text(EN)) == ("not_applicable", "no_language_asked")
    assert told("language", text(EN), expect_lang="tlh") == ("not_applicable", "language_not_known")


def test_halves_of_a_character_in_two_events_are_whole():
    events = [(700, chunk({"content": f"{EN} \ud83d"})), (750, chunk({"content": "\ude0a"}, "stop"))]
    assert told("language", stream(*events, (760, "data: [DONE]")), expect_lang="en") == (
        "pass",
        "language_ok",
    )


def test_values_of_a_structured_answer_are_read_and_its_enums_are_not():
    spanish = (
        '{"mood":"calm","room":"Una sala baja con un fuego encendido y una mesa larga junto a la ventana.",'
    )
    spanish += '"guests":2,"doors":["la puerta de la calle","la escalera del sótano"]}'
    assert told("language", text(spanish), expect_lang="pt", response_format=FORMAT)[0] == "fail"
    english = '{"mood":"calm","room":"A low room with a fire, a long table and a window on the yard.",'
    english += '"guests":2,"doors":["front","cellar"]}'
    assert told("language", text(english), expect_lang="en", response_format=FORMAT)[0] == "pass"


class TestSeveralAnswers:
    def test_the_same_stray_doubt_in_most_answers_is_a_fault(self):
        one, two = EN.replace("an old song", "an old 歌曲"), EN.replace("a thin rain", "a thin 雨")
        assert told("language", samples(one, two, EN), expect_lang="en") == ("fail", "foreign_script")

    def test_one_stray_word_in_three_answers_is_none(self):
        one = EN.replace("an old song", "an old 歌曲")
        assert told("language", samples(one, EN, EN), expect_lang="en")[0] == "pass"

    def test_words_of_no_language_at_line_starts_of_several_answers_are_a_fault(self):
        answers = (
            "The oven is warm.\nvornex She kneads the dough.\nvornex It is dark outside.",
            "Come in, she says.\nplimat The rolls are ready.\nvornex Sit down and eat.",
            "vornex The rain has stopped.\nShe opens the shutters.\nplimat A cart rolls by.",
        )
        assert told("language", samples(*answers), expect_lang="en") == ("fail", "boundary_words")

    def test_bullets_and_a_catchphrase_are_none(self):
        bullets = "* The oven is warm.\n* She kneads the dough.\n* It is dark outside in the street."
        assert (
            told("language", samples(bullets, '"Aye aye," she says.\n"Aye aye."', EN, EN), expect_lang="en")[
                0
            ]
            == "pass"
        )

    def test_one_pass_is_too_few(self):
        assert told("language", samples(EN, "No.", "Yes."), expect_lang="en")[0] == "inconclusive"

    def test_two_switched_answers_of_three_fail(self):
        assert told("language", samples(DE, DE, EN), expect_lang="en") == ("fail", "language_switched")


def test_evidence_says_where_and_is_fit_for_any_encoder():
    got = verdict("language", text(MIXED), expect_lang="de")
    span = got.evidence["spans"][0]
    assert MIXED[span["start"] : span["end"]].startswith("up long before")
    assert got.evidence["language"] == "en"
    lone = verdict("language", text(f"{EN} \ud83d"), expect_lang="en")
    str(dict(lone.evidence)).encode()


def test_every_reason_that_was_told_is_in_the_table():
    codes = {r.code for r in LanguageIntegrity.reasons}
    assert {reason for reason, _, _ in GOLDEN} <= codes
    assert len(codes) == len(LanguageIntegrity.reasons)


def test_it_asks_the_role_play_of_the_turn_in_the_language_of_the_round():
    (probe,) = LanguageIntegrity().probes(
        Turn(round="m@2026-11-30T02:30Z", index=3, tag="host-a", language="pl")
    )
    assert (probe.kind, probe.language) == ("roleplay", "pl")


def test_galician_among_portuguese_is_found_by_the_words_that_differ():
    mixed = (
        "A padeira acordou muito antes do sol e acendeu o forno de pedra. Despois puxo o avental e dixo que "
        "xa non había tempo, porque a xente da vila viría cedo. Lá fora a rua ainda estava escura e caía uma "
        "chuva fina. Cando chamaron á porta, a muller abriu e viu que eran dous rapaces con moito frío, e "
        "díxolles que pasasen. Ela sorriu, limpou as mãos e serviu a todos uma fatia de pão quente com mel."
    )
    assert told("language", text(mixed), expect_lang="pt")[0] == "fail"
