"""Durable memory behind the storage port: tables, migrations, queries (SQLAlchemy Core)."""
