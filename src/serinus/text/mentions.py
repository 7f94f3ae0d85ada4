"""What the prompt asked for, and where a text speaks about a foreign word instead of using it."""

from __future__ import annotations

import re
from typing import Final

NEAR: Final = 48  # characters around a foreign word in which the text may explain it

# Words that introduce, name or explain a foreign word or sign, in the languages we ask in.
_CUE: Final = re.compile(
    r"\b(?:means?|meaning|called|named|written|reads?|spell(?:s|ed|ing)?|carved|engraved|inscri\w+|characters?|letters?"
    r"|glyphs?|runes?|kanji|hanzi|hanja|kana|calligraphy|sign(?:s|board)?|the words?|symbol|script|chinese|japanese|korean"
    r"|thai|russian|greek|arabic|hebrew|hindi|sanskrit"
    r"|bedeute\w*|heißt|genannt|schriftzeichen|zeichen|buchstabe\w*|schild|das wort|steht|chinesisch\w*|japanisch\w*"
    r"|significa|quiere decir|se llama|llamad[oa]|carácter|caracteres|letras?|letrero|cartel|palabra|ideograma|chin[oa]s?|japon\w+"
    r"|signifie|veut dire|s'appelle|caractères?|lettres?|enseigne|le mot|idéogramme|chinois\w*"
    r"|vuol dire|si chiama|caratter[ei]|letter[ae]|insegna|la parola|cines[ei]|giappones[ei]"
    r"|betekent|heet|teken|karakter|letter|bord|het woord|chines\w+|japans\w*"
    r"|quer dizer|chama-se|palavra|placa|chin[eê]s\w*"
    r"|oznacza|znaczy|nazywa|znak\w*|liter\w*|szyld|słowo|chińsk\w*|japońsk\w*"
    r"|anlam\w*|demek|denir|karakter\w*|harf\w*|tabela|kelime|çince|japonca"
    r"|berarti|artinya|disebut|aksara|huruf|papan|tulisan|kata"
    r"|nghĩa là|có nghĩa|gọi là|chữ|từ|viết|thư pháp|tiếng (?:trung|nhật|hàn|hoa)"
    r"|означа\w+|значит|называ\w+|иероглиф\w*|букв\w*|вывеск\w*|слово|надпис\w*|китайск\w*|японск\w*"
    r"|значить|назива\w+|ієрогліф\w*|літер\w*|вивіск\w*|напис\w*)\b"
    r"|意味|という|呼ば|書かれ|文字|漢字|看板|単語|韓国語|中国語|英語|ハングル|意思|叫做|叫作|写着|寫著|字样|字樣|招牌|匾|日文|日语|日語|韩文|韓文|假名"
    r"|뜻|라는|라고|불리|글자|한자|간판|단어|새겨|적혀|中國|แปลว่า|หมายถึง|เรียกว่า|ตัวอักษร|คำว่า|ป้าย|ภาษา|يعني|تعني|كلمة|حرف|لافتة|अर्थ|मतलब|शब्द|अक्षर",
    re.IGNORECASE,
)
# A translation or lesson is asked for: then another language is the right answer.
_TRANSLATE: Final = re.compile(
    r"\btranslat(?:e|ion|ing)\b|\binterpret (?:this|it|the)|\bhow (?:do|would) (?:you|i|we|people) say\b|\bübersetze?\b"
    r"(?! (?:mich|uns|ihn|sie) (?:über|ans))|\büberset?zung\b|\btraduz\w*|\btraduc\w*|\btradui\w*|\btradur\w*|\bvertaal\w*|\bvertal\w+"
    r"|\b(?:prze)?tłumacz\w*|\bçevir\w*|\bterjemah\w*|\bdịch (?:sang|ra|câu|đoạn|từ)|\bперевед\w*|\bперевод(?:е|а|у|ом)?\b"
    r"|\bпереклад\w*|翻译|翻譯|译成|譯成|翻訳|訳して|번역|แปลเป็น|แปลประโยค|ترجم|अनुवाद",
    re.IGNORECASE,
)
# Words of no language are asked for.
_INVENTED: Final = re.compile(
    r"\b(?:spells?|incantation|chant|magic words?|invented|made-up|fictional|constructed|alien|nonsense|gibberish|elvish"
    r"|conlang|zauberspruch|beschwörung|erfunden\w*|hechizo|conjuro|inventad\w*|sortilège|incantesimo|invent[ée]\w*"
    r"|toverspreuk|verzonnen|feitiço|zaklęci\w*|wymyślon\w*|büyü|uydurma|mantra|karangan|thần chú|заклинани\w*"
    r"|выдуман\w*|придуман\w*)\b|咒语|咒語|呪文|架空|주문|가상의|คาถา|تعويذة|मंत्र",
    re.IGNORECASE,
)


def explained(text: str, start: int, end: int) -> bool:
    """Whether the words around a foreign one speak about it."""
    return _CUE.search(text[max(0, start - NEAR) : start] + " \n " + text[end : end + NEAR]) is not None


def asks_for_translation(prompt: str) -> bool:
    """Whether the prompt asks for another language."""
    return _TRANSLATE.search(prompt) is not None


def asks_for_invention(prompt: str) -> bool:
    """Whether the prompt asks for words that no language has."""
    return _INVENTED.search(prompt) is not None
