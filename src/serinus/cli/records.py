"""Objects printed one a line, for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any


def put(record: Mapping[str, Any]) -> None:
    """Print one object on a line of its own, keys sorted, in UTF-8 whatever the locale says."""
    line = json.dumps(record, sort_keys=True, ensure_ascii=False)
    sys.stdout.flush()
    sys.stdout.buffer.write(f"{line}\n".encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()
