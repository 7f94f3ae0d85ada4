"""Chance that depends on names alone: the same seed and names give the same dice, in any order of calls."""

from __future__ import annotations

import hashlib
import random


def dice(*names: object) -> random.Random:
    """A generator whose stream is fixed by the names (seed, host, session, fault, …)."""
    digest = hashlib.sha256("\x1f".join(map(str, names)).encode()).digest()
    return random.Random(int.from_bytes(digest[:16], "big"))  # noqa: S311  a simulation, no secret


def strikes(rate: float, correlation: float, shared: random.Random, own: random.Random) -> bool:
    """Whether something that happens at `rate` happens this time.

    With probability sqrt(correlation) the shared dice decide, so that two hosts that share them
    agree with pairwise correlation `correlation` (0.1: 31.6 % of the draws are the prompt's).
    """
    source = shared if own.random() < correlation**0.5 else own
    return source.random() < rate


def token(*names: object, size: int = 20) -> str:
    """A name of `size` characters in the style of a gateway's ids."""
    alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    return "".join(dice("token", *names).choices(alphabet, k=size))
