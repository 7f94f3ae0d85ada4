"""The file to start from: every key at its default, commented, with what it is for."""

from __future__ import annotations

from typing import Final

from serinus.config.keys import REPEATED, Key, keys, sections
from serinus.config.settings import Settings

_HEAD: Final = """\
# serinus.toml: what the canary watches, and when it acts.
# Each key stands at its default: take away the # before the ones to change.
# Check it with: serinus config check
# The gateway's key never stands here: set OPENROUTER_API_KEY, or name a file in gateway.api_key_file.
"""


def starter() -> str:
    """The text of a starter file; it is valid as it stands."""
    blocks = [_HEAD]
    for name in sections():
        title = f"[[{name}]]" if name in REPEATED else f"[{name}]"
        needed = name not in REPEATED or Settings.model_fields[name].is_required()
        mine = [k for k in keys() if k.path.startswith(f"{name}.")]
        lines = [title if needed else f"# {title}", *(_lines(k, needed=needed) for k in mine)]
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def _lines(key: Key, *, needed: bool) -> str:
    name = key.path.partition(".")[2]
    sentence = "\n".join(f"# {line}".rstrip() for line in key.sentence.splitlines() if line)
    if key.required and needed:
        return f"{sentence}\n{name} = {key.example}"
    return f"{sentence}\n# {name} = {key.default_text or key.example}"
