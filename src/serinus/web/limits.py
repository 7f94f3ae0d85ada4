"""How often somebody may try a password: per name and per address, in bounded memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address
from typing import Final

MOST_KEYS: Final = 10_000  # names and addresses that are remembered, those that failed last


@dataclass(slots=True)
class Attempts:
    """Counts failures by key: `allowed` of them, then one more each `every`."""

    allowed: int
    every: timedelta
    most: int = MOST_KEYS
    _debts: OrderedDict[str, tuple[datetime, float]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def wait(self, key: str, now: datetime) -> timedelta:
        """How long this key has to wait before it may try; nothing where it may."""
        with self._lock:
            debt = self._debt(key, now)
        over = debt - self.allowed + 1
        return self.every * over if over > 0 else timedelta()

    def failed(self, key: str, now: datetime) -> None:
        """Note a failure."""
        with self._lock:
            self._debts[key] = (now, self._debt(key, now) + 1)
            self._debts.move_to_end(key)
            while len(self._debts) > self.most:
                self._debts.popitem(last=False)

    def forget(self, key: str) -> None:
        """Forget a key's failures: it was right at last."""
        with self._lock:
            self._debts.pop(key, None)

    def _debt(self, key: str, now: datetime) -> float:
        at, debt = self._debts.get(key, (now, 0.0))
        return max(0.0, debt - max(timedelta(), now - at) / self.every)


def network_of(address: str) -> str:
    """What counts as one address: of IPv6 the /64 that a subscriber has."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    return str(IPv6Address(int(found) >> 64 << 64)) if isinstance(found, IPv6Address) else str(found)
