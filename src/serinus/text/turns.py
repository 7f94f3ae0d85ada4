"""Turns that the model wrote for somebody else, and talk about its task."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from serinus.text.signs import Sign
from serinus.text.templates import asks_for_script

ANSWERED: Final = 40  # characters of answer before a role label can begin somebody else's turn
OPENING: Final = 240  # characters in which talk about the task begins and names it
TASK_WORDS: Final = 2  # words of the task that make talk about it certain

# Labels that chat templates use, alone on a line, or before a colon, in the languages we ask in.
_LABEL_WORDS: Final = (
    r"user|human|assistant|system|usuario|usuária|usuário|utilisateur|benutzer|nutzer|utente|gebruiker|użytkownik"
    r"|kullanıcı|pengguna|người dùng|пользователь|користувач|ユーザー|用户|用戶|使用者|사용자|ผู้ใช้|المستخدم|उपयोगकर्ता"
)
_ALONE: Final = re.compile(rf"^[ \t]*(?:>{{1,4}}[ \t]*)?(?:{_LABEL_WORDS})[ \t]*[:：]?[ \t]*$", re.M | re.I)
_COLON: Final = re.compile(
    rf"^[ \t]*(?:\*\*|>{{1,4}} ?|#+ ?)?(?:{_LABEL_WORDS})(?:\*\*)?[ \t]*[:：]", re.M | re.I
)
# Glued to the end of a sentence, where the line end was lost with the control token.
_GLUED: Final = re.compile(
    r"(?<=[.!?。！？…\"“”’»」』*।۔؟])(?:user|human|assistant)(?=[^\s\W]|[\"“«「*—])(?![a-z])"
)

# How a model begins to talk about its task instead of doing it. One line a language.
_MONOLOGUE: Final = re.compile(
    r"\A\W{0,4}(?:(?:okay|ok|alright|all right|hmm|well|so|right|let me (?:think|see)|first)[,.:!—…\s]*(?:so[,\s]+)?)?(?:"
    r"the user (?:wants|asks|is asking|asked|said|says|has|plays|requests|just)|the (?:instruction|prompt|task|system) "
    r"|(?:i|we) (?:need|should|must|have|will need|am (?:asked|supposed)|are asked) to (?:respond|reply|write|produce|output"
    r"|answer|generate|roleplay|role-play|continue|craft|greet|act|play|be the|stay in)"
    r"|(?:this is|here we have) a (?:role|creative|prompt)|user (?:wants|asks)"
    r"|(?:gut|okay|ok)?[,.\s]*(?:der (?:nutzer|benutzer|user)|die (?:nutzerin|benutzerin)) (?:möchte|will|bittet|fragt|hat)"
    r"|ich (?:soll|muss) (?:hier |jetzt |nun )?(?:als|eine|auf) "
    r"|(?:bien|bueno|vale)?[,.\s]*(?:el|la) (?:usuario|usuaria) (?:quiere|pide|me pide|ha pedido|desea|solicita)"
    r"|(?:bon|bien|d'accord)?[,.\s]*l['’]utilisat(?:eur|rice) (?:veut|demande|me demande|souhaite|a demandé)"
    r"|(?:bene|ok)?[,.\s]*l['’]utente (?:vuole|chiede|mi chiede|desidera|ha chiesto)"
    r"|(?:oké|goed)?[,.\s]*de gebruiker (?:wil|vraagt|heeft)"
    r"|(?:certo|bem|ok)?[,.\s]*o (?:usuário|utilizador) (?:quer|pede|pediu|deseja|solicita)"
    r"|(?:dobrze|ok)?[,.\s]*użytkownik (?:chce|prosi|poprosił|pyta)"
    r"|(?:tamam|peki)?[,.\s]*kullanıcı (?:benden|bir|istiyor|\w+ istiyor)"
    r"|(?:baik|oke)?[,.\s]*pengguna (?:ingin|meminta|mau|minta)"
    r"|(?:được rồi|ok)?[,.\s]*người dùng (?:muốn|yêu cầu|hỏi)"
    r"|(?:хорошо|так|ладно|ок)?[,.\s]*пользователь (?:просит|хочет|попросил|спрашивает)"
    r"|(?:добре|так|гаразд)?[,.\s]*користувач (?:просить|хоче|попросив)"
    r"|(?:好的?|嗯|首先)?[，,。\s]*(?:用户|用戶|使用者)(?:要求|想|希望|让我|讓我|请|請|需要|问|問)"
    r"|(?:さて|よし|まず)?[、。,\s]*ユーザー(?:は|が|の(?:要求|依頼|リクエスト))"
    r"|(?:좋아|음|자)?[,.\s]*(?:사용자|유저)(?:가|는|의 요청)"
    r"|(?:โอเค|เอาล่ะ)?[,.\s]*ผู้ใช้(?:ต้องการ|ขอ|ถาม|อยาก)"
    r"|(?:حسنا|حسنًا)?[،,.\s]*(?:المستخدم (?:يريد|يطلب)|يريد المستخدم|يطلب المستخدم|طلب المستخدم)"
    r"|(?:ठीक है)?[,.\s]*उपयोगकर्ता (?:चाहता|चाहते|ने|को)"
    r")",
    re.IGNORECASE,
)
# The weaker openers need words of the task near them: "I need to ..." begins many a scene.
_TASK: Final = re.compile(
    r"\b(?:sentences?|language|instructions?|prompt|role-?play|roleplay|scene|tone|in character|persona|the character"
    r"|system message|words?|paragraphs?|respond|response|reply|user|english|nonce|phrase"
    r"|sätze|satz|sprache|anweisung|rolle|szene|antwort|frases?|oraciones|idioma|instrucci|escena|respuesta|rol\b"
    r"|phrases?|langue|consigne|scène|réponse|rôle|frasi|lingua|istruzioni|scena|risposta|ruolo|zinnen|taal|instructie"
    r"|scène|antwoord|cena|resposta|instruç|papel|zda[nń]|język|polecen|scen[aęy]|odpowied|cümle|dil\b|talimat|sahne|yanıt"
    r"|kalimat|bahasa|instruksi|adegan|jawaban|câu|ngôn ngữ|hướng dẫn|vai|предложени|язык|инструкц|сцен|роль|ответ|тон"
    r"|речен|мов[аиоу]|інструкц|відповід)\w*"
    r"|句|语言|語言|中文|指令|角色|场景|場景|回复|回覆|文|言語|指示|役|場面|返答|日本語|문장|언어|지시|역할|장면|한국어"
    r"|ประโยค|ภาษา|คำสั่ง|บทบาท|ฉาก|جمل|لغة|تعليمات|مشهد|वाक्य|भाषा|निर्देश|भूमिका|दृश्य",
    re.IGNORECASE,
)


def find_turns(text: str, prompt: str = "") -> Iterator[Sign]:
    """Turns of others written into the answer."""
    if asks_for_script(prompt):
        return
    spans = [
        m.span()
        for pattern in (_ALONE, _COLON, _GLUED)
        for m in pattern.finditer(text)
        if m.start() >= ANSWERED
    ]
    if spans:
        spans.sort()
        yield Sign("leak_foreign_turn", True, "The answer goes on with somebody else's turn.", spans[:1])


def find_monologue(text: str) -> Iterator[Sign]:
    """Talk about the task in the place of the answer."""
    body = text.lstrip()
    match = _MONOLOGUE.match(body[:OPENING])
    if match is None:
        return
    shift = len(text) - len(body)
    span = (match.start() + shift, match.end() + shift)
    words = {m.group().lower() for m in _TASK.finditer(body[:OPENING])}
    sure = len(words) >= TASK_WORDS
    yield Sign(
        "leak_monologue",
        sure,
        "The answer talks about its task instead of doing it.",
        [span],
        {"task_words": sorted(words)[:5], "needed": TASK_WORDS},
    )
