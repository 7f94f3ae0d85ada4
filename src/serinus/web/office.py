"""What the web works with: the desk that commands share, who may come in, what changes, how it is reached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, tzinfo

from serinus.service.desk import Desk
from serinus.service.notice_kinds import Wants
from serinus.service.planning import ModelPlan
from serinus.service.reporting import Lookup, nowhere
from serinus.web.gate import Gate
from serinus.web.laboratory import Laboratory
from serinus.web.live import Changes
from serinus.web.site import Site


@dataclass(frozen=True, slots=True)
class Office:
    """Everything that a page or a route of the API may need.

    The desk's clock goes on. `plans` say what is asked of each configured model, `channels` which notices
    each channel is sent; `route_series` is up to how many routes metrics tell of single ones. The
    laboratory holds comparisons, `lookup` asks the gateway who served, `zone` is by whose clock times are
    read that have no offset.
    """

    desk: Desk
    gate: Gate
    changes: Changes
    site: Site
    plans: Mapping[str, ModelPlan] = field(default_factory=dict)
    channels: Mapping[str, Wants] = field(default_factory=dict)
    route_series: int = 300
    laboratory: Laboratory = field(default_factory=Laboratory)
    lookup: Lookup = nowhere
    zone: tzinfo = UTC
