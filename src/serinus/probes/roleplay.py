"""The role-play probe: one answer that most contracts read (R7, R10, R13).

Its scenes are mild (a thief, a duel, a storm), so that every provider's terms allow them, and still of
the kind that a host with a filter of its own refuses: one answer serves `filtering` and `language`.
"""

from __future__ import annotations

from serinus.core.model import Expectation, Message, Probe, Turn
from serinus.probes.billed import BILLED
from serinus.probes.languages import Language, Scene, UnknownLanguageError, language
from serinus.probes.nonce import nonce, place
from serinus.probes.rotation import another

KIND = "roleplay"


def key_of(spoken: Language, scene: Scene) -> str:
    """The stable name of a prompt: `roleplay.pt.lighthouse`."""
    return f"{KIND}.{spoken.code}.{scene.key}"


def pool(spoken: Language, retired: frozenset[str] = frozenset()) -> tuple[Scene, ...]:
    """The scenes that may still be asked; all of them if every one has retired.

    A language without prompts could never be asked again, and nobody could be restored in it; whoever
    retires the last prompt has been told.
    """
    left = tuple(s for s in spoken.scenes if key_of(spoken, s) not in retired)
    return left or spoken.scenes


def tempts(key: str) -> bool:
    """Whether a prompt has a motif that filters know (R8); one that is none of ours is taken to have it."""
    _, _, name = key.partition(f"{KIND}.")
    code, _, scene = name.partition(".")
    try:
        scenes = language(code).scenes
    except UnknownLanguageError:
        return True
    return next((s.filtering for s in scenes if s.key == scene), True)


def ask(turn: Turn) -> Probe:
    """The role-play request of this turn, in its language.

    `turn.index` rotates the scenes, further attempts take others, `turn.retired` are left out.

    Raises:
        UnknownLanguageError: there are no prompts for `turn.language`.
    """
    spoken = language(turn.language)
    scenes = pool(spoken, turn.retired)
    scene = scenes[another(turn.index, len(scenes), turn.attempt)]
    key = key_of(spoken, scene)
    phrase = nonce(turn, spoken, key)
    return Probe(
        key=key,
        kind=KIND,
        messages=(
            Message("system", place(f"{scene.system}\n{spoken.rules}", phrase)),
            Message("user", scene.user),
        ),
        language=spoken.code,
        max_tokens=spoken.max_tokens,
        parameters=BILLED,
        expect=Expectation(nonce=phrase),
    )
