"""Reports over the configured gateway: whose records it asks, and by which clock times are read."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, tzinfo
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from serinus.bootstrap.gateways import open_clinic
from serinus.config import Settings
from serinus.core.instants import parse_instant
from serinus.prober.secret import Key
from serinus.service.doctor import Records
from serinus.service.doctor.served import Record
from serinus.service.reporting import BadReportError, Lookup, Trace, nowhere
from serinus.wire.json_text import as_text

OK: Final = 200
LOCALTIME: Final = Path("/etc/localtime")


@asynccontextmanager
async def open_lookup(settings: Settings, key: Key | None) -> AsyncIterator[Lookup]:
    """Who is asked for a generation's record: a gateway that keeps them, or nobody without a key."""
    if key is None:
        yield nowhere
        return
    async with open_clinic(settings, key) as clinic:
        yield nowhere if clinic.records is None else lookup_of(clinic.records)


def lookup_of(gateway: Records) -> Lookup:
    """Looks a generation up in a gateway's records; of a record only who served, and when, is kept."""

    async def lookup(identity: str) -> Trace | None:
        found = await gateway.generation(identity)
        return None if found is None else _trace(found)

    return lookup


def _trace(found: Record) -> Trace:
    served = [a for a in found.attempts if a[2] in (None, OK)] or list(found.attempts)
    provider, endpoint, _ = served[-1] if served else (None, None, None)
    created = as_text(found.raw.get("created_at"))
    try:
        at = parse_instant(created) if created else None
    except ValueError:
        at = None
    return Trace(as_text(found.raw.get("model")), found.provider or provider, endpoint, at)


def zone_of(name: str | None, environ: Mapping[str, str]) -> tzinfo:
    """The zone of that name, or the machine's own; UTC where it has none.

    Raises:
        BadReportError: there is no zone of that name here.
    """
    if name is None:
        return _local(environ)
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        message = f"found the time zone {name[:60]!r}; allowed is a name such as Europe/Rome or Asia/Tokyo"
        raise BadReportError(message) from None


def _local(environ: Mapping[str, str]) -> tzinfo:
    """As the variable TZ says, else as the machine is set."""
    place = LOCALTIME.resolve()
    named = environ.get("TZ", "").lstrip(":") or str(place).partition("zoneinfo/")[2]
    try:
        return ZoneInfo(named) if named else _unnamed(place)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def _unnamed(file: Path) -> tzinfo:
    with file.open("rb") as data:
        return ZoneInfo.from_file(data, key="this machine")
