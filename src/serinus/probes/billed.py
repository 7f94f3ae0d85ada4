"""Every probe asks for its bill, so that one that does not come is a finding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

# Gateways that bill unasked take no notice; engines behind others send usage only so.
BILLED: Final[Mapping[str, Any]] = {"stream_options": {"include_usage": True}}
