"""The one place where adapters are chosen."""
