"""Typed settings: one TOML file, every key also an environment variable."""
