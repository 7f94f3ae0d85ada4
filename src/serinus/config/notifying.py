"""`[[notify]]` and `[heartbeat]`: who is told, and who notices that nobody tells any more."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from serinus.config.kinds import (
    Allowed,
    ChannelName,
    FilePath,
    ModelId,
    NoticeKinds,
    SeverityWord,
    VariableName,
)
from serinus.config.section import Section


class Notify(Section):
    """A channel by which operators are told. One `[[notify]]` table each; without any, nobody is told."""

    name: Annotated[ChannelName, Field(examples=["ops"])]
    """What the channel is called in commands and messages."""
    kind: Annotated[Literal["apprise", "webhook"], Field(examples=["apprise"]), Allowed("apprise or webhook")]
    """`apprise` for mail, Slack, Telegram and others by an Apprise URL; `webhook` for a signed POST."""
    url_env: Annotated[VariableName, Field(examples=["OPS_SLACK_URL"])] = None
    """The environment variable that holds its URL, which is a secret and never written here."""
    url_file: Annotated[
        FilePath | None,
        Field(examples=["/run/secrets/ops-slack"]),
        Allowed("the path of a file that holds the URL and nothing else"),
    ] = None
    """The file that holds its URL, in place of a variable."""
    secret_env: Annotated[VariableName, Field(examples=["OPS_HOOK_SECRET"])] = None
    """The environment variable that holds the secret a webhook is signed with."""
    secret_file: Annotated[
        FilePath | None,
        Field(examples=["/run/secrets/ops-hook"]),
        Allowed("the path of a file that holds the secret and nothing else"),
    ] = None
    """The file that holds that secret, in place of a variable."""
    kinds: NoticeKinds = ()
    """The notices that it is sent; empty for all."""
    severity: SeverityWord = "info"
    """How grave a notice must be to be sent to it; the end of what it was told is sent too."""
    models: Annotated[tuple[ModelId, ...], Allowed("a list of configured models; empty for all")] = ()
    """The models whose notices it is sent; empty for all. What concerns no model is always sent."""


class Heartbeat(Section):
    """A dead man's switch: an address of a watching service, called after each round that was written."""

    url_env: Annotated[VariableName, Field(examples=["HEARTBEAT_URL"])] = None
    """The environment variable that holds the address; absent for none."""
    url_file: Annotated[
        FilePath | None,
        Field(examples=["/run/secrets/heartbeat"]),
        Allowed("the path of a file that holds the address and nothing else"),
    ] = None
    """The file that holds it, in place of a variable."""
