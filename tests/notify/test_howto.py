"""The receiver that the documents show checks what is really sent."""

import asyncio
import re
from pathlib import Path

from receiver import Receiver
from serinus.engine.clock import now
from serinus.notify.webhook import Webhook
from serinus.service.storage import Notice

PAGE = Path(__file__).parents[2] / "docs/howto/notifications.md"
SECRET = b"a shared secret"


def verified():
    found = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    names = {}
    exec(found[1], names)  # noqa: S102  the example itself is what is tried
    return names["verified"]


def delivered() -> tuple[str, bytes]:
    receiver = Receiver()

    async def send() -> None:
        async with receiver.served():
            hook = Webhook("ops", f"{receiver.base}/hook", SECRET, now)
            await hook.send([Notice("n1", now(), "suspended", "m", "alpha", "alpha is suspended.")])

    asyncio.run(send())
    [(_, headers, body)] = receiver.got
    return headers["Serinus-Signature"], body


def test_the_example_takes_what_serinus_sends_and_nothing_else():
    check, (header, body) = verified(), delivered()
    assert check(SECRET, header, body)
    assert not check(b"another secret", header, body)
    assert not check(SECRET, header, body.replace(b"alpha", b"omega"))
    assert not check(SECRET, header, body, oldest=-1)
