"""Lookups of an application while the canary comes, goes and says odd things."""

import asyncio
import gc
import logging
import threading
from datetime import timedelta

import pytest

from serinus.traffic.client import Exclusions
from serinus.traffic.client.refresher import NAME
from traffic.client.lists import (
    AT,
    DAY,
    MODEL,
    Reply,
    Time,
    excluded,
    ok,
    serving,
    suspended,
    unchanged,
    written,
)

HOUR = timedelta(hours=1)
LONG = 20  # seconds that nothing here takes; a test that waits so long has failed


class Changes:
    """Hears of new lists."""

    def __init__(self):
        self._heard = threading.Semaphore(0)

    def __call__(self, _published):
        self._heard.release()

    def wait(self):
        assert self._heard.acquire(timeout=LONG)


class Canary:
    """A serinus with a list that changes: a poll is held until it does, or until it is over."""

    def __init__(self, reply):
        self.reply = reply
        self.over = threading.Event()
        self.polled = threading.Event()
        self._changed = threading.Condition()

    def __call__(self, asked):
        with self._changed:
            if asked.headers.get("if-none-match") == self.reply.headers.get("ETag") is not None:
                self.polled.set()
                self._changed.wait(LONG)
                return unchanged() if self.over.is_set() else self.reply
            return self.reply

    def say(self, reply):
        with self._changed:
            self.polled.clear()
            self.reply = reply
            self._changed.notify_all()

    def end(self):
        self.over.set()
        with self._changed:
            self._changed.notify_all()


@pytest.fixture
def canary():
    played = Canary(ok(suspended("birch")))
    with serving(played) as server:
        played.url = server.url
        played.server = server
        yield played
        played.end()


@pytest.fixture
def held(tmp_path):
    """Makes exclusions, and ends them after the test."""
    made = []

    def make(source, time=None, **settings):
        clocks = {"clocks": (time or Time()).clocks}
        settings = {"cache": tmp_path / "kept.json", "first": LONG, **clocks, **settings}
        made.append(Exclusions(source, **settings))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_the_first_lookup_brings_the_list(canary, held):
    exclusions = held(canary.url, token="ser_1")  # noqa: S106  of no serinus
    assert exclusions.ignore(MODEL) == ("birch",)
    assert exclusions.ignore("other/model") == ()
    assert not exclusions.stale
    assert exclusions.trouble is None
    assert exclusions.of(MODEL).entries[0].contracts == ("language",)
    assert (exclusions.at, exclusions.age) == (AT, timedelta())
    assert "ser_1" not in repr(exclusions)


def test_to_close_while_a_poll_waits_is_no_trouble_of_the_source(canary, held, caplog):
    exclusions = held(canary.url)
    assert exclusions.ignore(MODEL) == ("birch",)
    assert canary.polled.wait(LONG)
    exclusions.close()
    assert exclusions.trouble is None
    assert caplog.text == ""
    assert exclusions.ignore(MODEL) == ("birch",)


def test_a_suspension_is_honoured_as_soon_as_it_is_published_while_a_poll_waits(canary, held):
    changes = Changes()
    exclusions = held(canary.url, on_change=changes)
    exclusions.ignore(MODEL)
    changes.wait()
    assert canary.polled.wait(LONG)
    canary.say(ok(suspended("birch"), suspended("cedar")))
    changes.wait()
    assert exclusions.ignore(MODEL) == ("birch", "cedar")
    canary.say(ok())
    changes.wait()
    assert exclusions.ignore(MODEL) == ()
    assert exclusions.nothing


@pytest.mark.parametrize(
    "odd",
    [
        Reply(500),
        Reply(401),
        Reply(200, b"<html>"),
        Reply(200, b""),
        Reply(302, b"", {"Location": "http://evil/"}),
    ],
    ids=["500", "401", "garbage", "empty", "redirect"],
)
def test_the_last_list_stays_while_the_source_says_odd_things_and_the_next_one_is_taken(
    canary, held, caplog, odd
):
    changes, time = Changes(), Time()
    exclusions = held(canary.url, time, on_change=changes)
    exclusions.ignore(MODEL)
    changes.wait()
    assert canary.polled.wait(LONG)
    with caplog.at_level(logging.INFO, "serinus.client"):
        canary.say(odd)
        while exclusions.trouble is None:
            threading.Event().wait(0.01)
        time.pass_(HOUR)
        assert exclusions.ignore(MODEL) == ("birch",)
        assert exclusions.age == HOUR
        canary.say(ok(excluded("amber"), at=AT + HOUR))
        changes.wait()
    assert exclusions.ignore(MODEL) == ("amber",)
    assert exclusions.trouble is None
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 2
    assert told[0].endswith("; the last list stays")
    assert told[1].endswith("gives lists again")


def test_while_the_canary_is_away_entries_run_out_and_old_suspensions_no_longer_apply(canary, held):
    time = Time()
    canary.reply = ok(suspended("birch", AT + HOUR), suspended("cedar", AT + 14 * DAY), excluded("amber"))
    exclusions = held(canary.url, time)
    assert exclusions.ignore(MODEL) == ("amber", "birch", "cedar")
    time.pass_(HOUR)
    assert exclusions.ignore(MODEL) == ("amber", "cedar")
    time.pass_(DAY)
    assert exclusions.ignore(MODEL) == ("amber",)
    assert exclusions.stale
    assert exclusions.people(MODEL) == ("amber",)


@pytest.mark.parametrize("step", [10 * DAY, -10 * DAY])
def test_a_step_of_our_wall_clock_ends_nothing_and_prolongs_nothing(canary, held, step):
    time = Time()
    canary.reply = ok(suspended("birch", AT + HOUR))
    exclusions = held(canary.url, time)
    exclusions.ignore(MODEL)
    time.step(step)
    time.pass_(HOUR - timedelta(seconds=1))
    assert exclusions.ignore(MODEL) == ("birch",)
    time.pass_(timedelta(seconds=1))
    assert exclusions.ignore(MODEL) == ()


def test_the_copy_on_disk_serves_while_the_source_is_away_and_its_age_is_seen(canary, held):
    first = held(canary.url, Time(AT))
    assert first.ignore(MODEL) == ("birch",)
    first.close()
    canary.say(Reply(503))
    again = held(canary.url, Time(AT + 3 * HOUR))
    assert again.ignore(MODEL) == ("birch",)
    assert again.age == 3 * HOUR
    assert "503" in again.trouble
    later = held(canary.url, Time(AT + 25 * HOUR))
    assert later.ignore(MODEL) == ()
    assert later.stale


@pytest.mark.parametrize("found", [b"", b"{", b"\xff", b'{"version": 1}'])
def test_a_copy_that_is_broken_is_no_copy(canary, held, tmp_path, found):
    (tmp_path / "kept.json").write_bytes(found)
    canary.reply = Reply(500)
    exclusions = held(canary.url)
    assert exclusions.ignore(MODEL) == ()
    assert exclusions.age is None
    assert exclusions.stale


def test_a_copy_that_cannot_be_kept_is_no_trouble(canary, held, tmp_path):
    (tmp_path / "file").touch()
    exclusions = held(canary.url, cache=tmp_path / "file" / "kept.json")
    assert exclusions.ignore(MODEL) == ("birch",)
    assert exclusions.trouble is None


def test_a_source_that_never_answers_holds_up_one_lookup_for_a_bounded_time(canary, held):
    silence = threading.Event()
    canary.server.play = lambda _: lambda _handler: silence.wait(LONG)
    exclusions = held(canary.url, first=0.05)
    assert exclusions.ignore(MODEL) == ()
    assert exclusions.age is None
    silence.set()


def test_what_the_application_does_with_a_change_is_its_own_affair(canary, held):
    failed = threading.Event()

    def fail(_published):
        failed.set()
        raise RuntimeError

    exclusions = held(canary.url, on_change=fail)
    assert exclusions.ignore(MODEL) == ("birch",)
    assert failed.wait(LONG)
    assert exclusions.trouble is None


def test_a_first_lookup_inside_an_event_loop_does_not_hold_it_up(canary, held):
    answer = threading.Event()

    def late(handler):
        answer.wait(LONG)
        body = written(suspended("birch"))
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        handler.close_connection = True

    canary.server.play = lambda _: late
    exclusions = held(canary.url)

    async def main():
        assert exclusions.ignore(MODEL) == ()
        answer.set()
        assert await exclusions.ready(LONG)
        return exclusions.ignore(MODEL)

    assert asyncio.run(main()) == ("birch",)


def test_async_code_waits_for_the_list_without_holding_up_the_loop(canary, held):
    async def main():
        async with held(canary.url) as exclusions:
            return exclusions.ignore(MODEL)

    assert asyncio.run(main()) == ("birch",)


def running():
    return [t for t in threading.enumerate() if t.name == NAME]


def test_one_thread_does_it_and_nothing_starts_before_the_first_lookup(canary, held):
    exclusions = held(canary.url)
    assert running() == []
    workers = [threading.Thread(target=exclusions.ignore, args=[MODEL]) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(LONG)
    (thread,) = running()
    assert thread.daemon
    exclusions.close()
    assert running() == []
    assert exclusions.ignore(MODEL) == ("birch",)
    assert running() == []


def test_exclusions_that_nobody_holds_any_longer_end_their_thread(canary, tmp_path):
    exclusions = Exclusions(canary.url, cache=tmp_path / "kept.json")
    exclusions.ignore(MODEL)
    (thread,) = running()
    del exclusions
    gc.collect()
    thread.join(LONG)
    assert not thread.is_alive()


def test_no_lookup_sees_half_of_a_list(held, tmp_path):
    path, over = tmp_path / "lists.json", threading.Event()
    sides = ((suspended("amber"), suspended("birch")), (suspended("cedar"), suspended("dahlia")))
    path.write_bytes(written(*sides[0]))
    exclusions, seen = held(path), set()

    def look():
        while not over.is_set():
            seen.add(exclusions.ignore(MODEL))
            seen.add(tuple(exclusions.apply({"model": MODEL})["provider"]["ignore"]))

    workers = [threading.Thread(target=look) for _ in range(3)]
    assert exclusions.ignore(MODEL) == ("amber", "birch")
    for worker in workers:
        worker.start()
    path.write_bytes(written(*sides[1]))
    while ("cedar", "dahlia") not in seen:
        threading.Event().wait(0.01)
    over.set()
    for worker in workers:
        worker.join(LONG)
    assert seen == {("amber", "birch"), ("cedar", "dahlia")}


def test_the_token_is_in_nothing_that_is_kept_or_told(canary, held, tmp_path, caplog):
    token = "serinus_0123456789abcdef"  # noqa: S105  of no serinus
    changes = Changes()
    with caplog.at_level(logging.DEBUG):
        exclusions = held(canary.url, token=token, on_change=changes)
        exclusions.ignore(MODEL)
        changes.wait()
        assert canary.polled.wait(LONG)
        canary.say(Reply(401, token.encode()))
        while exclusions.trouble is None:
            threading.Event().wait(0.01)
    assert f"Bearer {token}" in canary.server.asked[0].headers["authorization"]
    said = [repr(exclusions), exclusions.source, exclusions.trouble, (tmp_path / "kept.json").read_text()]
    assert token not in "".join([*said, caplog.text])


def test_a_file_is_followed(held, tmp_path):
    path, changes = tmp_path / "lists.json", Changes()
    path.write_bytes(written(suspended("birch")))
    exclusions = held(path, on_change=changes)
    assert exclusions.ignore(MODEL) == ("birch",)
    changes.wait()
    path.write_bytes(written(excluded("cedar")))
    changes.wait()
    assert exclusions.ignore(MODEL) == ("cedar",)
    path.write_bytes(b"{")  # in the middle of being copied
    while exclusions.trouble is None:
        threading.Event().wait(0.01)
    assert exclusions.ignore(MODEL) == ("cedar",)


def test_without_a_source_it_is_said_what_to_name():
    with pytest.raises(
        ValueError, match="the source of exclusions is empty; allowed is an http or https URL"
    ):
        Exclusions("")
