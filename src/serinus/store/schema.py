"""The schema's versions: which one stands in a database, and the way up to the newest."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, column, inspect, select, table, update

import serinus
from serinus.service.store_errors import StoreDamagedError, StoreVersionError
from serinus.store.tables import ENTRY, META

_VERSION: Final = table("alembic_version", column("version_num"))
_OURS: Final = frozenset({"alembic_version", META.name, ENTRY.name})


class Standing(StrEnum):
    """How what stands in a database compares with this release."""

    BLANK = "blank"
    OLDER = "older"
    CURRENT = "current"


@dataclass(frozen=True, slots=True)
class Schema:
    """Migrations: where they are, and their revisions from the first to the newest."""

    location: Path
    revisions: tuple[str, ...]

    @property
    def newest(self) -> str:
        """The revision that this release reads and writes."""
        return self.revisions[-1]

    def standing(self, c: Connection, where: str) -> Standing:
        """What stands in the database.

        Raises:
            StoreDamagedError: tables of something else.
            StoreVersionError: tables of a newer release.
        """
        names = set(inspect(c).get_table_names())
        if not names:
            return Standing.BLANK
        if not names >= _OURS:
            some = ", ".join(sorted(names)[:5])
            message = f"The database {where} is no store of serinus: it holds {some}. Name another place."
            raise StoreDamagedError(message)
        revision = c.execute(select(_VERSION.c.version_num)).scalar_one()
        if revision == self.newest:
            return Standing.CURRENT
        if revision in self.revisions:
            return Standing.OLDER
        raise StoreVersionError(self._newer(c, where, revision))

    def upgrade(self, c: Connection) -> None:
        """Run the migrations that are missing, inside the transaction that `c` is in."""
        # Imported here: 0.3 s that only an outdated or new store has to wait for.
        from alembic import command  # noqa: PLC0415  see above
        from alembic.config import Config  # noqa: PLC0415  see above

        config = Config()
        config.set_main_option("script_location", str(self.location).replace("%", "%%"))
        config.attributes["connection"] = c
        command.upgrade(config, self.newest)
        c.execute(update(META).values(written_by=serinus.__version__))

    def _newer(self, c: Connection, where: str, revision: str) -> str:
        by = c.execute(select(META.c.written_by)).scalar()
        return (
            f"The store {where} was written by serinus {by} (schema {revision}); this is serinus "
            f"{serinus.__version__}, which knows schemas up to {self.newest}. Nothing was changed. "
            "Start the newer release, or put back the backup that it made beside the store."
        )


SCHEMA: Final = Schema(Path(__file__).parent / "migrations", ("0001", "0002"))
