"""Contract 4: the answer is whole and in the language it was asked for (R10-R14).

A local, deterministic detector: no network, no other model. It says `fail` only where code can prove it,
`inconclusive` of short and ambiguous answers, and nothing of wit or style.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final

from serinus.core.model import Probe, Turn, Verdict, Word
from serinus.core.transcript import Transcript
from serinus.judging.contract import Contract, Reason
from serinus.judging.votes import settle_samples
from serinus.probes import roleplay
from serinus.text.boundaries import find_boundary_words
from serinus.text.integrity import LEAST_SOUND, examine, prepared
from serinus.text.languages import Language, known
from serinus.text.mentions import asks_for_translation
from serinus.text.signs import Sign
from serinus.text.spans import pieces

SUSPECTED: Final = "_suspected"
# Doubts that are no accident where most answers of one set raise them: a stray word may be a name, a stray
# word in two answers of three is a fault (reports of Chinese tokens in Vietnamese and Korean answers).
POOLED: Final = frozenset({"foreign_script", "language_mixed", "broken_words", "word_salad", "broken_marks"})
LEAST_POOLED: Final = 2


def _fails(code: str, meaning: str, example: str, never: str, doubt: str = "") -> tuple[Reason, ...]:
    """A reason to fail and, where it has one, the doubt that stands for it."""
    proof = Reason(code, Word.FAIL, meaning, example, never)
    if not doubt:
        return (proof,)
    return (proof, Reason(code + SUSPECTED, Word.INCONCLUSIVE, doubt, "", "a failure on one answer alone"))


class LanguageIntegrity(Contract):
    """The whole answer is in the language asked for, unmixed and undamaged."""

    name = "language"
    promise = "The whole answer is in the language it was asked for, unmixed and undamaged."
    kinds = frozenset({"roleplay"})
    by_language = True
    blind_fault = "language_switch"
    passes_wanted = 2
    reasons: ClassVar[tuple[Reason, ...]] = (
        *_fails(
            "language_switched",
            "The whole answer is in another language or script.",
            "asked in Portuguese: La mujer abre la puerta y te mira sin decir nada …",
            "answers of fewer than 12 words; a translation that the prompt asked for",
            "The answer may be in a neighbour of the language, such as Malay for Indonesian.",
        ),
        *_fails(
            "language_mixed",
            "Runs of another language stand in the answer again and again.",
            "Die Wirtin öffnet das Fenster and looks down at the street …",
            "loan words, names, titles, one quotation, a greeting",
            "Words of another language stand in the answer, too few to prove mixing.",
        ),
        *_fails(
            "foreign_script",
            "Words of another script stand in most answers of a set.",
            "Em cima da mesa há um 苹果 e uma carta.",
            "a gloss in parentheses, a sign that the text explains, a name",
            "A word of another script stands in the answer: perhaps a name.",
        ),
        *_fails(
            "wrong_token",
            "One wrong character stands again and again where a pause belongs.",
            "她等着极，门开了极。",
            "words that end in that character",
            "One character stands where a pause belongs.",
        ),
        *_fails(
            "word_salad",
            "The words make no text: those that join words are missing, or scripts alternate.",
            "gate purple Montreal configuring sharply owl stdout …",
            "a list of greetings in quotation marks; a spell that the prompt asked for",
            "The answer has hardly any words that join words, and may be a list.",
        ),
        *_fails(
            "broken_words",
            "Too many words are no words of the language: cut, doubled or glued.",
            "La mujerjer abr la pueta y te mirra sinn decir nad …",
            "dialect, slang, names",
            "Unusually many words are unknown.",
        ),
        *_fails(
            "broken_marks",
            "Thai or Vietnamese marks stand where no speller puts them.",
            "ที่่นี่ ก้ิน",
            "a mark cut off by Markdown; one defect",
            "Two impossible sequences of marks.",
        ),
        *_fails(
            "blanks_lost",
            "The blanks between words are gone.",
            "Thewomanopensthedoorandlooksatyouwithoutaword",
            "Thai, Chinese, Japanese; long compounds; links",
        ),
        *_fails(
            "mojibake",
            "Text was decoded by the wrong code page.",
            "A mulher abre a porta e nÃ£o diz nada.",
            "legal capitals such as Ã before a letter",
            "A few characters look like UTF-8 in a wrong code page.",
        ),
        *_fails(
            "replacement_character",
            "Characters were lost and stand as U+FFFD.",
            "Die T\ufffd\ufffdr ist offen.",
            "a prompt about that character; one at the very end, where the cap cut",
            "One character was lost, or the last one.",
        ),
        *_fails(
            "lone_surrogate", "Half of a surrogate pair stands alone.", "\\ud83d", "two halves in two chunks"
        ),
        *_fails(
            "control_character",
            "Control or private-use characters stand in the text.",
            "The door\\x00 is\\x02 open.",
            "line ends and tabs",
            "One control character stands in the text.",
        ),
        *_fails(
            "escape_sequences",
            "Escape sequences are printed instead of what they stand for.",
            "She says nothing.\\n\\nThe door \\u2014 it is open.",
            "code spans",
            "One or two escape sequences are printed.",
        ),
        *_fails(
            "html_entities",
            "HTML entities or tags stand in the prose.",
            "It&#39;s cold &amp; dark.",
            "code spans; prompts about HTML",
            "One entity, or a few tags.",
        ),
        *_fails(
            "byte_tokens",
            "Strings of the tokenizer are printed: <0x0A>, Ġ, U+2581.",
            "TheĠdoorĠisĠopen.",
            "code spans; Maltese; drawn bars",
            "One or two strings of the tokenizer are printed.",
        ),
        *_fails(
            "undecodable_bytes",
            "The stream held bytes that are not UTF-8.",
            "data: bytes C3 28",
            "one character split over two reads",
        ),
        *_fails(
            "boundary_words",
            "The same words of no language begin lines in several answers of a set.",
            "vornex The door is open.",
            "bullets, a catchphrase",
        ),
        Reason("language_ok", Word.PASS, "The answer is in the language, unmixed and undamaged."),
        Reason(
            "too_short", Word.INCONCLUSIVE, "Fewer than 8 words (14 Han characters, 32 Thai letters).", "No."
        ),
        Reason("no_text", Word.INCONCLUSIVE, "There is no visible text; `filtering` judges that."),
        Reason("no_language_asked", Word.NOT_APPLICABLE, "The probe expects no language."),
        Reason("language_not_known", Word.NOT_APPLICABLE, "No data stands for the language of the probe."),
        Reason("translation_asked", Word.NOT_APPLICABLE, "The prompt asks for another language."),
        Reason("votes_disagree", Word.INCONCLUSIVE, "The answers of a set disagree."),
    )

    def probes(self, turn: Turn) -> tuple[Probe, ...]:
        """The role-play prompt of this turn, shared with other contracts."""
        return (roleplay.ask(turn),)

    def judge(self, transcript: Transcript) -> Verdict:
        """The verdict on one answer."""
        language = known(transcript.probe.language)
        unasked = _unasked(transcript, language)
        if unasked is not None:
            return unasked
        assert language is not None  # noqa: S101  _unasked has seen to it
        if any(event.undecodable for event in transcript.events):
            return Verdict(Word.FAIL, "undecodable_bytes", "The stream held bytes that are not UTF-8.")
        text = readable(transcript)
        if not text.strip():
            return Verdict(Word.INCONCLUSIVE, "no_text", "There is no visible text to judge.")
        found = examine(text, language, _asked(transcript.probe))
        if found.sign is not None and (found.sign.sure or not found.short):
            return _verdict(found.sign, text, language)
        if found.short:
            return Verdict(
                Word.INCONCLUSIVE,
                "too_short",
                f"The answer is too short to tell its language: {found.units:.0f} words.",
                {"words": round(found.units, 1), "needed": LEAST_SOUND},
            )
        detail = f"The answer is {language.name}, unmixed and undamaged."
        return Verdict(
            Word.PASS, "language_ok", detail, {"language": language.code, "words": round(found.units, 1)}
        )

    def judge_samples(self, transcripts: Sequence[Transcript], votes: Sequence[Verdict]) -> Verdict:
        """The settled verdict; what is a doubt in one answer is a fault where most answers show it."""
        settled = settle_samples(votes, passes_wanted=self.passes_wanted)
        if settled.word is Word.FAIL:
            return settled
        return _pooled(votes) or _boundary(transcripts) or settled


def _unasked(transcript: Transcript, language: Language | None) -> Verdict | None:
    tag = transcript.probe.language
    if not tag:
        return Verdict(Word.NOT_APPLICABLE, "no_language_asked", "The probe expects no language.")
    if language is None:
        return Verdict(Word.NOT_APPLICABLE, "language_not_known", f"No data stands for the language {tag!r}.")
    if asks_for_translation(transcript.probe.prompt):
        return Verdict(Word.NOT_APPLICABLE, "translation_asked", "The prompt asks for another language.")
    return None


def _asked(probe: Probe) -> str:
    return "\n".join(message.content for message in probe.messages)


def _verdict(sign: Sign, text: str, language: Language) -> Verdict:
    evidence = {"expected": language.code, "spans": pieces(text, sign.spans), **sign.values}
    if sign.sure:
        return Verdict(Word.FAIL, sign.code, sign.detail, evidence)
    return Verdict(Word.INCONCLUSIVE, sign.code + SUSPECTED, sign.detail, evidence)


def _pooled(votes: Sequence[Verdict]) -> Verdict | None:
    suspected = {code + SUSPECTED for code in POOLED}
    hits = [v for v in votes if v.word is Word.FAIL or v.reason in suspected]
    if len(hits) < LEAST_POOLED or len(hits) * 2 <= len(votes):
        return None
    first = hits[0]
    code = first.reason.removesuffix(SUSPECTED)
    detail = f"{len(hits)} of {len(votes)} answers raise the same doubt. {first.detail}"
    return Verdict(Word.FAIL, code, detail, {**first.evidence, "raised": len(hits), "answers": len(votes)})


def _boundary(transcripts: Sequence[Transcript]) -> Verdict | None:
    language = known(transcripts[0].probe.language) if transcripts else None
    if language is None:
        return None
    found = find_boundary_words([prepared(t.text) for t in transcripts], language)
    if found is None:
        return None
    return Verdict(Word.FAIL, found.code, found.detail, found.values)


# --- what of a transcript is read


def readable(transcript: Transcript) -> str:
    """The prose of an answer: of a structured one the values that are not fixed by its schema."""
    text = whole_characters(transcript.text)
    if transcript.probe.schema is None:
        return text
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        return text
    fixed = set(_enums(transcript.probe.schema))
    return ". ".join(value for value in _strings(parsed) if value not in fixed)


def whole_characters(text: str) -> str:
    """The text with halves of surrogate pairs joined that came in two events; a lone half stays."""
    if not any("\ud800" <= c <= "\udfff" for c in text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


def _enums(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        for key, item in schema.items():
            if key in {"enum", "const"}:
                yield from _strings(item)
            else:
                yield from _enums(item)
    elif isinstance(schema, list):
        for item in schema:
            yield from _enums(item)
