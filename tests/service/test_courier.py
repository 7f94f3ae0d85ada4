import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from serinus.service.courier import Courier, attempt, folded
from serinus.service.notice_kinds import Severity, Wants
from serinus.service.notices import channel_enabled
from serinus.service.ports import DeliveryError
from serinus.service.storage import Notice
from serinus.service.store_errors import StoreError
from serinus.store import open_store

AT = datetime(2026, 11, 30, 2, 30, tzinfo=UTC)


def notice(key: str, *, kind: str = "suspended", resolves: str | None = None, at: datetime = AT) -> Notice:
    return Notice(key, at, kind, "m", "alpha", f"{key}.", resolves)


@dataclass
class Ear:
    """A channel that hears, or fails as told."""

    name: str
    error: Exception | None = None
    heard: list[list[str]] = field(default_factory=list)

    async def send(self, notices: Sequence[Notice]) -> None:
        if self.error:
            raise self.error
        self.heard.append([n.key for n in notices])

    @property
    def keys(self) -> list[str]:
        return [key for message in self.heard for key in message]


BUSY = DeliveryError("it is busy", permanent=False)
GONE = DeliveryError("no such hook", permanent=True)


@pytest.fixture
def store():
    opened = open_store("sqlite://")
    yield opened
    opened.close()


class Post:
    """A courier with these channels, and what it said of them."""

    def __init__(self, store, *ears: Ear, **kinds: set[str] | Wants) -> None:
        self.said: list[tuple[str, str | None]] = []
        self.store = store
        self.at = AT
        wanted = {name: w if isinstance(w, Wants) else Wants(frozenset(w)) for name, w in kinds.items()}
        self.courier = Courier(store, ears, lambda: self.at, wanted, lambda *said: self.said.append(said))

    def tell(self, *notices: Notice) -> None:
        self.store.append(0, [], notices)

    def deliver(self, *, after: timedelta = timedelta(hours=1)) -> int:
        """A pass, long enough after the last for every channel to be tried again."""
        self.at += after
        return asyncio.run(self.courier.deliver())

    def begin(self) -> None:
        asyncio.run(self.courier.begin())


def test_notices_are_grouped_and_sent_once(store):
    ear = Ear("mail")
    post = Post(store, ear)
    post.tell(notice("a"), notice("b"))
    assert (post.deliver(), post.deliver()) == (2, 0)
    assert ear.heard == [["a", "b"]]
    assert post.said == []


def test_a_failing_channel_holds_nobody_up_and_is_tried_again(store):
    broken, ear = Ear("slack", BUSY), Ear("mail")
    post = Post(store, broken, ear)
    post.tell(notice("a"))
    post.deliver()
    assert (ear.heard, broken.heard) == ([["a"]], [])
    broken.error = None
    post.deliver()
    assert broken.heard == [["a"]]


def test_a_failing_channel_is_left_alone_for_longer_each_time_and_tried_soon_once_it_worked(store):
    broken = Ear("slack", BUSY)
    post = Post(store, broken)
    post.tell(notice("a"))
    tries = []
    broken.send = lambda notices: (tries.append(post.at), Ear.send(broken, notices))[1]
    for _ in range(200):
        post.deliver(after=timedelta(minutes=1))
    waits = [int((b - a) / timedelta(minutes=1)) for a, b in pairwise(tries)]
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60]
    broken.error = None
    post.deliver()
    post.tell(notice("b"))
    post.deliver(after=timedelta(0))
    assert broken.keys == ["a", "b"]


def test_a_failure_is_told_once_and_its_end_once(store):
    broken = Ear("slack", BUSY)
    post = Post(store, broken)
    post.tell(notice("a"))
    post.deliver(), post.deliver()
    broken.error = None
    post.deliver(), post.deliver()
    [(who, why), end] = post.said
    assert (who, end) == ("channel slack", ("channel slack", None))
    assert why is not None
    assert why.startswith("it is busy; ")


def test_a_channel_that_fails_for_good_is_disabled_and_the_others_are_told(store):
    broken, ear = Ear("slack", GONE), Ear("mail")
    post = Post(store, broken, ear)
    post.tell(notice("a"))
    post.deliver()
    broken.error = None
    post.deliver()
    assert store.disabled_channels() == {"slack": "no such hook"}
    assert (broken.keys, ear.keys) == ([], ["a", "channel_disabled|slack"])
    assert "serinus notify enable slack" in (post.said[0][1] or "")


def test_an_enabled_channel_is_sent_what_it_missed_and_the_end_of_its_trouble(store):
    broken, ear = Ear("slack", GONE), Ear("mail")
    post = Post(store, broken, ear)
    post.tell(notice("a"))
    post.deliver(), post.deliver()
    broken.error = None
    store.enable_channel("slack", [channel_enabled("slack", AT, "ops", "put right")])
    post.deliver(), post.deliver()
    assert broken.keys == ["a", "channel_enabled|slack"]
    assert ear.keys == ["a", "channel_disabled|slack", "channel_enabled|slack"]


def test_a_channel_that_fails_for_good_again_is_told_of_again(store):
    broken, ear = Ear("slack", GONE), Ear("mail")
    post = Post(store, broken, ear)
    post.tell(notice("a"))
    post.deliver(), post.deliver()
    store.enable_channel("slack", [channel_enabled("slack", AT, "ops", "put right")])
    post.deliver(), post.deliver()
    assert ear.keys.count("channel_disabled|slack") == 2


def test_a_channel_is_sent_the_kinds_it_asks_for_and_the_rest_never_stands_in_its_way(store):
    few, all_of_them = Ear("few"), Ear("all")
    post = Post(store, few, all_of_them, few={"restored"})
    post.tell(*(notice(f"s{n}") for n in range(60)), notice("r", kind="restored"))
    while post.deliver():
        pass
    assert few.keys == ["r"]
    assert len(all_of_them.keys) == 61


def test_a_channel_is_sent_what_is_grave_enough_and_the_end_of_what_it_was_told(store):
    ear = Ear("pager")
    post = Post(store, ear, pager=Wants(least=Severity.WARNING))
    post.tell(
        notice("mild", kind="would_suspend"),
        replace(notice("grave"), severity="warning"),
        replace(notice("shadow", kind="restored"), facts={"enforced": False}),
    )
    post.deliver()
    post.tell(replace(notice("end", kind="restored", resolves="grave"), facts={"enforced": True}))
    post.deliver()
    assert ear.keys == ["grave", "end"]


def test_a_channel_is_sent_its_models_and_what_concerns_no_model(store):
    ear = Ear("team")
    post = Post(store, ear, team=Wants(models=frozenset({"mine"})))
    models = {"a": "mine", "b": "theirs", "c": None}
    post.tell(*(replace(notice(key), model=model) for key, model in models.items()))
    post.deliver()
    assert ear.keys == ["a", "c"]


def test_an_end_that_a_channel_does_not_ask_for_leaves_the_beginning_it_asks_for(store):
    ear = Ear("few")
    post = Post(store, ear, few={"suspended"})
    post.tell(notice("out"), notice("in", kind="restored", resolves="out"))
    post.deliver()
    assert ear.keys == ["out"]


def test_a_new_channel_is_spared_the_news_of_months_and_an_old_one_is_not(store):
    post = Post(store, Ear("mail"))
    post.tell(notice("long ago", at=AT - timedelta(days=40)), notice("today", at=AT - timedelta(hours=2)))
    new, failing = Ear("new"), Ear("mail", BUSY)
    store.delivered("mail", [1], AT)
    later = Post(store, new, failing)
    later.begin()
    later.deliver()
    failing.error = None
    later.deliver()
    assert (new.keys, failing.keys) == (["today"], ["today"])


def test_a_disabled_channel_is_named_at_the_start(store):
    store.disable_channel("slack", "no such hook", AT)
    post = Post(store, Ear("slack"))
    post.begin()
    assert post.said[0][0] == "channel slack"


def test_a_fault_in_a_channels_library_is_a_passing_failure_whose_words_are_not_shown(store):
    broken = Ear("slack", ValueError("https://hooks.example/secret"))
    post = Post(store, broken)
    post.tell(notice("a"))
    assert post.deliver() == 0
    assert "ValueError" in (post.said[0][1] or "")
    assert "secret" not in (post.said[0][1] or "")


def test_a_channel_that_hangs_is_given_up():
    class Hanging(Ear):
        async def send(self, notices: Sequence[Notice]) -> None:
            del notices
            await asyncio.Event().wait()

    error = asyncio.run(attempt(Hanging("slow"), [notice("a")], patience=0.0))
    assert error is not None
    assert "no answer" in str(error)
    assert not error.permanent


def test_two_passes_at_once_send_nothing_twice(store):
    ear = Ear("mail")
    post = Post(store, ear)
    post.tell(notice("a"))

    async def both() -> None:
        await asyncio.gather(post.courier.deliver(), post.courier.deliver())

    asyncio.run(both())
    assert ear.heard == [["a"]]


def test_a_store_that_fails_while_a_pass_is_noted_is_told_as_the_stores_trouble(store):
    post = Post(store, Ear("mail"))
    post.tell(notice("a"))

    class Failing:
        def __getattr__(self, name):
            return getattr(store, name)

        def delivered(self, *_: object) -> None:
            message = "the disk is full"
            raise StoreError(message)

    post.courier.store = Failing()
    with pytest.raises(StoreError, match="disk is full"):
        post.deliver()


def test_a_repeat_is_folded_and_a_resolved_notice_gives_way():
    group = [notice("below-floor"), notice("out"), notice("out"), notice("floor-ok", resolves="below-floor")]
    assert [n.key for n in folded(group)] == ["out", "floor-ok"]
