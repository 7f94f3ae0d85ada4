"""Use cases: they speak to the world only through `ports.py`."""
