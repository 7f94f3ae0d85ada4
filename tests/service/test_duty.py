import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from serinus.core.model import Listing
from serinus.core.policy import Policy
from serinus.service.canary import Canary
from serinus.service.courier import Courier
from serinus.service.duty import Duty, Happening
from serinus.service.planning import ModelPlan
from serinus.service.storage import Notice
from serinus.service.store_errors import StoreReadOnlyError
from serinus.store import open_store
from world import MODEL, Played, Spoken, Unpaced, listing

AT = datetime(2026, 11, 30, 0, 0, tzinfo=UTC)
HALF_HOUR = timedelta(minutes=30)
TROUBLE = Listing(MODEL, trouble="the listing is empty")


@dataclass
class Ear:
    """A channel that hears once its gate is open."""

    name: str = "ops"
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    heard: list[str] = field(default_factory=list)

    async def send(self, notices: Sequence[Notice]) -> None:
        await self.gate.wait()
        self.heard += [n.kind for n in notices]


class Watch:
    """A canary on duty, whose rounds are held when told."""

    def __init__(self, listed: Listing, store=None) -> None:
        self.happened: list[Happening] = []
        self.said: list[tuple[str, str | None]] = []
        self.beats = 0
        self.answer: str | None = None
        self.ear = Ear()
        town = Played(lambda _tag, _probe: "hello")

        async def discover(_model: str) -> Listing:
            return listed

        town.discover = discover
        self.store = store or open_store("sqlite://")
        canary = Canary(
            store=self.store,
            gateway=town,
            pace=Unpaced(),
            policy=Policy(),
            plans={MODEL: ModelPlan(MODEL, ("en",), (Spoken(),))},
            clock=lambda: AT,
        )
        courier = Courier(self.store, (self.ear,), lambda: AT, {}, self.say)
        self.duty = Duty(canary, courier, self.happened.append, self.beat, self.say)

    def say(self, what: str, trouble: str | None) -> None:
        self.said.append((what, trouble))

    async def beat(self) -> str | None:
        self.beats += 1
        return self.answer

    def live(self, *acts) -> None:
        """Do these one after the other while `follow` runs, then end."""

        async def day() -> None:
            async with asyncio.TaskGroup() as group:
                group.create_task(self.duty.follow())
                for act in acts:
                    await act()
                self.duty.end()

        asyncio.run(day())

    async def round(self) -> None:
        await self.duty.round(MODEL, AT)

    async def open(self) -> None:
        self.ear.gate.set()


def test_a_round_ends_while_a_channel_hangs_and_what_it_said_is_sent_after():
    watch = Watch(TROUBLE)

    async def round_ended() -> None:
        assert len(watch.happened) == 1
        assert watch.ear.heard == []

    watch.live(watch.round, round_ended, watch.open)
    assert watch.ear.heard == ["listing_gone"]


def test_the_last_notices_are_sent_before_the_end():
    watch = Watch(TROUBLE)
    watch.live(watch.open, watch.round)
    assert watch.ear.heard == ["listing_gone"]


def test_the_heartbeat_follows_a_round_that_was_written():
    watch = Watch(listing("alpha", "beta"))
    watch.live(watch.round)
    assert watch.beats == 1
    watch = Watch(listing("alpha"))
    watch.live(watch.open)
    assert watch.beats == 0


def test_a_heartbeat_that_fails_is_told_once_and_its_end_once():
    watch = Watch(listing("alpha"))

    async def story() -> None:
        for n, answer in enumerate(("the heartbeat URL answered 500",) * 2 + (None,) * 2):
            watch.answer = answer
            await watch.duty.round(MODEL, AT + n * HALF_HOUR)
            await watch.duty.aftercare()

    asyncio.run(story())
    assert watch.said == [("heartbeat", "the heartbeat URL answered 500"), ("heartbeat", None)]


class Full:
    """A store on a disk that is full."""

    def __init__(self, store) -> None:
        self.store = store

    def __getattr__(self, name):
        return getattr(self.store, name)

    def open_round(self, *_: object) -> None:
        message = "the disk is full"
        raise StoreReadOnlyError(message)

    def disabled_channels(self) -> None:
        message = "the disk is full"
        raise StoreReadOnlyError(message)


def test_a_canary_that_cannot_write_goes_on_and_its_heartbeat_falls_silent():
    watch = Watch(listing("alpha"), Full(open_store("sqlite://")))
    watch.live(watch.round)
    assert "the store cannot be used" in (watch.happened[0].trouble or "")
    assert watch.beats == 0
    assert watch.said == [("delivery", "the store cannot be used: the disk is full")]
