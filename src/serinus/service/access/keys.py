"""Secrets that are made, shown once and kept as digests."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final

BYTES: Final = 32  # 256 random bits: nothing to guess, so a plain SHA-256 is digest enough
PREFIX: Final = "serinus_"  # so that scanners of source code know a leaked one


def new_token() -> str:
    """A token for a program: 256 random bits behind a known prefix."""
    return PREFIX + secrets.token_urlsafe(BYTES)


def new_secret() -> str:
    """256 random bits: a session, a code."""
    return secrets.token_urlsafe(BYTES)


def digest_of(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def same(one: str, other: str) -> bool:
    """Whether two secrets are the same, in a time that tells nothing of where they differ."""
    return hmac.compare_digest(one.encode("utf-8", "surrogatepass"), other.encode("utf-8", "surrogatepass"))
