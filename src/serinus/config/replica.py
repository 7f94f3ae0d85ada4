"""The table of one of your own inference servers."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from serinus.config.kinds import Allowed, FilePath, ModelId, Money, Tag, Text, Url, VariableName
from serinus.config.section import Section


class Replica(Section):
    """One of your own inference servers. One `[[replica]]` table each.

    They are asked where `gateway.name` is `openai_compatible`.
    """

    tag: Annotated[
        Tag, Field(examples=["rack-1/gpu-0"]), Allowed("a name of its own, such as rack-1 or rack-1/gpu-0")
    ]
    """What the route is called, in status, notices and ignore lists."""
    model: Annotated[ModelId, Field(examples=["acme/story-70b"])]
    """Which `[[model]]` it serves."""
    base_url: Annotated[Url, Field(examples=["http://10.0.0.5:8000/v1"])]
    """Where its API answers, with `/v1` where it has that."""
    serves: Annotated[
        Text | None,
        Field(examples=["story-70b-awq"]),
        Allowed("a text of 1 to 256 characters; absent for the model's id"),
    ] = None
    """What the server itself calls the model."""
    provider: Annotated[
        Text | None,
        Field(examples=["rack-1"]),
        Allowed("a text of 1 to 256 characters; absent for the tag up to its first /"),
    ] = None
    """What it shares with others that fail together; the capacity floor counts providers (R18)."""
    api_key_env: Annotated[VariableName, Field(examples=["RACK_1_KEY"])] = None
    """The environment variable that holds its key; absent for a server that wants none."""
    api_key_file: Annotated[
        FilePath | None,
        Field(examples=["/run/secrets/rack-1"]),
        Allowed("the path of a file that holds the key and nothing else"),
    ] = None
    """The file that holds its key, in place of a variable."""
    claims: Annotated[
        tuple[str, ...],
        Field(examples=[("structured_outputs", "tools")]),
        Allowed('a list of request parameters that it supports, such as ["structured_outputs", "tools"]'),
    ] = ()
    """What it is held to: a contract whose parameter is not among them is not asked of it (R9)."""
    precision: Annotated[
        Text | None, Field(examples=["fp8"]), Allowed("a text of 1 to 256 characters, such as fp8")
    ] = None
    """The precision of its weights, which comparisons group by."""
    prompt_price: Money = 0.0
    """US dollars for a million tokens of a prompt."""
    completion_price: Money = 0.0
    """US dollars for a million tokens of an answer."""
    extra_body: Annotated[
        dict[str, Any],
        Field(examples=["{ chat_template_kwargs = { enable_thinking = false } }"]),
        Allowed("a table that goes into each request's body"),
    ] = {}  # noqa: RUF012  pydantic copies it, and the table is frozen
    """What its requests carry beside the probe."""

    @property
    def named_provider(self) -> str:
        """Its provider: as it says, else the part of its tag before the first `/`."""
        return self.provider or self.tag.partition("/")[0]
