"""Isolate and reproduce (R27): what counts of the same prompts on several routes of one model say."""
