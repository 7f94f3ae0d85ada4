"""Lists as applications poll them: entity tags, long polls that wake, a bounded crowd."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta

import pytest

from asgi import started
from offices import House
from serinus.core.published_reading import read
from serinus.service.access import Scope
from serinus.store import open_store
from serinus.web.api.lists import matches
from serinus.web.live import Changes
from serinus.web.problems import Problem
from world import MODEL

LISTS = "/v1/exclusions"


@pytest.fixture
def house(tmp_path):
    return House(tmp_path, rounds=(("beta",), ("beta",)))


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """One for many claims that change nothing."""
    return House(tmp_path_factory.mktemp("shared"), rounds=(("beta",), ("beta",)))


def test_the_lists_can_be_read_as_published(shared):
    program = shared.program(Scope.READ)
    assert read(program.get(LISTS).json).of(MODEL).ignore == ("beta",)
    assert program.get(f"{LISTS}/{MODEL}").json == program.get(LISTS).json["models"][MODEL]


def test_a_model_that_is_not_known_gets_what_holds_for_all(house):
    program = house.program()
    program.post(LISTS, {"route": "alpha", "why": "x"})
    found = program.get(f"{LISTS}/new/model:free@x").json
    assert (found["model"], found["ignore"]) == ("new/model:free@x", ["alpha"])


def test_a_virtual_variant_gets_its_plain_models_list(shared):
    assert shared.program().get(f"{LISTS}/{MODEL}:nitro").json["ignore"] == ["beta"]


def test_the_same_lists_are_not_sent_again_whenever_they_are_asked_for(house):
    program = house.program()
    first = program.get(LISTS)
    house.clock.later(minutes=5)
    again = program.get(LISTS, if_none_match=first.headers["etag"])
    assert (again.status, again.body, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert program.get(LISTS).json["at"] != first.json["at"]


def test_another_process_writes_and_the_tag_is_another(house):
    program = house.program()
    first = program.get(LISTS)
    beside(house)
    assert program.get(LISTS, if_none_match=first.headers["etag"]).status == 200


def test_a_list_that_may_be_stored_must_be_asked_for_again(shared):
    assert shared.program().get(LISTS).headers["cache-control"] == "private, no-cache"


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ('"a"', True),
        ('W/"a"', True),
        ('"b", "a"', True),
        ("*", True),
        ('"b"', False),
        ("a", False),
        ("", False),
    ],
)
def test_an_if_none_match_header(given, match):
    assert matches(given, '"a"') is match


@pytest.mark.parametrize("wait", ["61", "-1", "nan", "inf", "x"])
def test_nobody_waits_longer_than_a_minute(shared, wait):
    assert shared.program().get(f"{LISTS}?wait={wait}").status == 422


def beside(house):
    """An act of another process: a store of its own over the same file."""
    store = open_store(house.folder / "serinus.sqlite")
    try:
        entry = {
            "v": 1, "entry": "exclude", "at": "2026-11-30T00:00:00Z", "layer": "operational",
            "route": "alpha", "model": None, "by": "ops", "why": "x", "until": None,
        }  # fmt: skip
        last = max(logged.seq for logged in store.log())
        store.append(last, [(house.clock.at, "exclude", entry)])
    finally:
        store.close()


async def until(holds):
    """Let the loop go on until something holds; what is waited for tells nobody that it is there."""
    while not holds():  # noqa: ASYNC110  nothing of the application is there to be waited for
        await asyncio.sleep(0.001)


async def waiting(house, program, path, tag, then):
    """Poll, and do something once the poll waits; the answer."""
    async with started(house.app):
        poll = asyncio.ensure_future(program.ask("GET", path, headers={"if-none-match": tag}))
        await until(lambda: house.changes.waiting)
        await then()
        return await asyncio.wait_for(poll, 20)


def test_a_poll_wakes_when_another_process_writes(house):
    program = house.program()
    tag = program.get(LISTS).headers["etag"]

    async def act():
        await asyncio.to_thread(beside, house)

    answer = asyncio.run(waiting(house, program, f"{LISTS}?wait=60", tag, act))
    assert (answer.status, answer.json["models"][MODEL]["ignore"]) == (200, ["alpha", "beta"])


def test_a_poll_of_one_model_sleeps_on_when_the_log_tells_of_others(house):
    program = house.program()
    tag = program.get(f"{LISTS}/{MODEL}").headers["etag"]
    mode = {"mode": "observe", "model": MODEL, "contract": "language", "why": "x"}

    async def act():
        sent = json.dumps(mode).encode()
        await program.ask("POST", "/v1/mode", sent, {"content-type": "application/json"})
        seen = house.look()
        await until(lambda: house.changes.seen >= seen and house.changes.waiting)
        house.changes.close()

    assert asyncio.run(waiting(house, program, f"{LISTS}/{MODEL}?wait=60", tag, act)).status == 304


def test_a_poll_wakes_when_a_suspension_runs_out_by_itself(house):
    program = house.program()
    until = house.desk.state.model(MODEL).ending
    house.clock.at = until - timedelta(milliseconds=50)
    tag = program.get(f"{LISTS}/{MODEL}").headers["etag"]

    async def pass_on():
        house.clock.later(milliseconds=60)

    answer = asyncio.run(waiting(house, program, f"{LISTS}/{MODEL}?wait=60", tag, pass_on))
    assert (answer.status, answer.json["ignore"]) == (200, [])


def test_a_stop_answers_all_who_wait(house):
    program = house.program()
    tag = program.get(LISTS).headers["etag"]

    async def stop():
        house.changes.close()

    assert asyncio.run(waiting(house, program, f"{LISTS}?wait=60", tag, stop)).status == 304


def test_whoever_leaves_waits_no_more(house):
    program = house.program()
    tag = program.get(LISTS).headers["etag"]

    async def leave():
        async with started(house.app):
            poll = asyncio.ensure_future(
                program.ask("GET", f"{LISTS}?wait=60", headers={"if-none-match": tag}, leaves=True)
            )
            await until(lambda: house.changes.waiting)
            program.left.set()
            await asyncio.wait_for(poll, 20)
            return house.changes.waiting

    assert asyncio.run(leave()) == 0


def test_only_so_many_may_wait():
    async def crowd():
        changes = Changes(lambda: 5, most=2)
        async with changes.watching():
            waiters = [asyncio.ensure_future(changes.after(5, 60)) for _ in range(2)]
            await until(lambda: changes.waiting == 2)
            with pytest.raises(Problem, match="ask without waiting"):
                await changes.after(5, 60)
            changes.close()
            return await asyncio.gather(*waiters)

    assert asyncio.run(crowd()) == [5, 5]


def test_nobody_looks_at_the_log_while_nobody_waits():
    looks = []

    async def idle():
        changes = Changes(lambda: looks.append(1) or 1)
        async with changes.watching():
            for _ in range(50):
                await asyncio.sleep(0)

    asyncio.run(idle())
    assert looks == []


def test_one_look_wakes_all_who_wait():
    looks = []

    async def crowd():
        news = asyncio.Event()
        changes = Changes(lambda: looks.append(1) or 7, pause=news.wait)
        async with changes.watching():
            found = await asyncio.gather(*(changes.after(6, 60) for _ in range(20)))
            news.set()
            return found

    assert asyncio.run(crowd()) == [7] * 20
    assert len(looks) <= 2
