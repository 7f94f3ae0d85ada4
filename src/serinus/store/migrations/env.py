"""Alembic's own entry: runs the migrations on the connection, and in the transaction, it is given."""

from __future__ import annotations

from alembic import context

from serinus.store.tables import METADATA

# Transactional although it is SQLite: our connections begin their transactions by themselves.
context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
