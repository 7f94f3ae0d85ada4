import asyncio
from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from serinus.service.courier import Courier
from serinus.service.memory import Memory
from serinus.service.storage import Notice
from serinus.service.store_errors import StoreError
from serinus.service.watchman import NightWatch, Watchman
from service.test_canary import HALF_HOUR, MODEL, Life


@dataclass
class Ear:
    name: str = "ops"
    heard: list[str] = field(default_factory=list)

    async def send(self, notices):
        self.heard += [n.kind for n in notices]


class Night:
    """A canary that stopped, and a process that lives on beside it."""

    def __init__(self) -> None:
        self.life = Life()
        self.life.round()
        self.now = self.life.at
        self.ear, self.said = Ear(), []
        self.watchman = Watchman(Memory(self.life.store), lambda: self.now, (MODEL,), HALF_HOUR)
        courier = Courier(self.life.store, (self.ear,), lambda: self.now)
        self.watch = NightWatch(self.watchman, courier, lambda *said: self.said.append(said), every=0.001)

    def look(self, after: timedelta):
        self.now += after
        return self.watchman.look()

    def kinds(self):
        return [n.kind for _, n in self.life.store.outbox("mail")]


@pytest.fixture
def night():
    return Night()


def test_a_canary_that_holds_its_rounds_is_not_told_of(night):
    assert night.look(timedelta(0)) == ()
    assert night.kinds() == []


def test_a_silent_canary_is_told_once_and_its_return_once(night):
    assert night.look(2 * HALF_HOUR) == (MODEL,)
    assert night.look(HALF_HOUR) == (MODEL,)
    assert night.kinds() == ["canary_stale"]
    night.life.at = night.now
    night.life.round()
    assert night.look(timedelta(0)) == ()
    assert night.look(timedelta(0)) == ()
    assert night.kinds() == ["canary_stale", "canary_back"]
    night.look(4 * HALF_HOUR)
    assert night.kinds()[-1] == "canary_stale"


def test_a_return_that_nobody_missed_is_no_news(night):
    night.now = night.life.at = night.life.at + 5 * HALF_HOUR
    night.life.round()
    assert night.look(timedelta(0)) == ()
    assert night.kinds() == []


def test_a_model_that_never_had_a_round_is_late_after_as_long(night):
    watchman = Watchman(Memory(night.life.store), lambda: night.now, ("acme/new",), HALF_HOUR)
    assert watchman.look() == ()
    night.now += 3 * HALF_HOUR
    assert watchman.look() == ("acme/new",)


def follow(watch, passes):
    async def some() -> None:
        stop = asyncio.Event()
        asyncio.get_running_loop().call_later(passes * 0.02, stop.set)
        await watch.follow(stop)

    asyncio.run(some())


def test_another_process_delivers_what_a_dead_canary_cannot(night):
    night.now += 3 * HALF_HOUR
    follow(night.watch, 3)
    assert night.ear.heard == ["canary_stale"]


def test_a_new_channel_is_spared_the_news_of_months_by_it_too(night):
    old = Notice("long ago", night.now - timedelta(days=40), "suspended", MODEL, "alpha", "Long ago.")
    memory = night.watchman.memory
    memory.record(lambda _state: (), lambda p: night.life.store.append(p.seen, p.records, [old]))
    night.now += 3 * HALF_HOUR
    follow(night.watch, 3)
    assert night.ear.heard == ["canary_stale"]


def test_a_store_that_cannot_be_read_is_told_once_and_ends_nothing(night):
    def broken() -> None:
        message = "the disk is gone"
        raise StoreError(message)

    night.watchman.clock = broken
    follow(night.watch, 5)
    assert night.said == [("watch over the canary", "the store cannot be used: the disk is gone")]
