from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from serinus.simulator import passages
from serinus.text.refusals import Kind, refusal_in
from serinus.text.refusals.lexicon import WEIGHTS, lexicons
from serinus.text.refusals.masking import unquoted

SENTENCES = tomllib.loads(Path(__file__).with_name("refusal_sentences.toml").read_text(encoding="utf-8"))
LANGUAGES = [
    "en",
    "de",
    "es",
    "fr",
    "it",
    "nl",
    "pt",
    "pl",
    "tr",
    "id",
    "vi",
    "ru",
    "ja",
    "ko",
    "zh-Hans",
    "zh-Hant",
    "th",
    "ar",
    "hi",
    "uk",
]
SCENE = (
    "The miller's daughter holds her candle against the rain and makes room at the hearth. There is barley "
    "broth in the pot, and the wheel turns slowly in the dark. "
)


def rows(kind):
    return [
        pytest.param(s, id=f"{lang}-{n}")
        for lang, sets in SENTENCES.items()
        for n, s in enumerate(sets[kind])
    ]


def test_every_language_has_its_signals_and_sentences():
    assert [lexicon.language for lexicon in lexicons()] == LANGUAGES
    assert list(SENTENCES) == LANGUAGES
    assert all(set(lexicon.signals) == set(WEIGHTS) for lexicon in lexicons())


@pytest.mark.parametrize("sentence", rows("refusals"))
def test_a_hosts_refusal_is_found(sentence):
    found = refusal_in(sentence)
    assert found is not None
    assert found.kind in (Kind.REFUSAL, Kind.NOTICE)


@pytest.mark.parametrize("sentence", rows("scenes"))
def test_a_scene_with_the_same_words_is_none(sentence):
    assert refusal_in(sentence) is None


@pytest.mark.parametrize("sentence", rows("refusals"))
def test_the_same_words_in_quotes_are_a_characters(sentence):
    assert refusal_in(f"“{sentence.replace('“', '').replace('”', '')}” she says, and smiles at you.") is None


@pytest.mark.parametrize("sentence", rows("scenes"))
def test_a_long_scene_around_such_a_sentence_is_none(sentence):
    assert refusal_in(SCENE * 2 + sentence + " " + SCENE) is None


@pytest.mark.parametrize("language", ["ar", "hi", "uk"])
def test_a_refusal_is_named_by_its_own_language(language):
    found = {refusal_in(sentence).language for sentence in SENTENCES[language]["refusals"]}
    assert found == {language}


@pytest.mark.parametrize("language", passages.languages())
def test_the_passages_of_a_language_are_no_refusals_and_its_canned_refusals_are(language):
    assert [refusal_in(text) for text in passages.passages(language)] == [None] * 8
    assert all(refusal_in(text).kind is Kind.REFUSAL for text in passages.refusals(language))


@pytest.mark.parametrize("language", ["ar", "hi", "uk"])
def test_a_passage_that_opens_or_ends_with_such_a_sentence_is_none(language):
    for passage in passages.passages(language)[::4]:
        for sentence in SENTENCES[language]["scenes"]:
            for text in (
                f"{sentence} {passage}",
                f"{passage[:300].rstrip()}\n\n{sentence}",
                f"{passage} {sentence}",
            ):
                assert refusal_in(text) is None, text


@pytest.mark.parametrize(
    "sentence",
    [
        "أنا مجرد نموذج لغوي، تفضل إلى النار.",
        "मैं एक AI हूँ, आग के पास आ जाओ।",
        "Я лише мовна модель, сідай до вогню.",
    ],
)
def test_an_ai_that_does_not_refuse_is_a_voice_in_these_languages_too(sentence):
    assert refusal_in(sentence).kind is Kind.ASSISTANT_VOICE


@pytest.mark.parametrize(
    ("language", "refusal"),
    [
        ("ar", "عذرا، لا يمكنني متابعة هذه القصة لأنها تخالف سياسة المحتوى."),
        ("hi", "क्षमा करें, मैं इस अनुरोध में आपकी मदद नहीं कर सकता।"),
        ("uk", "Вибачте, але я не можу продовжити цю історію, оскільки вона порушує правила щодо вмісту."),
    ],
)
def test_a_passage_that_breaks_off_into_a_refusal_of_its_language_is_found(language, refusal):
    for passage in passages.passages(language):
        text = f"{passage[:400].rstrip()}\n\n{refusal}"
        found = refusal_in(text)
        assert found is not None
        assert (found.kind, found.language) == (Kind.TAIL, language)


@pytest.mark.parametrize(
    ("plain", "variant"),
    [
        ("عذرا، لا استطيع مساعدتك في هذا الطلب.", "عُذْراً، لَا أَسْتَطِيعُ مُسَاعَدَتَكَ فِي هٰذَا الطَّلَبِ."),
        ("اعتذر، هذا الطلب ينتهك سياسة المحتوي.", "أعتــذر، هذا الطلب ينتهك سياسه المحتوى."),
        (
            "माफ कीजिए, मैं रोल-प्ले का यह अनुरोध पूरा नही कर सकता, असमर्थ हूं।",
            "माफ़ कीजिए, मैं रोल-प्ले का यह अनुरोध पूरा नहीं कर सकता, असमर्थ हूँ।",
        ),
        ("सामग्री को सुरक्षा फिल्टर ने ब्लॉक किया है।", "सामग्री को सुरक्षा फ\u093cिल्टर ने ब्लॉक किया है।"),
        ("सामग्री को सुरक्षा फिल्टर ने ब्लॉक किया है।", "सामग्री को सुरक्षा \u095eिल्टर ने ब्लॉक किया है।"),
    ],
)
def test_spellings_of_a_refusal_are_one(plain, variant):
    assert refusal_in(plain) is not None
    assert refusal_in(variant) is not None
    assert refusal_in(plain).kind is refusal_in(variant).kind


@pytest.mark.parametrize(
    "text",
    [
        "Sorry, I can't help you write this letter, I never learned my letters.",
        "Lo siento, no puedo ayudarte a escribir la carta, se ha secado la tinta.",
        "- لا أستطيع مساعدتك في هذا الطلب، قال الكاتب وطوى دفتره.",
        "- Їй-богу, не можу допомогти з цим запитом, вибачте.",
        "- मैं इस अनुरोध में आपकी मदद नहीं कर सकता, मुंशी ने कहा।",
    ],
)
def test_letters_that_a_character_cannot_write_and_lines_of_dialogue_are_none(text):
    assert refusal_in(text) is None


def test_text_that_breaks_off_into_a_refusal_is_found_with_its_place():
    text = SCENE + "She lifts the lan I'm sorry, but I cannot continue with this request."
    found = refusal_in(text)
    assert found is not None
    assert found.kind is Kind.TAIL
    assert text[found.start :].startswith("I'm sorry")


def test_a_canned_sentence_as_a_last_paragraph_is_found():
    text = (
        SCENE * 2
        + "\n\nLo siento, pero no puedo continuar con esta solicitud porque infringe las políticas de uso."
    )
    found = refusal_in(text)
    assert found is not None
    assert (found.kind, found.language) == (Kind.TAIL, "es")


def test_a_character_who_changes_the_subject_is_none():
    assert (
        refusal_in("She lifts the lantern. —Hablemos de otra cosa —dice, y cambia la sopa por vino.") is None
    )


def test_the_json_of_a_filter_is_a_notice_only_if_something_was_filtered():
    assert refusal_in('{"content_filter_results": {"violence": {"filtered": true}}}').kind is Kind.NOTICE
    assert refusal_in('{"content_filter_results": {"violence": {"filtered": false}}}') is None


def test_an_assistants_voice_without_refusal_is_told_apart():
    found = refusal_in(
        "As an AI language model, I would describe the tower like this: it is warm and quiet. " + SCENE
    )
    assert found is not None
    assert found.kind is Kind.ASSISTANT_VOICE


def test_masking_keeps_every_offset():
    text = "“No,” she says. — Nie mogę.\n— Nie mogę pomóc.\n‘I won’t,’ he says. «Non.» 「いや」 *shrugs* it's"
    masked = unquoted(text)
    assert len(masked) == len(text)
    assert "she says." in masked
    assert "pomóc" not in masked


@given(st.text(max_size=3000))
def test_any_text_is_read(text):
    found = refusal_in(text)
    assert found is None or 0 <= found.start <= found.end <= len(text)


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(
        [
            "I can't ",
            "nicht ",
            "не могу ",
            "“",
            '"',
            "*",
            "— ",
            "'",
            "‘",
            "不能",
            "ไม่",
            "لا ",
            "هذه ",
            "नहीं ",
            "не можу ",
        ]
    ),
    st.integers(1, 40_000),
)
def test_repetition_is_read_in_bounded_time(piece, times):
    refusal_in(piece * times)


@pytest.mark.parametrize(
    "sentence",
    [
        "That request violates our content policy, so it ends here.",
        "Deine Anfrage verstößt gegen unsere Nutzungsbedingungen.",
        "Tu petición infringe las normas de uso.",
        "Votre demande est contraire à nos conditions d'utilisation.",
        "La tua richiesta viola i termini di servizio.",
        "Dit verzoek is in strijd met onze gebruiksvoorwaarden.",
        "Este pedido viola os termos de uso.",
        "Twoja prośba narusza zasady korzystania z usługi.",
        "Bu istek kullanım şartlarını ihlal ediyor.",
        "Permintaan itu melanggar kebijakan penggunaan.",
        "Yêu cầu này vi phạm chính sách nội dung.",
        "Ваш запрос нарушает условия использования.",
        "このご依頼は利用規約に違反しています。",
        "요청하신 내용은 이용 약관을 위반합니다.",
        "您的请求违反了内容政策。",
        "您的請求違反了內容政策。",
        "คำขอของคุณละเมิดนโยบายเนื้อหา",
        "طلبك يخالف سياسة المحتوى.",
        "आपका अनुरोध सामग्री नीति का उल्लंघन करता है।",
        "Ваш запит порушує правила щодо контенту.",
    ],
)
def test_a_request_that_breaks_a_policy_is_refused_without_a_cannot(sentence):
    assert refusal_in(sentence).kind is Kind.REFUSAL


@pytest.mark.parametrize(
    "sentence",
    [
        "I'd rather not continue this scene, as it could be unsafe.",
        "Da ich eine KI bin, kann ich solche Texte nicht erstellen.",
        "Ihre Eingabe wurde vom Moderationssystem markiert.",
        "Je préfère ne pas poursuivre cette conversation, car elle pourrait être inappropriée.",
        "Per me è impossibile scrivere questo contenuto. Parliamo di un altro argomento.",
        "Por ser uma IA, não sou capaz de gerar esse tipo de conteúdo.",
        "Nie będę mogła napisać tej sceny, bo narusza ona wytyczne.",
        "Saya tidak akan dapat menulis cerita ini karena isinya tidak pantas.",
        "Я не хотел бы продолжать эту историю, она может быть неуместной.",
        "ข้อความถูกระบบกลั่นกรองติดธงไว้",
    ],
)
def test_unwilling_and_moderated_are_refusals_as_well(sentence):
    assert refusal_in(sentence) is not None


@pytest.mark.parametrize(
    "ending",
    [
        "I cannot help you with that request myself, but I can offer you material. Good. Bring the lamp.",
        "Não posso ajudar com esse pedido agora. As gaivotas voltaram. O mar está calmo.",
        "我们不能继续这个故事了。风停了。她把灯放在窗台上。",
    ],
)
def test_a_story_that_goes_on_after_such_a_sentence_is_none(ending):
    assert refusal_in(SCENE * 2 + ending) is None


def test_a_cut_line_before_a_refusal_is_a_break():
    found = refusal_in(SCENE * 2 + "She turns the whe\n\nI'm sorry, but I can't continue with this content.")
    assert found is not None
    assert found.kind is Kind.TAIL


@pytest.mark.parametrize(
    "text",
    [
        "磨坊主的女儿举起蜡烛。“雨这么大，你怎么还站在门您好，这个问题我暂时无法回答，请换个话题再试试吧。",
        "She lifts it. “You are soak I'm sorry, but I can't go on, this scene violates my guidelines.",
    ],
)
def test_speech_that_breaks_off_into_a_refusal_is_found(text):
    found = refusal_in(text)
    assert found is not None
    assert found.kind is Kind.TAIL


@pytest.mark.parametrize(
    "text",
    [
        "“I cannot ferry you tonight, and I am sorry for it. Come back with the light",
        "„Es tut mir leid, heute kann ich dir nicht helfen, die Brücke ist fort",
    ],
)
def test_speech_that_nobody_closed_is_none(text):
    assert refusal_in(SCENE + text) is None


def test_news_of_policy_is_no_refusal():
    text = "นโยบายการเงินอย่างเดียวไม่สามารถทำให้เศรษฐกิจเติบโตได้ จำเป็นต้องดำเนินการด้านอื่นควบคู่กันไป"
    assert refusal_in(text) is None


@pytest.mark.parametrize("text", ["Ta là ai, và vì sao ta ở đây?", "Sono ai vostri ordini, capitano."])
def test_a_small_ai_is_another_word(text):
    assert refusal_in(text) is None
