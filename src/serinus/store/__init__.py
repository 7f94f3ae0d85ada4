"""Durable memory behind the storage port: tables, migrations, queries (SQLAlchemy Core)."""

from __future__ import annotations

from serinus.store.opening import open_store

__all__ = ["open_store"]
