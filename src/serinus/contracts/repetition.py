"""The answer does not run in circles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from serinus.core.model import Probe, Turn, Verdict, Word
from serinus.core.transcript import Delta, Transcript
from serinus.judging.contract import Contract, Reason
from serinus.probes import roleplay
from serinus.text.loops import find_loops
from serinus.text.signs import first
from serinus.text.spans import mask_code, pieces

LONGEST: Final = 20_000  # characters examined, the last ones: a loop goes on to the end
CAPPED: Final = frozenset({"length", "max_tokens", "model_length", "max_output_tokens"})
# Streams in which every piece comes twice: so many pairs of equal neighbours, and their least part.
LEAST_PAIRS: Final = 8
PAIRED: Final = 0.7
# Events sent again by a proxy: so many long pieces that come twice in a row (one is the protocol's warning).
LEAST_RESENT: Final = 3
LONG_PIECE: Final = 12  # characters of a long piece of more than one word …
DENSE_PIECE: Final = 5  # … or different characters, in scripts that part no words
UNPARTED: Final = "\u0e00"  # Thai, kana and Han follow


class Repetition(Contract):
    """No character, word, phrase or block comes again and again."""

    name = "repetition"
    promise = "No character, word, phrase or block of the answer comes again and again."
    kinds = frozenset({"roleplay"})
    by_language = True
    blind_fault = "repetition_loop"
    reasons: ClassVar[tuple[Reason, ...]] = (
        Reason(
            "repetition_character",
            Word.FAIL,
            "One character fills the answer.",
            "!!!!!!!!!!!!!!!!!!!!!!!!!!!!",
            "a shout, a drawn line, laughter",
        ),
        Reason(
            "repetition_word",
            Word.FAIL,
            "One word stands many times in a row.",
            "the door door door door door door door door door door",
            "knocking, laughter, reduplication",
        ),
        Reason(
            "repetition_loop",
            Word.FAIL,
            "A phrase comes again and again until the end.",
            "She waits. She waits. She waits. She waits. …",
            "a refrain",
        ),
        Reason(
            "repetition_block",
            Word.FAIL,
            "One block of text comes again and again.",
            "the same paragraph five times",
            "lines with a common beginning",
        ),
        Reason("repetition_blank", Word.FAIL, "Blanks and line ends fill the answer.", "\\n × 200", "a poem"),
        Reason(
            "repetition_twice",
            Word.FAIL,
            "The whole answer stands twice.",
            "text text",
            "a stanza sung twice",
        ),
        Reason(
            "repetition_doubled",
            Word.FAIL,
            "Every word, or every piece of the stream, comes twice.",
            "The The door door is is open open",
            "reduplication; an empty message beside a delta",
        ),
        Reason("repetition_none", Word.PASS, "Nothing comes again and again."),
        Reason("no_text", Word.INCONCLUSIVE, "There is no visible text; `filtering` judges that."),
        Reason("votes_disagree", Word.INCONCLUSIVE, "The answers of a set disagree."),
    )

    def probes(self, turn: Turn) -> tuple[Probe, ...]:
        """The role-play prompt of this turn, shared with other contracts."""
        return (roleplay.ask(turn),)

    def judge(self, transcript: Transcript) -> Verdict:
        """The verdict on one answer."""
        whole = told_once(transcript)
        raw = whole[-LONGEST:]
        if not raw.strip():
            return Verdict(Word.INCONCLUSIVE, "no_text", "There is no visible text to judge.")
        capped = (transcript.answer.finish_reason or "").lower() in CAPPED
        sign = first(list(find_loops(mask_code(raw), capped=capped)))
        if sign is not None:
            before = len(whole) - len(raw)
            spans = [(a + before, b + before) for a, b in sign.spans]
            evidence = {"spans": pieces(whole, spans), **sign.values}
            return Verdict(Word.FAIL, sign.code, sign.detail, evidence)
        pairs = _paired(transcript.answer.deltas)
        if pairs:
            detail = "Every piece of the stream comes twice."
            return Verdict(Word.FAIL, "repetition_doubled", detail, {"pairs": pairs, "needed": LEAST_PAIRS})
        resent = _resent(transcript.answer.deltas)
        if resent >= LEAST_RESENT:
            detail = f"{resent} long pieces of the stream come twice in a row."
            evidence = {"pairs": resent, "needed": LEAST_RESENT}
            return Verdict(Word.FAIL, "repetition_doubled", detail, evidence)
        return Verdict(Word.PASS, "repetition_none", "Nothing comes again and again.")


def told_once(transcript: Transcript) -> str:
    """The text without a last event that repeats all before it: that is the protocol's fault."""
    parts = [delta.text for delta in transcript.answer.deltas if delta.text]
    if len(parts) > 1 and "".join(parts[:-1]) == parts[-1]:
        return parts[-1]
    return transcript.text


def _paired(deltas: Sequence[Delta]) -> int:
    """How many pairs of equal neighbours make up the stream, or 0 where it is no such stream."""
    parts = [delta.text for delta in deltas if delta.text]
    pairs = list(zip(parts[::2], parts[1::2], strict=False))
    same = sum(a == b for a, b in pairs)
    return same if same >= LEAST_PAIRS and same >= PAIRED * len(pairs) else 0


def _resent(deltas: Sequence[Delta]) -> int:
    """How many long pieces are followed at once by themselves; laughter is short, or one word."""
    parts = [delta.text for delta in deltas if delta.text]
    count = 0
    last = ""
    for part in parts:
        if part == last and _long(part):
            count += 1
            last = ""  # three in a row are one pair
        else:
            last = part
    return count


def _long(part: str) -> bool:
    bare = part.strip()
    if len({word.lower() for word in bare.split()}) > 1:
        return len(bare) >= LONG_PIECE
    return len(set(bare)) >= DENSE_PIECE and min(bare) >= UNPARTED
