"""What holds for every test."""

from hypothesis import settings

# The same examples on every machine, and no clock in the verdict: a busy machine is not a bug.
settings.register_profile("house", deadline=None, derandomize=True)
settings.load_profile("house")
