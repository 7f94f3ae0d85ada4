"""Migrations of the store, run by Alembic; each is a file in `versions`, never changed once released."""
