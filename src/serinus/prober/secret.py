"""An API key that is never printed."""

from __future__ import annotations

from typing import NoReturn, Protocol

REDACTED = "[key]"
SHORTEST = 4  # a shorter "key" is in every other word, and taking it out would spoil the evidence


class Key(Protocol):
    """What holds an API key; pydantic's `SecretStr` is one."""

    def get_secret_value(self) -> str:
        """The key itself."""
        ...


class Secret:
    """A key that shows only that it is there."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def get_secret_value(self) -> str:
        """The key itself, for the one header that needs it."""
        return self._value

    def __repr__(self) -> str:
        return f"Secret({REDACTED})"

    def __reduce__(self) -> NoReturn:
        message = "a key is not written anywhere"
        raise TypeError(message)


def redacted(text: str, key: Key | None) -> str:
    """The text without the key, should a peer have echoed it."""
    value = key.get_secret_value() if key else ""
    return text.replace(value, REDACTED) if len(value) >= SHORTEST else text
