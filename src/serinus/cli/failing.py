"""How a command ends when it cannot do its work: a sentence on standard error, never a traceback."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

from serinus.config.problems import ConfigError
from serinus.service.storage import LogMovedError, StoreError

CANNOT_START: Final = 2
INTERRUPTED: Final = 130  # as a shell says of SIGINT


def told(work: Callable[[], int]) -> int:
    """The work's exit status, or 2 with the reason told: a wrong setting, an unusable store."""
    try:
        return work()
    except ConfigError as error:
        sys.stderr.write("".join(f"{problem.line()}\n" for problem in error.problems))
    except (StoreError, LogMovedError, LookupError) as error:
        sys.stderr.write(f"{error.args[0] if error.args else error}\n")
    except KeyboardInterrupt:
        return INTERRUPTED
    return CANNOT_START
