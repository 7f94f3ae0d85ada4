"""Who runs a round, and when."""
