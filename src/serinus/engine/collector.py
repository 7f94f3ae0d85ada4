"""The garbage collector, which stops every thread while it looks through what a program consists of."""

from __future__ import annotations

import gc


def settled() -> None:
    """Take what a program consists of out of the collector's sight, once it has been built.

    With the web loaded a full collection took 80 to 120 ms each few hundred requests; of what comes later it
    takes 2 ms (`bench/api_lag.py`). In the proxy a tenth of all CPU went into looking there.
    """
    gc.collect()
    gc.freeze()
