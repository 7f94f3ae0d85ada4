"""What a route owes: languages and contracts asked again, so that rotation breaks no streak (R14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from serinus.core.model import Word
from serinus.judging.contract import Contract
from serinus.judging.votes import COUNTING
from serinus.service.answers import Answered


@dataclass(frozen=True, slots=True, order=True)
class Debt:
    """One question a route is asked again: a contract, and the language where that matters to it."""

    contract: str
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Owed:
    """All debts of one route, the next to be asked first."""

    debts: tuple[Debt, ...] = ()

    @property
    def languages(self) -> tuple[str, ...]:
        """Languages to ask again, without repetition, the next one first."""
        return tuple(dict.fromkeys(d.language for d in self.debts if d.language))

    @property
    def contracts(self) -> frozenset[str]:
        """Contracts to ask again."""
        return frozenset(d.contract for d in self.debts)


def owed_after(
    owed: Owed,
    answered: Sequence[Answered],
    contracts: Sequence[Contract],
    suspended_for: frozenset[str] = frozenset(),
) -> Owed:
    """The debts after a round.

    An anomaly owes its contract, in its language where the contract goes by language. A debt is
    paid by an answer that counts and is no anomaly (R14). While a suspension rests on a contract
    its debts stay, since only an answer to them can be clean (R19); those just asked go last, so
    that a route owing two languages is asked both in turn.
    """
    known = {c.name: c for c in contracts}
    verdicts = [(_debt(known[n], a), v) for a in answered for n, v in a.verdicts.items() if n in known]
    anomalies = sorted({debt for debt, v in verdicts if v.word is Word.FAIL})
    counted = {debt for debt, v in verdicts if v.word in COUNTING}
    resting = {Debt(name) for name in suspended_for if not any(d.contract == name for d in owed.debts)}
    waiting = [d for d in owed.debts if d not in counted]
    unpaid = [d for d in owed.debts if d in counted and (d in anomalies or d.contract in suspended_for)]
    return Owed(tuple(dict.fromkeys([*waiting, *unpaid, *anomalies, *sorted(resting, key=_order)])))


def _debt(contract: Contract, answered: Answered) -> Debt:
    return Debt(contract.name, answered.ask.probe.language if contract.by_language else None)


def _order(debt: Debt) -> str:
    return debt.contract
