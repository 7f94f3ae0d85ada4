"""The server itself: where it listens, what it says of that, how it stops. Loopback, free ports."""

from __future__ import annotations

import asyncio
import socket
from contextlib import closing

import aiohttp
import pytest

from offices import ANNA, House
from serinus.bootstrap.front import Front, Means, ServeError, front_of
from serinus.bootstrap.web import listen, serving
from serinus.config import load
from serinus.service.access import EVERYTHING


@pytest.fixture
def house(tmp_path):
    return House(tmp_path, rounds=(("beta",), ("beta",)))


def settings(house, serve):
    text = house.operated.config.read_text(encoding="utf-8")
    house.operated.config.write_text(f"{text}[serve]\n{serve}\n", encoding="utf-8")
    return load(house.operated.config, {})


def taken():
    busy = socket.socket()
    busy.bind(("127.0.0.1", 0))
    busy.listen()
    return busy


async def fetched(url, **headers):
    async with aiohttp.ClientSession() as session, session.get(url, headers=headers) as response:
        return response.status, response.headers, await response.text()


def test_it_serves_and_prints_a_set_up_link_that_works_once(house):
    async def served():
        async with serving(settings(house, "port = 0"), house.desk, Means()) as front:
            assert (await fetched(f"{front.url}health"))[0] == 200
            assert (await fetched(front.setup))[0] == 200
            return front

    front = asyncio.run(served())
    assert front.setup.startswith(f"{front.url}setup?code=")


def test_there_is_no_set_up_link_once_there_is_an_operator(house):
    house.operator()

    async def served():
        async with serving(settings(house, "port = 0"), house.desk, Means()) as front:
            return front.setup, (await fetched(f"{front.url}v1/models"))[0]

    assert asyncio.run(served()) == (None, 401)


def test_its_responses_carry_a_date_and_do_not_name_the_server(house):
    async def served():
        async with serving(settings(house, "port = 0"), house.desk, Means()) as front:
            return (await fetched(f"{front.url}v1/exclusions"))[1]

    headers = asyncio.run(served())
    assert "Date" in headers
    assert "Server" not in headers


def test_a_busy_port_is_told_with_what_to_do():
    with closing(taken()) as busy:
        port = busy.getsockname()[1]
        with pytest.raises(ServeError, match=rf"Port {port} of 127.0.0.1 is taken.*serve\.port"):
            listen("127.0.0.1", port)


def test_an_address_of_another_machine_is_told():
    with pytest.raises(ServeError, match=r"serve\.host is an address of this machine"):
        listen("192.0.2.1", 0)


def test_elsewhere_than_on_loopback_it_listens_only_once_there_is_an_operator(house):
    configured = settings(house, 'port = 0\nhost = "0.0.0.0"')

    async def served():
        async with serving(configured, house.desk, Means()) as front:
            return (await fetched(f"{front.url}v1/models"))[0]

    with pytest.raises(ServeError, match="serinus operator add"):
        asyncio.run(served())
    house.operator()
    assert asyncio.run(served()) == 401


def test_rounds_go_on_whatever_becomes_of_the_port(house):
    async def front(*, any_port):
        async with front_of(configured, house.desk, Means(), any_port=any_port) as found:
            return found

    with closing(taken()) as busy:
        configured = settings(house, f"port = {busy.getsockname()[1]}")
        assert "is taken" in asyncio.run(front(any_port=False)).trouble
        assert asyncio.run(front(any_port=True)).url is not None


def test_what_is_not_enabled_is_not_served(house):
    async def front():
        async with front_of(settings(house, "enabled = false"), house.desk, Means()) as found:
            return found

    assert asyncio.run(front()) == Front()


def test_a_stop_answers_whoever_waits(house):
    house.operator()
    token = house.keeper.issue(ANNA, "chat", EVERYTHING)[0]
    bearer = {"Authorization": f"Bearer {token}"}

    async def served():
        async with serving(settings(house, "port = 0"), house.desk, Means()) as front:
            lists = f"{front.url}v1/exclusions"
            _, headers, _ = await fetched(lists, **bearer)
            known = {"If-None-Match": headers["ETag"]}
            polls = [asyncio.ensure_future(fetched(f"{lists}?wait=60", **bearer, **known)) for _ in range(5)]
            done, _ = await asyncio.wait(polls, timeout=0.5)
            assert not done
        return [status for status, _, _ in await asyncio.gather(*polls)]

    assert asyncio.run(served()) == [304] * 5


def test_a_request_with_too_many_headers_is_refused(house):
    async def served():
        async with serving(settings(house, "port = 0"), house.desk, Means()) as front:
            return (await fetched(f"{front.url}health", **{"X-Long": "x" * 200_000}))[0]

    assert asyncio.run(served()) == 400
