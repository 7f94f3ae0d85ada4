"""What is asked: a contract's own probes, each with a nonce of its own, or an operator's prompts.

An operator's prompts are never kept: not in the store, not in a pack, not in a message. Only how many
there were and a digest of them is (R27).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from serinus.core.model import Message, Offer, Probe, Turn
from serinus.judging.contract import Contract
from serinus.probes import roleplay
from serinus.probes.languages import language
from serinus.probes.tokens import Cost, cost

MOST: Final = 200  # prompts of a file
LONGEST: Final = 64_000  # characters of one of them
LARGEST: Final = 4_000_000  # bytes of a file
ANSWER_TOKENS: Final = 512  # what an answer to an operator's prompt may take
ROLES: Final = ("system", "user", "assistant")
_PER_CHARACTER: Final = 0.3  # tokens, where nobody knows the language
_OF_A_NONCE: Final = frozenset({"isolation"})  # they look for a nonce, which a foreign prompt does not have
OF_A_LANGUAGE: Final = frozenset({"language"})  # they judge by the language that was asked for


class PromptsError(ValueError):
    """A file of prompts cannot be used; the message says where and why, never what it holds."""


@dataclass(frozen=True, slots=True)
class FilePrompts:
    """An operator's prompts, in order; shown nowhere. `digest` is "sha256:<hex>" of them."""

    messages: tuple[tuple[Message, ...], ...] = field(repr=False)
    digest: str

    def __len__(self) -> int:
        return len(self.messages)


def prompts_of(file: bytes) -> FilePrompts:
    """The prompts in a file's bytes; raises as `read_prompts`, and where they are no UTF-8."""
    if len(file) > LARGEST:
        message = f"the file of prompts has {len(file)} bytes; at most {LARGEST} are allowed"
        raise PromptsError(message)
    try:
        text = file.decode()
    except UnicodeDecodeError as error:
        message = f"the file of prompts is no UTF-8 at byte {error.start}"
        raise PromptsError(message) from None
    return read_prompts(text)


def read_prompts(text: str) -> FilePrompts:
    """The prompts of a file: one a line, or one JSON object a line with `messages` (or `prompt`).

    Raises:
        PromptsError: nothing is in it, too much is, or a line is no such object.
    """
    lines = [
        (n, line.strip()) for n, line in enumerate(text.lstrip("\ufeff").splitlines(), 1) if line.strip()
    ]
    if not lines:
        message = "the file holds no prompt; one a line is wanted, or one JSON object a line with messages"
        raise PromptsError(message)
    if len(lines) > MOST:
        message = f"the file holds {len(lines)} prompts; at most {MOST} are allowed"
        raise PromptsError(message)
    messages = tuple(_messages(number, line) for number, line in lines)
    whole = json.dumps([[(m.role, m.content) for m in prompt] for prompt in messages], ensure_ascii=True)
    return FilePrompts(messages, f"sha256:{hashlib.sha256(whole.encode()).hexdigest()}")


def _messages(number: int, line: str) -> tuple[Message, ...]:
    found = _object(number, line) if line.startswith("{") else {"prompt": line}
    told = found.get("messages")
    if told is None and isinstance(found.get("prompt"), str):
        told = [{"role": "user", "content": found["prompt"]}]
    if not isinstance(told, list) or not told:
        raise _refusal(number, 'an object has "messages", a list of {"role", "content"}, or "prompt", a text')
    messages = tuple(_message(number, each) for each in told)
    if sum(len(m.content) for m in messages) > LONGEST:
        raise _refusal(number, f"a prompt has at most {LONGEST} characters")
    if not any(m.role == "user" for m in messages):
        raise _refusal(number, "a prompt has a message of the role user")
    return messages


def _message(number: int, told: Any) -> Message:
    role, content = (told.get("role"), told.get("content")) if isinstance(told, dict) else (None, None)
    if role not in ROLES or not isinstance(content, str):
        raise _refusal(number, f"each message has a role ({', '.join(ROLES)}) and a content that is text")
    return Message(str(role), str(content))


def _object(number: int, line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise _refusal(number, "a line that begins with { is one JSON object")
    return dict(found)


def _refusal(number: int, allowed: str) -> PromptsError:
    return PromptsError(f"line {number} of the prompts: {allowed}")


def judges_foreign(contract: Contract) -> bool:
    """Whether a contract can judge the answer to a prompt that is not its own: a chat, without a nonce."""
    return roleplay.KIND in contract.kinds and contract.name not in _OF_A_NONCE


def foreign_probes(prompts: FilePrompts, answers: int, spoken: str | None) -> tuple[Probe, ...]:
    """So many requests with an operator's prompts in turn; `spoken` is their language, if it is known."""
    return tuple(
        Probe(
            key=f"prompt.{n % len(prompts) + 1}",
            kind=roleplay.KIND,
            messages=prompts.messages[n % len(prompts)],
            language=spoken,
            max_tokens=ANSWER_TOKENS,
        )
        for n in range(answers)
    )


def own_probes(
    contract: Contract, answers: int, languages: Sequence[str], seed: str, retired: frozenset[str]
) -> tuple[Probe, ...]:
    """So many of the contract's own requests, in turn through the languages and each language's prompts.

    Each has a nonce of its own, so that each is cold where it arrives (R2), and knows those of the others.
    Every route is asked the same ones. Empty if the contract asks nothing.
    """
    found = []
    for n in range(answers):
        spoken = languages[n % len(languages)]
        turn = turn_of(contract, seed, n, n // len(languages), spoken)
        found += [p for p in contract.probes(replace(turn, retired=retired)) if p.kind in contract.kinds][:1]
    nonces = frozenset(p.expect.nonce for p in found if p.expect.nonce)
    return tuple(
        replace(p, expect=replace(p.expect, other_nonces=tuple(sorted(nonces - {p.expect.nonce}))))
        for p in found
    )


def turn_of(contract: Contract, seed: str, number: int, index: int, spoken: str) -> Turn:
    """A turn of no route in particular, so that every route is asked the same; the contract is owed."""
    return Turn(f"{seed}#{number}", index, "", spoken, owed=frozenset({contract.name}))


def asks_route(contract: Contract, offer: Offer) -> bool:
    """Whether the contract asks such a route at all: some ask for what a route must claim."""
    turn = turn_of(contract, "?", 0, 0, "en")
    return bool(contract.probes(replace(turn, claims=offer.claims or None)))


def price_of(probe: Probe) -> Cost:
    """What a request takes, in tokens; one in an unknown language by its characters."""
    if probe.language is not None and not probe.key.startswith("prompt."):
        return cost(probe)
    length = sum(len(m.content) for m in probe.messages)
    cap = probe.max_tokens or ANSWER_TOKENS
    typical = min(cap, language("en").answer_tokens)
    return Cost(round(length * _PER_CHARACTER), typical, cap)
