"""Refusals: answers that speak of the request instead of the scene, in 20 languages at once (R7).

A hosted model's canned refusal comes in any language, whatever was asked; so all languages are tried on
every answer (`faults.md` F080-F086, `faults.md` §8).
"""

from __future__ import annotations

from serinus.text.refusals.finder import Kind, Refusal, refusal_in

__all__ = ["Kind", "Refusal", "refusal_in"]
