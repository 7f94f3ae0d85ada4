import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from serinus.service.courier import Courier, folded
from serinus.service.ports import DeliveryError
from serinus.service.storage import Notice

AT = datetime(2026, 11, 30, 2, 30, tzinfo=UTC)


def notice(key: str, *, resolves: str | None = None) -> Notice:
    return Notice(key, AT, "suspended", "m", "alpha", f"{key}.", resolves)


@dataclass
class Outbox:
    """The part of a store that a courier uses."""

    notices: list[Notice]
    taken: set[tuple[str, int]] = field(default_factory=set)
    disabled: dict[str, str] = field(default_factory=dict)

    def outbox(self, channel: str, *, limit: int) -> list[tuple[int, Notice]]:
        waiting = [(i, n) for i, n in enumerate(self.notices) if (channel, i) not in self.taken]
        return waiting[:limit]

    def delivered(self, channel: str, ids: Sequence[int], at: datetime) -> None:
        del at
        self.taken |= {(channel, i) for i in ids}

    def disable_channel(self, channel: str, why: str, at: datetime) -> None:
        del at
        self.disabled[channel] = why

    def disabled_channels(self) -> dict[str, str]:
        return self.disabled


@dataclass
class Ear:
    """A channel that hears, or fails as told."""

    name: str
    error: DeliveryError | None = None
    heard: list[list[str]] = field(default_factory=list)

    async def send(self, notices: Sequence[Notice]) -> None:
        if self.error:
            raise self.error
        self.heard.append([n.key for n in notices])


def deliver(outbox: Outbox, *channels: Ear) -> Courier:
    courier = Courier(outbox, channels, lambda: AT)
    asyncio.run(courier.deliver())
    return courier


def test_notices_are_grouped_and_sent_once():
    outbox, ear = Outbox([notice("a"), notice("b")]), Ear("mail")
    deliver(outbox, ear)
    deliver(outbox, ear)
    assert ear.heard == [["a", "b"]]


def test_a_failing_channel_holds_nobody_up_and_is_tried_again():
    outbox = Outbox([notice("a")])
    broken, ear = Ear("slack", DeliveryError("busy", permanent=False)), Ear("mail")
    courier = deliver(outbox, broken, ear)
    assert (ear.heard, courier.failures) == ([["a"]], {"slack": "busy"})
    broken.error = None
    deliver(outbox, broken)
    assert broken.heard == [["a"]]


def test_a_channel_that_fails_for_good_is_disabled_and_keeps_its_reason():
    outbox = Outbox([notice("a")])
    broken = Ear("slack", DeliveryError("no such hook", permanent=True))
    deliver(outbox, broken)
    broken.error = None
    deliver(outbox, broken)
    assert outbox.disabled == {"slack": "no such hook"}
    assert broken.heard == []


def test_a_repeat_is_folded_and_a_resolved_notice_gives_way():
    group = [notice("below-floor"), notice("out"), notice("out"), notice("floor-ok", resolves="below-floor")]
    assert [n.key for n in folded(group)] == ["out", "floor-ok"]
