import asyncio
import hashlib
import hmac
import json
from datetime import UTC, datetime

import pytest
from aiohttp import web

from serinus.notify.heartbeat import Heartbeat
from serinus.notify.webhook import Webhook, signature
from serinus.service.ports import DeliveryError
from serinus.service.storage import Notice

AT = datetime(2026, 11, 30, 2, 30, tzinfo=UTC)
SECRET = b"a shared secret"


def notice(key: str = "n1") -> Notice:
    return Notice(
        key,
        AT,
        "suspended",
        "acme/story-70b",
        "alpha/fp8",
        "alpha/fp8 is suspended.",
        severity="warning",
        facts={"until": "soon"},
    )


class Receiver:
    """A web server that answers one status and keeps what it was sent."""

    def __init__(self, status: int) -> None:
        self.status = status
        self.got: list[tuple[dict[str, str], bytes]] = []

    async def take(self, request: web.Request) -> web.Response:
        self.got.append((dict(request.headers), await request.read()))
        return web.Response(status=self.status, headers={"Location": "http://127.0.0.1:9/elsewhere"})

    def run(self, talk):
        async def inner():
            app = web.Application()
            app.router.add_route("*", "/hook", self.take)
            runner = web.AppRunner(app)
            await runner.setup()
            site = web.TCPSite(runner, "127.0.0.1", 0)
            await site.start()
            port = runner.addresses[0][1]
            try:
                return await talk(f"http://127.0.0.1:{port}/hook")
            finally:
                await runner.cleanup()

        return asyncio.run(inner())


def send(receiver: Receiver) -> None:
    receiver.run(lambda url: Webhook("ops", url, SECRET, lambda: AT).send([notice()]))


def test_a_webhook_is_signed_so_that_its_receiver_can_check_it():
    receiver = Receiver(204)
    send(receiver)
    [(headers, body)] = receiver.got
    moment, digest = (part.split("=", 1)[1] for part in headers["Serinus-Signature"].split(","))
    assert digest == hmac.new(SECRET, moment.encode() + b"." + body, hashlib.sha256).hexdigest()
    assert signature(SECRET, AT, body) == headers["Serinus-Signature"]
    assert b"alpha/fp8 is suspended." in body
    [told] = json.loads(body)["notices"]
    assert (told["severity"], told["facts"], told["link"]) == ("warning", {"until": "soon"}, None)


@pytest.mark.parametrize(
    ("status", "permanent"), [(500, False), (429, False), (503, False), (404, True), (302, True)]
)
def test_a_refusal_for_good_is_told_from_a_passing_one(status, permanent):
    with pytest.raises(DeliveryError, match=str(status)) as caught:
        send(Receiver(status))
    assert caught.value.permanent is permanent


def test_a_dead_webhook_is_a_passing_failure():
    hook = Webhook("ops", "http://127.0.0.1:9/hook", SECRET, lambda: AT)
    with pytest.raises(DeliveryError, match="could not be reached: connection refused") as caught:
        asyncio.run(hook.send([notice()]))
    assert not caught.value.permanent


def test_a_heartbeat_is_called_and_its_failure_is_a_sentence():
    assert Receiver(200).run(lambda url: Heartbeat(url).beat()) is None
    assert Receiver(500).run(lambda url: Heartbeat(url).beat()) == "the heartbeat URL answered 500"
    assert "connection refused" in (asyncio.run(Heartbeat("http://127.0.0.1:9/").beat()) or "")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://secret.invalid/", "its name could not be looked up"),
        ("http://{}/secret", "it hung up before it answered"),
    ],
)
def test_why_an_address_could_not_be_asked_is_told_without_the_address(url, said):
    async def asked():
        server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
        async with server:
            port = server.sockets[0].getsockname()[1]
            return await Heartbeat(url.format(f"127.0.0.1:{port}")).beat()

    told = asyncio.run(asked())
    assert told is not None
    assert said in told
    assert "secret" not in told
