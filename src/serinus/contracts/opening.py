"""The answer begins as an answer does: no stray mark, no fragment, no label before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from serinus.core.model import Probe, Turn, Verdict, Word
from serinus.core.transcript import Transcript
from serinus.judging.contract import Contract, Reason
from serinus.judging.votes import settle_samples
from serinus.probes import roleplay
from serinus.text.languages import known
from serinus.text.openings import find_opening, starts_lower
from serinus.text.signs import Sign, first
from serinus.text.spans import pieces

SUSPECTED: Final = "_suspected"
FLOOD: Final = "opening_blank_flood"
# A rate is what tells a host from a slip: of several answers more than half must open oddly, two at least.
# Doubts count there, for 28,219 clean passages held none.
LEAST_ODD: Final = 2


def _fails(code: str, meaning: str, example: str, never: str, *, doubt: bool = False) -> tuple[Reason, ...]:
    proof = Reason(code, Word.FAIL, meaning, example, never)
    if not doubt:
        return (proof,)
    return (proof, Reason(code + SUSPECTED, Word.INCONCLUSIVE, f"Perhaps: {meaning[0].lower()}{meaning[1:]}"))


class Opening(Contract):
    """The first graphemes belong to the answer."""

    name = "opening"
    promise = (
        "The answer begins with its first word: no stray mark, fragment, label or status line before it."
    )
    kinds = frozenset({"roleplay"})
    by_language = True
    blind_fault = "opening_stray_punctuation"
    reasons: ClassVar[tuple[Reason, ...]] = (
        *_fails(
            "opening_stray_punctuation",
            "A mark that closes or separates stands first.",
            ", The woman opens the door.",
            "quotes, dashes, ellipses, inverted marks, asterisks, brackets that open, 't and 's, kaomoji",
            doubt=True,
        ),
        *_fails(
            "opening_foreign_fragment",
            "A fragment of another script stands first.",
            "ованияThe woman opens the door.",
            "a name, a quoted greeting, a brand",
            doubt=True,
        ),
        *_fails(
            "opening_cut_word",
            "The rest of a word stands before the first one.",
            "mentThe woman opens the door.",
            "iPhone, macOS; an answer written in lower case",
            doubt=True,
        ),
        *_fails(
            "opening_combining_mark",
            "A mark without a letter to bear it stands first.",
            "\u0e34\u0e07 \u0e1c\u0e39\u0e49",
            "Thai vowels that are written first",
        ),
        *_fails(
            "opening_role_label",
            "The label of a role stands first.",
            "assistant\\nThe woman opens the door.",
            "a script or dialogue that was asked for",
        ),
        *_fails(
            "opening_control_token",
            "A control token stands first.",
            "<|im_start|>The woman opens the door.",
            "code spans; prompts about tokens",
        ),
        *_fails(
            "opening_continues_prompt",
            "The answer goes on with the instructions from the middle of a sentence.",
            "ence of the scene and never speak for the traveller …",
            "a persona that writes in lower case; a few words of the role",
        ),
        *_fails(
            "opening_acknowledgement",
            "A status sentence of a service stands first.",
            "Your request has been received. The woman …",
            "a character's greeting",
        ),
        *_fails(
            "opening_lost_start",
            "Most answers of a set begin in the middle of a sentence.",
            "opens the door and looks at you. She …",
            "one such answer; ellipses; a lower-case persona",
        ),
        Reason(
            FLOOD,
            Word.WARN,
            "More than 8 blanks or line ends precede the text.",
            "\\n × 14",
            "one or two line ends",
        ),
        Reason("opening_ok", Word.PASS, "The answer begins cleanly."),
        Reason("no_text", Word.INCONCLUSIVE, "There is no visible text; `filtering` judges that."),
        Reason("votes_disagree", Word.INCONCLUSIVE, "The answers of a set disagree."),
    )

    def probes(self, turn: Turn) -> tuple[Probe, ...]:
        """The role-play prompt of this turn: a nonce in front of its system text makes the prefill cold."""
        return (roleplay.ask(turn),)

    def judge(self, transcript: Transcript) -> Verdict:
        """The verdict on one answer."""
        text = transcript.text
        if not text.strip():
            return Verdict(Word.INCONCLUSIVE, "no_text", "There is no visible text to judge.")
        probe = transcript.probe
        asked = "\n".join(message.content for message in probe.messages)
        signs = list(find_opening(text, known(probe.language), asked, probe.prompt))
        sign = first([s for s in signs if s.code != FLOOD]) or first(signs)
        if sign is None:
            return Verdict(Word.PASS, "opening_ok", "The answer begins cleanly.")
        return _verdict(sign, text)

    def judge_samples(self, transcripts: Sequence[Transcript], votes: Sequence[Verdict]) -> Verdict:
        """The rate over several answers; doubts count, and so do starts in the middle of a sentence."""
        settled = settle_samples(votes)
        if settled.word is Word.FAIL or len(votes) < LEAST_ODD:
            return settled
        odd = [v for v in votes if v.word is Word.FAIL or v.reason.endswith(SUSPECTED)]
        if _most(len(odd), votes):
            code = odd[0].reason.removesuffix(SUSPECTED)
            return Verdict(Word.FAIL, code, _rate(len(odd), votes, odd[0].detail), _counts(odd, votes))
        lower = [t for t in transcripts if starts_lower(t.text)]
        if _most(len(lower), votes):
            detail = _rate(len(lower), votes, "They begin in the middle of a sentence.")
            return Verdict(
                Word.FAIL, "opening_lost_start", detail, {"odd": len(lower), "answers": len(votes)}
            )
        floods = [v for v in votes if v.reason == FLOOD]
        if _most(len(floods), votes):
            return Verdict(
                Word.WARN, FLOOD, _rate(len(floods), votes, floods[0].detail), _counts(floods, votes)
            )
        return settled


def _verdict(sign: Sign, text: str) -> Verdict:
    evidence = {"spans": pieces(text, sign.spans), "head": pieces(text, [(0, 40)])[0]["text"], **sign.values}
    if sign.code == FLOOD:
        return Verdict(Word.WARN, FLOOD, sign.detail, evidence)
    if sign.sure:
        return Verdict(Word.FAIL, sign.code, sign.detail, evidence)
    return Verdict(Word.INCONCLUSIVE, sign.code + SUSPECTED, sign.detail, evidence)


def _most(count: int, votes: Sequence[Verdict]) -> bool:
    return count >= LEAST_ODD and count * 2 > len(votes)


def _rate(count: int, votes: Sequence[Verdict], detail: str) -> str:
    return f"{count} of {len(votes)} answers open oddly. {detail}"


def _counts(odd: Sequence[Verdict], votes: Sequence[Verdict]) -> dict[str, object]:
    return {**odd[0].evidence, "odd": len(odd), "answers": len(votes)}
