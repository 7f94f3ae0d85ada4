"""Whether a name in a response is the one that was asked for (R3, `formats.md` §1 rule 1)."""

from __future__ import annotations

import re
from typing import Final

# Display names whose plain letters are not those of the slug (`openrouter-facts.md` §0.2, §16). Every
# other pair differs only in case, blanks and punctuation: `Z.AI` is `z-ai`.
_RENAMED: Final = {
    "google": "googlevertex",
    "mancer2": "mancer",
    "voyageaibymongodb": "voyageai",
    "claudeplatformonaws": "claudeonaws",
}
_PLAIN: Final = re.compile(r"[^a-z0-9]")

# Endings that name a date or revision of a model, not another model.
_DATED: Final = re.compile(
    r"(?:[-@:](?:20\d{6}|20\d{2}-\d{2}-\d{2}|20\d{2}-\d{2}|\d{4}|\d{6}|00\d|latest|preview))+$",
)
_VARIANT: Final = re.compile(r":(?:free|nitro|floor|exacto|extended|online|thinking|beta)$")
_VERSION: Final = re.compile(r"[-@:]v?\d{1,2}(?:\.\d{1,2})?(?::\d+)?$")


def plain(name: str) -> str:
    """A provider's name without case, blanks and punctuation."""
    letters = _PLAIN.sub("", name.casefold())
    return _RENAMED.get(letters, letters)


def same_provider(named: str, pin: str, display: str | None = None) -> bool:
    """Whether the provider that a response names can be the pinned route.

    A response carries a display name (`DeepInfra`) or a tag. A display name is compared with the pin's
    provider only, since siblings share it; a full tag must equal a full pin (`host-a/turbo` is not
    `host-a/bf16`); a bare name on either side stands for all its variants.
    """
    if display is not None and named.casefold().strip() == display.casefold().strip():
        return True
    named_base, _, named_variant = named.partition("/")
    pin_base, _, pin_variant = pin.partition("/")
    if plain(named_base) != plain(pin_base):
        return plain(named) == plain(pin)  # some slugs hold a slash themselves
    return not (named_variant and pin_variant) or plain(named_variant) == plain(pin_variant)


def same_model(named: str, asked: str) -> bool:
    """Whether the model that a response names is the one asked for, or a dated or canonical alias of it."""
    a, b = _base(named), _base(asked)
    if a == b or asked.startswith(("~", "openrouter/")):  # an alias of the gateway names no one model
        return True
    if "/" not in a or "/" not in b:
        a, b = a.rsplit("/", 1)[-1], b.rsplit("/", 1)[-1]
    if a == b:
        return True
    # `x-v1:0` for `x`: a version on one side only makes it precise; on both it must agree.
    cut_a, cut_b = _VERSION.sub("", a), _VERSION.sub("", b)
    return (cut_a == b and cut_a != a) or (a == cut_b and cut_b != b)


def _base(name: str) -> str:
    base = name.strip().casefold().partition("@preset")[0]
    return _DATED.sub("", _VARIANT.sub("", base))
