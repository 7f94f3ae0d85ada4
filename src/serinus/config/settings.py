"""Every setting: its kind, its default, and one sentence that says what it is for.

The sentences under the fields are the reference (`docs/reference/configuration.md`) and the starter file.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from serinus.config.kinds import (
    Allowed,
    AtLeastTwo,
    ContractModes,
    ContractNames,
    Count,
    Duration,
    FilePath,
    LanguageCodes,
    Mode,
    ModelId,
    Money,
    Rate,
    Span,
    Spans,
    Switch,
    Tags,
    Text,
    Url,
)
from serinus.config.metrics import Metrics
from serinus.config.notifying import Heartbeat, Notify
from serinus.config.proxying import Proxy
from serinus.config.replica import Replica
from serinus.config.section import Section
from serinus.config.serving import Serve
from serinus.core import model as core
from serinus.core import policy as rules
from serinus.core.two_rounds import TwoRounds
from serinus.probes.languages import LANGUAGES
from serinus.service.policy_file import OF_EVIDENCE

BY: Final = "configuration"  # who an act is by that the configuration says


class Gateway(Section):
    """The service that offers one model from many providers under one API."""

    name: Annotated[
        Literal["openrouter", "litellm", "openai_compatible"],
        Allowed("openrouter, litellm or openai_compatible"),
    ] = "openrouter"
    """Which gateway's wire format is spoken.

    `litellm` is a LiteLLM proxy, `openai_compatible` your own servers, each in a `[[replica]]` table.
    """
    base_url: Url = "https://openrouter.ai/api/v1"
    """Where its API answers; a LiteLLM proxy's own address. Your own servers each have theirs."""
    api_key_file: Annotated[
        FilePath | None,
        Field(examples=["/run/secrets/openrouter-key"]),
        Allowed("the path of a file that holds the key and nothing else"),
    ] = None
    """The file that holds the key; without it the environment variable OPENROUTER_API_KEY does.

    For `litellm` that is LITELLM_API_KEY. The key itself is never written here.
    """
    user: Text = "serinus"
    """The user name that each probe carries.

    A provider's block after a filtering probe meets this name and not the whole account.
    """


class Limits(Section):
    """How long a host may take (R5, R6)."""

    first_text: Span = timedelta(seconds=10)
    """From the request written to the first visible text."""
    first_sign: Span = timedelta(seconds=10)
    """The same to the first sign of life, for a model that cannot switch its reasoning off."""
    first_text_reasoning: Span = timedelta(seconds=60)
    """The same to the first visible text, for such a model."""
    hard: Span = timedelta(seconds=60)
    """How long a probe waits at most, to learn how late a late answer was."""
    stall: Span = timedelta(seconds=15)
    """The longest pause after the first text."""

    def value(self) -> core.Limits:
        """These limits as the judges take them, in seconds."""
        return core.Limits(**{name: getattr(self, name).total_seconds() for name in type(self).model_fields})


class Model(Section):
    """A model whose routes are probed. One `[[model]]` table each."""

    id: Annotated[ModelId, Field(examples=["deepseek/deepseek-v3.2"])]
    """The gateway's name of the model."""
    languages: LanguageCodes = tuple(LANGUAGES)
    """The languages that its probes rotate through, round by round (R10)."""
    contracts: ContractNames = ()
    """The contracts to ask; empty for all (R30)."""
    mode: Annotated[
        Mode | None, Field(examples=["enforce"]), Allowed("observe or enforce; absent for policy.mode")
    ] = None
    """Whether its suspensions reach routing; absent for `policy.mode` (R17)."""
    modes: ContractModes = {}  # noqa: RUF012  pydantic copies it, and the table is frozen
    """The mode of single contracts, where it differs from the model's, such as { language = "enforce" }."""
    controls: Tags = ()
    """Hosts known to filter, probed only to prove that the filtering probe still detects filtering (R8)."""
    reasoning: Annotated[Literal["off", "default"], Allowed("off or default")] = "off"
    """Whether probes ask the model to switch its reasoning off, or leave it as the host has it."""
    limits: Limits = Limits()
    """How long its hosts may take, where it differs from `[limits]`."""


class Rounds(Section):
    """When rounds are held, and how fast they ask."""

    interval: Span = timedelta(minutes=30)
    """The time between two rounds of a model (R1)."""
    jitter: Duration = timedelta(minutes=1)
    """How much later than planned a round may start, so that models and machines do not all ask at once."""
    concurrency: Count = 20
    """How many probes are in flight at once."""
    per_provider: Count = 2
    """How many of them at one provider."""
    starts_per_second: Rate = 20.0
    """How many probes start in a second: a burst would spoil the time to first token."""
    set: Annotated[Literal["standard", "lean"], Allowed("standard or lean")] = "standard"
    """How much is asked in a round; `lean` asks less often, never shorter."""


class Policy(Section):
    """When a route is suspended and restored (R16 to R21, `formats.md` §2)."""

    mode: Mode = "observe"
    """Whether suspensions reach routing; in observe mode all is recorded and told and nothing is enforced."""
    consecutive_failures: AtLeastTwo = 2
    """Rounds in a row that one contract must fail before its route is suspended."""
    consecutive_clean: Count = 2
    """Completely clean rounds in a row that restore a suspended route early."""
    suspensions: Spans = (timedelta(days=1), timedelta(days=3), timedelta(days=7))
    """How long the first, the second and each further suspension lasts; the last length repeats."""
    forget_after: Span = timedelta(days=14)
    """How long after the start of the latest suspension the next one is a first one again."""
    floor: Count = 2
    """The production providers that a suspension must leave to its model."""
    streak_max_age: Span = timedelta(hours=6)
    """A streak whose latest failure is older than this starts again; at least 2.5 times `rounds.interval`."""
    min_gap: Duration = timedelta(minutes=15)
    """A round sooner than this after the latest counted one does not count; at most `rounds.interval` / 2."""
    capacity_max_age: Span = timedelta(hours=1)
    """How long ago a route may have answered and still count as capacity for the floor."""
    void_majority: Switch = True
    """Whether a contract that most providers fail at once is held against the probe, not the hosts (R32)."""

    def value(self) -> rules.Policy:
        """This policy as `decide` takes it."""
        numbers = {name: getattr(self, name) for name in type(self).model_fields}
        evidence = {name: numbers.pop(name) for name in OF_EVIDENCE}
        mode = rules.Mode(numbers.pop("mode"))
        return rules.Policy(**numbers, mode=mode, rule=TwoRounds(**evidence))


class Budget(Section):
    """Money (R34)."""

    usd_per_day: Money = 1.0
    """What probes may cost in a day; at the budget probing stops and tells, and nothing is suspended."""


class Exclusions(Section):
    """The built-in exclusions: reviewed, in version control (R22)."""

    file: Annotated[
        FilePath | None,
        Field(examples=["exclusions.toml"]),
        Allowed("the path of a TOML file with [[exclusion]] tables"),
    ] = None
    """The file that holds them; absent for `exclusions.toml` beside this file, if there is one."""


class Store(Section):
    """What is remembered between rounds."""

    path: FilePath = Path("serinus.sqlite")
    """The SQLite file."""


def _named(value: Any) -> Any:
    """A model that is only named is a table with its id: `SERINUS_MODEL=author/a,author/b`."""
    return {"id": value} if isinstance(value, str) else value


class Settings(BaseSettings):
    """The whole configuration, immutable. Made by `serinus.config.load`, which reads file and environment."""

    model_config = SettingsConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
        env_prefix="SERINUS_",
        env_nested_delimiter="_",
        env_nested_max_split=1,
    )

    gateway: Gateway = Gateway()
    replica: Annotated[tuple[Replica, ...], Allowed("[[replica]] tables")] = ()
    model: Annotated[
        tuple[Annotated[Model, BeforeValidator(_named)], ...],
        Field(min_length=1),
        Allowed("one [[model]] table or more"),
    ]
    limits: Limits = Limits()
    rounds: Rounds = Rounds()
    policy: Policy = Policy()
    budget: Budget = Budget()
    exclusions: Exclusions = Exclusions()
    store: Store = Store()
    serve: Serve = Serve()
    notify: Annotated[tuple[Notify, ...], Allowed("[[notify]] tables")] = ()
    heartbeat: Heartbeat = Heartbeat()
    metrics: Metrics = Metrics()
    proxy: Proxy = Proxy()

    @classmethod
    def settings_customise_sources(  # noqa: D102  the docstring and the five are the library's
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        del settings_cls, env_settings, dotenv_settings, file_secret_settings
        return (init_settings,)  # nothing is read behind the caller's back; sources.py reads

    def common(self) -> Settings:
        """These settings with `[limits]` in every model that does not say otherwise."""
        models = [
            m.model_copy(
                update={"limits": self.limits.model_copy(update=m.limits.model_dump(exclude_unset=True))}
            )
            for m in self.model
        ]
        return self.model_copy(update={"model": tuple(models)})

    def limits_of(self, model: str | None) -> core.Limits:
        """The limits for a model; those of `[limits]` for one that is not configured."""
        return next((m.limits for m in self.model if m.id == model), self.limits).value()

    def modes(self, at: datetime) -> Iterator[rules.SetMode]:
        """What the configuration says of modes, as events: the policy's, then each model's, then contracts'.

        A later one replaces an earlier one inside its scope (`formats.md` §2 rule 5).
        """
        yield rules.SetMode(at, rules.Mode(self.policy.mode), by=BY)
        for model in self.model:
            if model.mode:
                yield rules.SetMode(at, rules.Mode(model.mode), model.id, by=BY)
            for contract, mode in model.modes.items():
                yield rules.SetMode(at, rules.Mode(mode), model.id, contract, by=BY)
