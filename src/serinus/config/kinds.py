"""Kinds of values that settings take, each with the phrase that says what is allowed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field

from serinus.contracts import contract_names
from serinus.core import durations
from serinus.probes.languages import available
from serinus.service.notice_kinds import KINDS
from serinus.service.policy_file import LONGEST


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a setting may be, as one phrase: for its documentation and for errors alike."""

    phrase: str


def _duration(value: Any) -> Any:
    if isinstance(value, timedelta):
        return value
    if not isinstance(value, str):
        message = "not a text"
        raise ValueError(message)  # noqa: TRY004  a TypeError would pass through pydantic
    duration = durations.parse_duration(value)
    if duration > LONGEST:
        message = "too long"
        raise ValueError(message)
    return duration


def _some_time(value: timedelta) -> timedelta:
    if value <= timedelta(0):
        message = "not more than nothing"
        raise ValueError(message)
    return value


def number(value: Any) -> Any:
    """Refuse what Python counts as a number and nobody means: `true`, `nan`, `inf`."""
    if isinstance(value, bool) or (isinstance(value, str | float) and not math.isfinite(float(value))):
        message = "not a number"
        raise ValueError(message)
    return value


def _contract(name: str) -> str:
    if name not in contract_names():
        message = "no such contract"
        raise ValueError(message)
    return name


def _language(code: str) -> str:
    if code not in available():
        message = "no prompts for it"
        raise ValueError(message)
    return code


def _http(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
        message = "no such URL"
        raise ValueError(message)
    return url.rstrip("/")


def _notice_kind(word: str) -> str:
    if word not in KINDS:
        message = "no such notice"
        raise ValueError(message)
    return word


def _path(path: Path) -> Path:
    if "\0" in str(path):
        message = "no path"
        raise ValueError(message)
    return path


_known_contracts = ", ".join(contract_names())

Duration = Annotated[timedelta, BeforeValidator(_duration), Allowed(durations.ALLOWED)]
Span = Annotated[
    timedelta,
    BeforeValidator(_duration),
    AfterValidator(_some_time),
    Allowed(f"{durations.ALLOWED}, more than 0"),
]
Spans = Annotated[
    tuple[Span, ...],
    Field(min_length=1),
    Allowed('one duration or more, such as ["1d", "3d", "7d"], each more than 0'),
]
Count = Annotated[
    int, BeforeValidator(number), Field(ge=1, le=1000), Allowed("a whole number from 1 to 1000")
]
Port = Annotated[
    int,
    BeforeValidator(number),
    Field(ge=0, le=65535),
    Allowed("a whole number from 0 to 65535; 0 for any that is free"),
]
AtLeastTwo = Annotated[
    int,
    BeforeValidator(number),
    Field(ge=2, le=1000),
    Allowed("a whole number from 2 to 1000: one bad round is never enough"),
]
Rate = Annotated[
    float, BeforeValidator(number), Field(gt=0, le=10_000), Allowed("a number above 0, at most 10000")
]
Money = Annotated[
    float, BeforeValidator(number), Field(ge=0, le=1_000_000), Allowed("a number from 0 to 1000000")
]
Switch = Annotated[bool, Allowed("true or false")]
Text = Annotated[str, Field(min_length=1, max_length=256), Allowed("a text of 1 to 256 characters")]
FilePath = Annotated[Path, AfterValidator(_path), Allowed("the path of a file")]
Url = Annotated[str, AfterValidator(_http), Allowed("an http:// or https:// URL without query")]
ModelId = Annotated[
    str,
    Field(pattern=r"^[^\s/\p{C}]+(/[^\s\p{C}]+)?$", max_length=256),
    Allowed("the gateway's name of the model, author/name, such as deepseek/deepseek-v3.2"),
]
Mode = Annotated[Literal["observe", "enforce"], Allowed("observe or enforce")]
ContractName = Annotated[str, AfterValidator(_contract)]
ContractNames = Annotated[
    tuple[ContractName, ...], Allowed(f"a list of contracts: {_known_contracts}; empty for all")
]
ContractModes = Annotated[
    dict[ContractName, Literal["observe", "enforce"]],
    Allowed(f"a table from contract to observe or enforce; contracts: {_known_contracts}"),
]
LanguageCode = Annotated[str, AfterValidator(_language)]
LanguageCodes = Annotated[
    tuple[LanguageCode, ...],
    Field(min_length=1),
    Allowed(f"a list of one language or more of: {', '.join(available())}"),
]
ChannelName = Annotated[
    str,
    Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$"),
    Allowed("a short name of a-z, 0-9, - and _, such as ops-slack"),
]
SeverityWord = Annotated[Literal["info", "warning", "critical"], Allowed("info, warning or critical")]
VariableName = Annotated[
    Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,127}$")] | None,
    Allowed("the name of an environment variable"),
]
NoticeKinds = Annotated[
    tuple[Annotated[str, AfterValidator(_notice_kind)], ...],
    Allowed(f"a list of notices: {', '.join(KINDS)}; empty for all"),
]
Tag = Annotated[str, Field(pattern=r"^[^\s/]+(/[^\s]+)?$", max_length=256)]
Tags = Annotated[
    tuple[Tag, ...], Allowed('a list of the gateway\'s tags of endpoints, such as ["openai", "azure/eu"]')
]
