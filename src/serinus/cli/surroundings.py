"""What `serinus doctor` knows before it asks the gateway: configuration, store, disk, channels."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from serinus.bootstrap.canary import plans_of
from serinus.bootstrap.operators import channel_of
from serinus.config import Report, Settings
from serinus.config.channels import channels
from serinus.contracts import contracts
from serinus.core.policy import State
from serinus.engine.clock import now
from serinus.notify.apprise_url import AppriseUrl
from serinus.service.doctor import Surroundings
from serinus.service.doctor.home import Channels
from serinus.service.doctor.money import Purse
from serinus.service.doctor.routes import Named
from serinus.service.memory import Memory
from serinus.service.storage import Store
from serinus.service.store_errors import StoreError
from serinus.store import open_store


@contextmanager
def surroundings(report: Report, settings: Settings, environ: Mapping[str, str]) -> Iterator[Surroundings]:
    """Everything that can be known at home; the store is open while it is looked at."""
    store, state, error = _opened(settings.store.path)
    try:
        yield Surroundings(
            plans=plans_of(settings),
            contracts=[c.name for c in contracts()],
            floor=settings.policy.floor,
            interval=settings.rounds.interval,
            purse=_purse(settings, store),
            where=settings.store.path,
            store=store,
            no_store=error,
            state=state,
            named=_named(report, settings),
            reviewed=[entry.event() for entry in report.exclusions],
            free=_free(settings.store.path),
            channels=_channels(report, settings, environ, store),
        )
    finally:
        if store is not None:
            store.close()


def _opened(path: Path) -> tuple[Store | None, State, StoreError | None]:
    """The store and the state of its log, or why there is none."""
    try:
        store = open_store(path, read_only=True)
    except StoreError as error:
        return None, State(), error
    try:
        return store, Memory(store).catch_up(), None
    except StoreError as error:
        store.close()
        return None, State(), error


def _purse(settings: Settings, store: Store | None) -> Purse:
    spent = store.spent(now().date()) if store else 0.0
    chosen = "usd_per_day" in settings.budget.model_fields_set
    return Purse(settings.budget.usd_per_day, chosen, spent)


def _named(report: Report, settings: Settings) -> list[Named]:
    """The names in controls and in the reviewed file."""
    controls = [Named(tag, "a control", model.id) for model in settings.model for tag in model.controls]
    return [*controls, *(Named(e.route, "built-in exclusion", e.model) for e in report.exclusions)]


def _free(path: Path) -> int | None:
    """Bytes that are free where the store is, or will be."""
    try:
        return shutil.disk_usage(path.absolute().parent).free
    except OSError:
        return None


def _channels(
    report: Report, settings: Settings, environ: Mapping[str, str], store: Store | None
) -> Channels:
    found, _ = channels(settings, environ)
    return Channels(
        names=[table.name for table in settings.notify],
        unusable={c.name: "its URL is none that Apprise knows" for c in found if not _usable(channel_of(c))},
        unset=[problem.line() for problem in report.problems],
        disabled=store.disabled_channels() if store else {},
        heartbeat=bool(settings.heartbeat.url_env or settings.heartbeat.url_file),
    )


def _usable(channel: object) -> bool:
    return not isinstance(channel, AppriseUrl) or channel.known()
