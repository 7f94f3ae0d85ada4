"""The leak contract: its reasons, one golden case each, and what shows the same marks rightly."""

import pytest

from passages import PASSAGES
from recorded import text, told, verdict
from serinus.contracts.leak import Leak
from serinus.core.model import Turn

EN = PASSAGES["en"]
PROMPT = "You are the baker of a small town. Greet the first customer of the day in three sentences."

TOKENS = [
    "<|im_end|>",
    "<|im_start|>assistant",
    "<|eot_id|>",
    "<|start_header_id|>assistant<|end_header_id|>",
    "<|endoftext|>",
    "</s>",
    "<s>",
    "<eos>",
    "<end_of_turn>",
    "<start_of_turn>model",
    "[/INST]",
    "[INST]",
    "<<SYS>>",
    "[TOOL_CALLS]",
    "[gMASK]",
    "<｜end▁of▁sentence｜>",
    "<｜Assistant｜>",
    "<|tool_calls_section_begin|>",
    "<|DSML|function_calls>",
    "<｜DSML｜invoke>",
    "<|END_OF_TURN_TOKEN|>",
    "<|open|><|sep|><|close|>",
    "<|channel|>final<|message|>",
    "<tool_call>",
    "<function=look>",
    "<unused12>",
]
MONOLOGUES = [
    "Okay, the user wants me to greet a customer as a baker in three sentences. I should keep the tone warm.",
    "I need to respond as the baker. The instruction says three sentences in English, so I should be brief.",
    "Der Nutzer möchte, dass ich als Bäckerin antworte. Drei Sätze, auf Deutsch, in der Rolle bleiben.",
    "El usuario quiere que responda como panadera. Tres frases, en español, sin salir de la escena.",
    "L'utilisateur veut une réponse en trois phrases, dans la langue de la scène, sans sortir du rôle.",
    "L'utente vuole che io risponda come fornaia: tre frasi in lingua italiana, restando nella scena.",
    "O usuário quer uma resposta da padeira em três frases, na língua da cena e sem sair do papel.",
    "De gebruiker wil dat ik als bakkerin antwoord geef in drie zinnen, in de taal van de scène.",
    "Użytkownik chce, żebym odpowiedziała jako piekarka. Trzy zdania po polsku, w tej samej scenie.",
    "Kullanıcı benden fırıncı olarak üç cümle istiyor. Sahneye ve rolüme uygun bir yanıt yazmalıyım.",
    "Pengguna ingin saya menjawab sebagai tukang roti dalam tiga kalimat, dengan bahasa Indonesia.",
    "Người dùng muốn tôi trả lời trong vai cô thợ làm bánh, ba câu, bằng ngôn ngữ của cảnh.",
    "Пользователь просит ответить от лица пекарши. Нужно три предложения на русском языке, сохраняя роль.",
    "用户要求我以面包师傅的角色回复三句话。语言必须是中文，场景要温馨。",
    "ユーザーはパン屋として三文で返答することを求めている。言語は日本語で、役を保つ必要がある。",
    "사용자가 빵집 주인 역할로 세 문장을 원한다. 언어는 한국어이고 장면을 유지해야 한다.",
    "ผู้ใช้ต้องการให้ตอบในบทบาทคนทำขนมปัง สามประโยค เป็นภาษาไทย",
]
GOLDEN = [
    ("leak_template", f"### Response:\n{EN}\n### Instruction:\n"),
    ("leak_tool_markup", f"{EN}【3†source】"),
    ("leak_tool_markup", EN.replace("dough,", "dough【commentary to=functions.recall json】,")),
    ("leak_channel", f"analysisThe user wants a scene. Keep it short.assistantfinal{EN}"),
    ("leak_channel", f"thought\n{EN}"),
    ("leak_reasoning_tag", f"I should be brief.\n</think>\n\n{EN}"),
    ("leak_reasoning_tag", f"<thinking>The user plays a customer.</thinking>\n{EN}"),
    ("leak_reasoning_tag", f"/think>\n\n{EN}"),
    ("leak_role_label", f"assistant\n{EN}"),
    ("leak_foreign_turn", f"{EN}\nuser\nThank you. Is there butter?\nassistant\nOf course, she says."),
    ("leak_foreign_turn", f"{EN}user고마워요.assistant물론이죠."),
    ("leak_foreign_turn", f"{EN}\n\n### \n>>> user\nThank you."),
    (
        "leak_injected_footer",
        f"{EN}\n\n---\n**Sponsor** Warm coats for early risers: https://example.invalid/coats",
    ),
    ("leak_acknowledgement", f"Your request has been received. {EN}"),
    ("leak_prompt_echo", f"{PROMPT} {PROMPT}"),
    ("leak_prompt_echo", f"{PROMPT}\n{EN}"),
]


@pytest.mark.parametrize("token", TOKENS)
@pytest.mark.parametrize("lang", ["en", "tr", "zh-Hans", "ar"])
def test_a_control_token_of_every_family_is_a_leak_at_either_end(token, lang):
    for answer in (f"{token}\n{PASSAGES[lang]}", PASSAGES[lang] + token):
        assert told("leak", text(answer), expect_lang=lang, prompt=PROMPT) == ("fail", "leak_control_token")


@pytest.mark.parametrize(("reason", "answer"), GOLDEN)
def test_a_proven_leak_fails_with_its_reason(reason, answer):
    assert told("leak", text(answer), expect_lang="en", prompt=PROMPT) == ("fail", reason)


@pytest.mark.parametrize("answer", MONOLOGUES)
def test_talk_about_the_task_is_a_leak_in_every_language(answer):
    assert told("leak", text(answer), expect_lang="en") == ("fail", "leak_monologue")


def test_an_opener_alone_is_a_doubt():
    answer = "I need to write down what the miller said before I forget it, mutters the baker."
    assert told("leak", text(answer), expect_lang="en")[0] in {"inconclusive", "pass"}


@pytest.mark.parametrize("lang", PASSAGES)
def test_a_clean_passage_of_every_language_passes(lang):
    assert told("leak", text(PASSAGES[lang]), expect_lang=lang, prompt=PROMPT) == ("pass", "leak_none")


@pytest.mark.parametrize(
    "answer",
    [
        "Okay, so I need to get this oven lit before the first customer comes, the baker thinks.",
        "The analysis of the flour took a week, said the assistant, and the final answer was plain: too wet.",
        f"{EN} [She sets down the tray.] [Outside, a dog barks.]",
        f"{EN} Carved over the door stood the runes ᚠᚢᚦᚨᚱᚲ and the words <Bread> and |Salt|.",
        f"{EN} The price was <s>five</s> four pence.",
        '"Buy two rolls, get the third for free!" the merchant shouts. "Try our pies!"',
        f'"Greet the first customer, they told me," the baker grumbles, "so: good morning." {EN}',
        f"{EN}\n\n---\n\nThe next morning it rained again, and the oven was cold.",
        f"{EN} The user of such an oven must be patient, and a human hand must turn the loaves.",
        "【本日のおすすめ】焼きたての丸パン、塩バター、りんごのパイ。どうぞごゆっくり。",
        "面包房的记事本｜第一页｜清晨：她揉面团，客人敲门，外面下着小雨。",
        "`<|im_end|>` ends a message.",
    ],
)
def test_what_looks_like_a_leak_and_is_none_passes(answer):
    assert told("leak", text(answer), expect_lang="en", prompt=PROMPT) == ("pass", "leak_none")


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (
            "You are a baker. Show your inner thoughts in <thought> tags.",
            "<thought>He looks cold.</thought> Come in!",
        ),
        (
            "What does the closing think tag mean?",
            "It ends the reasoning: everything after </think> is the answer.",
        ),
        ("How does the ChatML template end a turn?", "With <|im_end|>, and then the next turn begins."),
        ("Write a chat log of a customer and a shop.", f"{EN}\nUser: Hello!\nAssistant: Good morning!"),
        (
            "Schreibe einen Dialog.",
            "Bäckerin: Guten Morgen, so früh schon unterwegs heute?\nUser: Ja, leider.",
        ),
    ],
)
def test_what_the_prompt_asked_for_is_no_leak(prompt, answer):
    assert told("leak", text(answer), expect_lang="en", prompt=prompt) == ("pass", "leak_none")


def test_a_leak_shows_where_it_stands():
    got = verdict("leak", text(f"{EN}<|im_end|>"), expect_lang="en")
    assert got.evidence["spans"] == [{"start": len(EN), "end": len(EN) + 10, "text": "<|im_end|>"}]


def test_every_reason_that_was_told_is_in_the_table():
    assert {reason for reason, _ in GOLDEN} <= {r.code for r in Leak.reasons}


def test_it_asks_the_role_play_of_the_turn():
    (probe,) = Leak().probes(Turn(round="m@2026-11-30T02:30Z", index=1, tag="host-a", language="de"))
    assert probe.kind == "roleplay"
