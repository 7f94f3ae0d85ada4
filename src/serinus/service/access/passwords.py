"""Passwords, kept as argon2id hashes (RFC 9106)."""

from __future__ import annotations

import threading
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

SHORTEST: Final = 12
LONGEST: Final = 1024
ALLOWED: Final = f"a password has {SHORTEST} to {LONGEST} characters"

# OWASP's setting for argon2id with one lane: 19 MiB, two passes; some 20 ms of one core.
_HASHER: Final = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
_AT_ONCE: Final = threading.Semaphore(2)  # so that a burst of logins costs 38 MiB and two cores at most
_NOBODYS: Final = _HASHER.hash("nobody has this password")


class WeakPasswordError(ValueError):
    """The password is too short or too long; the message says what is allowed."""


def hashed(password: str) -> str:
    """The hash to keep.

    Raises:
        WeakPasswordError: it is shorter or longer than allowed.
    """
    if not SHORTEST <= len(password) <= LONGEST:
        message = f"found {len(password)} characters; {ALLOWED}"
        raise WeakPasswordError(message)
    with _AT_ONCE:
        return _HASHER.hash(password)


def matches(password: str, kept: str | None) -> bool:
    """Whether a password is the one that was kept; with None it takes as long and is not."""
    if len(password) > LONGEST:
        return False
    with _AT_ONCE:
        try:
            right = _HASHER.verify(kept or _NOBODYS, password)
        except (VerificationError, InvalidHashError):
            return False
    return right and kept is not None
