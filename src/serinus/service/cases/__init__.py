"""Recorded answers judged offline: case lines in, judgements out (`formats.md` §1)."""
