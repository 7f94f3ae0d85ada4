"""Isolation: the answer belongs to this request, and to no other one (R30)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from serinus.core.model import Probe, Turn, Verdict, Word
from serinus.core.transcript import Transcript
from serinus.judging.contract import Contract, Reason
from serinus.probes import roleplay
from serinus.text.folding import folded


class Isolation(Contract):
    """Each probe carries a random word of its own; a word of another probe has no business here."""

    name = "isolation"
    promise = "An answer belongs to its own request: no text of another one, and no stored answer."
    kinds = frozenset({roleplay.KIND})
    blind_fault = "foreign_nonce"
    reasons = (
        Reason("own_nonce", Word.PASS, "The answer repeats the word of its own request."),
        Reason("nothing_foreign", Word.PASS, "No word of another request is in the answer."),
        Reason(
            "foreign_nonce",
            Word.FAIL,
            "The word of another live request is in the answer.",
            "asked with “amber kestrel”, answered with “violet anvil”",
            "similar topics, since all probes share their scenes",
        ),
        Reason(
            "earlier_nonce",
            Word.FAIL,
            "The word of an earlier request is in the answer.",
            "As I told you before about the rusty lantern …",
            "an ordinary lantern",
        ),
        Reason(
            "stored_answer",
            Word.WARN,
            "An earlier answer, byte for byte, without the word of this request.",
            "",
            "the same text with this request's word in it",
        ),
        Reason(
            "nonce_missing",
            Word.WARN,
            "The request's own word is missing, and nothing else is wrong.",
        ),
        Reason("no_nonce", Word.NOT_APPLICABLE, "The request carried no word of its own."),
    )

    def probes(self, turn: Turn) -> tuple[Probe, ...]:
        """The role-play answer that most contracts read."""
        return (roleplay.ask(turn),)

    def judge(self, transcript: Transcript) -> Verdict:
        """Foreign words first, then a stored answer, then our own word."""
        expect = transcript.probe.expect
        if not (expect.nonce or expect.other_nonces or expect.previous_nonces or expect.seen_hashes):
            return self.say("no_nonce", "The request carried no word of its own.")
        text = folded(transcript.text)
        for code, nonces in (
            ("foreign_nonce", expect.other_nonces),
            ("earlier_nonce", expect.previous_nonces),
        ):
            found = _foreign(text, nonces, transcript.probe)
            if found is not None:
                whose = "another" if code == "foreign_nonce" else "an earlier"
                return self.say(code, f"{found!r} belongs to {whose} request.", nonce=found, own=expect.nonce)
        has_own = expect.nonce is not None and folded(expect.nonce) in text
        if has_own:
            return self.say("own_nonce", "The answer repeats its own word.", nonce=expect.nonce)
        digest = "sha256:" + hashlib.sha256(transcript.text.encode("utf-8", "surrogatepass")).hexdigest()
        if digest in expect.seen_hashes:
            return self.say("stored_answer", "This text was given before, byte for byte.", hash=digest)
        if expect.nonce is not None:
            return self.say("nonce_missing", f"{expect.nonce!r} is not in the answer.", nonce=expect.nonce)
        return self.say("nothing_foreign", "No word of another request is in the answer.")


def _foreign(text: str, nonces: Sequence[str], probe: Probe) -> str | None:
    """The first foreign nonce in the text that our own request does not hold itself."""
    own = folded(" ".join([probe.expect.nonce or "", *(m.content for m in probe.messages)]))
    return next((n for n in nonces if folded(n) and folded(n) in text and folded(n) not in own), None)
