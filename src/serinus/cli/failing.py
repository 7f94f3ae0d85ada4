"""How a command ends when it cannot do its work: a sentence on standard error, never a traceback."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

from serinus.cli import INTERRUPTED
from serinus.config.problems import ConfigError
from serinus.service.store_errors import LogMovedError, StoreError

CANNOT_START: Final = 2


def told(work: Callable[[], int]) -> int:
    """The work's exit status, or 2 with the reason told: a wrong setting, an unusable store."""
    try:
        return work()
    except ConfigError as error:
        sys.stderr.write("".join(f"{problem.line()}\n" for problem in error.problems))
    except (StoreError, LogMovedError, LookupError) as error:
        sys.stderr.write(f"{error.args[0] if error.args else error}\n")
    except BrokenPipeError:
        raise  # no failure: whoever reads has seen enough
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        sys.stderr.write(f"{where}{(error.strerror or str(error)).lower()}\n")
    except KeyboardInterrupt:
        return INTERRUPTED
    return CANNOT_START
