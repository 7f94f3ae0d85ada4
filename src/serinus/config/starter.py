"""The file to start from: every key at its default, commented, with what it is for."""

from __future__ import annotations

from typing import Final

from serinus.config.keys import Key, keys, sections
from serinus.config.settings import Model

_HEAD: Final = """\
# serinus.toml: what the canary watches, and when it acts.
# Each key stands at its default: take away the # before the ones to change.
# Check it with: serinus config check
# The gateway's key never stands here: set OPENROUTER_API_KEY, or name a file in gateway.api_key_file.
"""


def starter() -> str:
    """The text of a starter file; it is valid as it stands."""
    blocks = [_HEAD]
    for name, section in sections().items():
        title = f"[[{name}]]" if section is Model else f"[{name}]"
        mine = [k for k in keys() if k.path.startswith(f"{name}.")]
        blocks.append("\n".join([title, *(_lines(k) for k in mine)]) + "\n")
    return "\n".join(blocks)


def _lines(key: Key) -> str:
    name = key.path.partition(".")[2]
    sentence = "\n".join(f"# {line}".rstrip() for line in key.sentence.splitlines() if line)
    if key.required:
        return f"{sentence}\n{name} = {key.example}"
    return f"{sentence}\n# {name} = {key.default_text or key.example}"
