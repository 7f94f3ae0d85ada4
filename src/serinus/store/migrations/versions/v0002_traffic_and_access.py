"""What traffic, reports, comparisons and operators leave behind."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the tables."""
    op.add_column("notice", sa.Column("severity", sa.Text()))
    op.add_column("notice", sa.Column("facts", sa.Text()))
    op.add_column("round", sa.Column("probes", sa.Integer(), nullable=False, server_default="0"))
    _glances()
    _traffic()
    _reports()
    _access()


def _glances() -> None:
    op.create_table(
        "glance",
        sa.Column("id", SERIAL, autoincrement=False, nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["id"], ["round.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("entry_kind", "entry", ["kind", "seq"])
    op.create_index("glance_at", "glance", ["at"])
    op.create_index("glance_model_at", "glance", ["model", "at"])


def _traffic() -> None:
    op.create_table(
        "served",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("tag", sa.Text()),
        sa.Column("provider", sa.Text()),
        sa.Column("generation", sa.Text()),
        sa.Column("conversation", sa.Text()),
        sa.Column("status", sa.Integer()),
        sa.Column("first_token", sa.Float()),
        sa.Column("total", sa.Float()),
        sa.Column("finish", sa.Text()),
        sa.Column("end", sa.Text(), nullable=False),
        sa.Column("sent", sa.BigInteger(), nullable=False),
        sa.Column("received", sa.BigInteger(), nullable=False),
        sa.Column("prompt_tokens", sa.BigInteger()),
        sa.Column("completion_tokens", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("served_model_at", "served", ["model", "at"])
    op.create_index("served_at", "served", ["at"])
    op.create_index("served_generation", "served", ["generation"])
    op.create_index("served_conversation", "served", ["conversation"])


def _reports() -> None:
    op.create_table(
        "report",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("generation", sa.Text()),
        sa.Column("contract", sa.Text()),
        sa.Column("comparison", sa.Text()),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("report_model_at", "report", ["model", "at"])
    op.create_table(
        "comparison",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("cost", sa.Float(), nullable=False),
        sa.Column("touched_at", sa.BigInteger(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_index("comparison_model_at", "comparison", ["model", "at"])


def _access() -> None:
    op.create_table(
        "operator",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("password", sa.Text()),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("ended_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("name"),
    )

    op.create_table(
        "token",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("operator", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger()),
        sa.Column("ended_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(["operator"], ["operator.name"]),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.create_index("token_operator", "token", ["operator"])
    op.create_table(
        "session",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("operator", sa.Text(), nullable=False),
        sa.Column("csrf", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["operator"], ["operator.name"]),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.create_index("session_until", "session", ["until"])
    op.create_table(
        "audit",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("operator", sa.Text(), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("audit_at", "audit", ["at"])
