"""serinus: a canary for language models that are served by several providers."""

__version__ = "0.1.0"
