"""Who runs a round, and when; and what a process of ours runs on."""
