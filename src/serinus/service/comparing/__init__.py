"""Isolate and reproduce (R27): the same prompts to one route and its peers, counted and told.

`plan` says what will be asked and what it costs, `compare` asks and concludes, `pack` is what a provider
is sent. Everything they need of the world is passed in (`Hands` in `request.py`).
"""
