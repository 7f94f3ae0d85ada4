"""What is ours: the store, the disk, the channels, the languages and contracts that are asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from serinus.core.explain.phrases import counted
from serinus.probes.languages import available, language
from serinus.service.doctor.diagnosis import Diagnosis, fine, note, problem
from serinus.service.planning import ModelPlan
from serinus.service.storage import Store
from serinus.service.store_errors import StoreError, StoreMissingError

PROMPTS: Final = 3  # an anomaly asks twice more, each time with another prompt (R13)
SCARCE: Final = 1_000_000_000  # bytes
FULL: Final = 100_000_000
SILENT: Final = 2  # intervals without a round, after which a canary that should run does not


def check_no_store(where: Path, error: StoreError) -> Diagnosis:
    """Why the store cannot be used; that there is none yet is no problem."""
    if isinstance(error, StoreMissingError):
        return note(
            "store", f"There is no store at {where}: no round was ever held.", "`serinus run` makes it"
        )
    return problem("store", str(error), "do what the message says; nothing is suspended or asked meanwhile")


def check_store(store: Store) -> Iterator[Diagnosis]:
    """Whether the store is whole, and who holds rounds on it.

    Raises:
        StoreError: it cannot be read.
    """
    faults = store.check()
    for fault in faults:
        yield problem("store", fault, "stop the canary, keep the file for inspection, and put back a backup")
    if not faults:
        yield fine("store", "The store can be read and is whole.")
    holder = store.holder()
    if holder is None:
        yield note("store", "No process holds rounds on the store now.", "`serinus run` does")
    else:
        yield fine("store", f"Rounds are held by {holder}.")


def check_rounds(
    store: Store, models: Sequence[str], interval: timedelta, now: datetime
) -> Iterator[Diagnosis]:
    """Whether a canary that holds the store's place holds rounds as well."""
    if store.holder() is None:
        return
    for model in models:
        last = store.last_round(model)
        if last is not None and now - last.at > SILENT * interval:
            found = (
                f"The last round was planned for {last.at:%Y-%m-%d %H:%M} UTC, and a process has the place."
            )
            yield problem("rounds", found, "look at what that process prints", model=model)


def check_disk(free: int | None, where: Path) -> Iterator[Diagnosis]:
    """Whether there is room for the store to grow; bytes, None where it is not known."""
    if free is None:
        return
    found = f"{free / SCARCE:.1f} GB are free where {where.name} is."
    if free < FULL:
        yield problem("disk", found, "free some space: a store that cannot be written stops probing")
    elif free < SCARCE:
        yield note("disk", found, "free some space before it is full")
    else:
        yield fine("disk", found)


@dataclass(frozen=True, slots=True)
class Channels:
    """The configured channels: `names` of all, `unusable` with why, `unset` as told by the configuration.

    `heartbeat` says whether one is configured; `disabled` are those that failed for good.
    """

    names: Sequence[str] = ()
    unusable: Mapping[str, str] = field(default_factory=dict)
    unset: Sequence[str] = ()
    disabled: Mapping[str, str] = field(default_factory=dict)
    heartbeat: bool = False


def check_channels(channels: Channels) -> Iterator[Diagnosis]:
    """Whether operators would be told."""
    for said in channels.unset:
        yield problem("channels", said, "`serinus run` does not start until it is set")
    for name, why in channels.unusable.items():
        yield problem("channels", f"Channel {name}: {why}.", "correct its URL, then `serinus notify test`")
    for name, why in channels.disabled.items():
        if name in channels.names:
            enable = f"put it right, then `serinus notify enable {name}`"
            yield problem("channels", f"Channel {name} is disabled: {why}.", enable)
    well = [n for n in channels.names if n not in {*channels.unusable, *channels.disabled}]
    if not channels.names:
        remedy = "add a [[notify]] table, as docs/howto/notifications.md shows"
        yield note("channels", "No channel is configured: nobody is told of a suspension.", remedy)
    elif well and not channels.unset:
        yield fine("channels", f"{counted(len(well), 'channel')}: {', '.join(well)}.")


def check_heartbeat(channels: Channels) -> Diagnosis:
    """Whether somebody would notice our silence."""
    if channels.heartbeat:
        return fine("heartbeat", "A watching service is called after each round.")
    found = "No heartbeat is configured: nobody would notice that the canary is down."
    return note("heartbeat", found, "set [heartbeat] to an address of a watching service")


def check_languages(plan: ModelPlan) -> Iterator[Diagnosis]:
    """Whether there are prompts enough in each language of a model (R10, R13)."""
    without = [code for code in plan.languages if code not in available()]
    if without:
        known = ", ".join(available())
        found = f"There are no prompts in {', '.join(without)}."
        yield problem("languages", found, f"take them out; there are prompts in {known}", model=plan.model)
    few = [c for c in plan.languages if c not in without and len(language(c).scenes) < PROMPTS]
    if few:
        found = f"There are fewer than {PROMPTS} prompts in {', '.join(few)}: votes would repeat a prompt."
        yield note("languages", found, "take another language until there are more", model=plan.model)
    if not without and not few:
        yield fine("languages", f"{counted(len(plan.languages), 'language')} with prompts.", model=plan.model)


def check_contracts(plan: ModelPlan, known: Sequence[str]) -> Diagnosis:
    """Which contracts are asked of a model."""
    asked = {c.name for c in plan.contracts}
    off = [name for name in known if name not in asked]
    if not off:
        return fine("contracts", f"All {len(known)} contracts are asked.", model=plan.model)
    found = f"{len(asked)} of {len(known)} contracts are asked; not asked: {', '.join(off)}."
    return note("contracts", found, "leave `contracts` out of the model's table to ask all", model=plan.model)
