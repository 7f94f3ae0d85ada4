"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make all tables, and the one row that the log's end stands in."""
    _log()
    _rounds()
    _found()
    _standing()
    _notices()


def _log() -> None:
    meta = op.create_table(
        "meta",
        sa.Column("one", sa.SmallInteger(), nullable=False),
        sa.Column("last_seq", sa.BigInteger(), nullable=False),
        sa.Column("written_by", sa.Text(), nullable=False),
        sa.CheckConstraint("one = 1", name="meta_one"),
        sa.PrimaryKeyConstraint("one"),
    )
    op.bulk_insert(meta, [{"one": 1, "last_seq": 0, "written_by": ""}])
    op.create_table(
        "entry",
        sa.Column("seq", SERIAL, autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("model", sa.Text()),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("version", sa.SmallInteger(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("seq"),
    )
    op.create_table(
        "mark",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("seq", SERIAL, nullable=False),
        sa.Column("right", sa.Boolean()),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["seq"], ["entry.seq"]),
        sa.PrimaryKeyConstraint("id"),
    )


def _rounds() -> None:
    op.create_table(
        "round",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("closed_at", sa.BigInteger()),
        sa.Column("routes", sa.Integer(), nullable=False),
        sa.Column("cost", sa.Float(), nullable=False),
        sa.Column("tokens", sa.BigInteger(), nullable=False),
        sa.Column("trouble", sa.Text()),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_index("round_model_at", "round", ["model", "at"])
    op.create_index("round_model_number", "round", ["model", "number"], unique=True)
    op.create_index("round_at", "round", ["at"])
    op.create_index("round_state", "round", ["state"])


def _found() -> None:
    op.create_table(
        "finding",
        sa.Column("round_id", SERIAL, nullable=False),
        sa.Column("tag", sa.Text(), nullable=False),
        sa.Column("contract", sa.Text(), nullable=False),
        sa.Column("word", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("evidence", sa.Text()),
        sa.Column("language", sa.Text()),
        sa.Column("first_text", sa.Float()),
        sa.ForeignKeyConstraint(["round_id"], ["round.id"]),
        sa.PrimaryKeyConstraint("round_id", "tag", "contract"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "transcript",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("round_id", SERIAL, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("tag", sa.Text(), nullable=False),
        sa.Column("probe", sa.Text(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("anomaly", sa.Boolean(), nullable=False),
        sa.Column("document", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["round_id"], ["round.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("transcript_route", "transcript", ["model", "tag", "at"])
    op.create_index("transcript_at", "transcript", ["at"])
    op.create_table(
        "rollup_day",
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("tag", sa.Text(), nullable=False),
        sa.Column("contract", sa.Text(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("first_text", sa.Text()),
        sa.PrimaryKeyConstraint("model", "day", "tag", "contract"),
        sqlite_with_rowid=False,
    )


def _standing() -> None:
    op.create_table(
        "owed",
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("tag", sa.Text(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("model", "tag"),
    )
    op.create_table(
        "standing",
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("model", "name"),
    )
    op.create_table(
        "spending",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("cost", sa.Float(), nullable=False),
        sa.Column("tokens", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("spending_at", "spending", ["at"])


def _notices() -> None:
    op.create_table(
        "notice",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("model", sa.Text()),
        sa.Column("tag", sa.Text()),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("resolves", sa.Text()),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("notice_key", "notice", ["key"])
    op.create_index("notice_resolves", "notice", ["resolves"])
    op.create_index("notice_at", "notice", ["at"])
    op.create_table(
        "delivery",
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("notice_id", SERIAL, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["notice_id"], ["notice.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("channel", "notice_id"),
    )
    op.create_index("delivery_notice", "delivery", ["notice_id"])
    op.create_table(
        "disabled",
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("channel"),
    )
