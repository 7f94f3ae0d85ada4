"""OpenRouter: one model from many providers; routes are pinned and excluded by tag.

Field by field after `openrouter-facts.md`; everything is read leniently, for hosts, keys and
values appear without notice.
"""

from serinus.gateways.openrouter.gateway import BASE_URL, OpenRouter
from serinus.gateways.openrouter.generation import Generation

__all__ = ["BASE_URL", "Generation", "OpenRouter"]
