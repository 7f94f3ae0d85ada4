"""The order of a comparison's requests: no prompt and no minute is one route's alone."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from serinus.core.model import Offer, Probe
from serinus.service.planning import Ask


def ordered(
    offers: Sequence[Offer], probes: Sequence[Probe], fully: AbstractSet[str], of_peers: int, seed: str
) -> tuple[Ask, ...]:
    """Prompt after prompt, the routes of each in an order that chance gives; the same for the same seed.

    Routes in `fully` are asked every prompt and the others `of_peers`: each takes other ones, so that
    together they answer all of them.
    """
    chance = random.Random(f"order of {seed}")  # noqa: S311  an order, no secret
    share = {
        o.route.tag: _prompts_of(n, len(probes), len(probes) if o.route.tag in fully else of_peers)
        for n, o in enumerate(offers)
    }
    asks = []
    for number, probe in enumerate(probes):
        asked = [o for o in offers if number in share[o.route.tag]]
        chance.shuffle(asked)
        asks += [Ask(offer, probe, 0, _session(seed, offer, number)) for offer in asked]
    return tuple(asks)


def _prompts_of(peer: int, prompts: int, wanted: int) -> frozenset[int]:
    """Which prompts a route is asked: spread evenly, beginning at another one for each."""
    count = min(wanted, prompts)
    return frozenset((peer + n * prompts // count) % prompts for n in range(count))


def _session(seed: str, offer: Offer, number: int) -> str:
    name = f"{seed}/{offer.route.tag}/{number}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(name).hexdigest()[:32]
