"""Any service that Apprise knows, by its URL: mail, Slack, Telegram, PagerDuty and others."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from serinus.service.ports import DeliveryError
from serinus.service.storage import Notice

if TYPE_CHECKING:
    from apprise import Apprise

_STATUS: Final = re.compile(r"\berror=(\d{3})\b")  # how Apprise's services log an HTTP status
# No such address, no such secret. A full quota or a busy service passes.
REFUSED: Final = frozenset({400, 401, 403, 404, 405, 410})


@dataclass(frozen=True, slots=True)
class AppriseUrl:
    """Sends notices as plain text to one Apprise URL, which holds a secret and is never shown."""

    name: str
    url: str = field(repr=False)

    async def send(self, notices: Sequence[Notice]) -> None:
        """Send the group as one message.

        Raises:
            DeliveryError: Apprise does not know the URL, the service refused it (both for good), or failed.
        """
        await asyncio.to_thread(self._send, title(notices), body(notices))

    def known(self) -> bool:
        """Whether Apprise can do anything with the URL; nothing is sent."""
        return bool(self._service())

    def _service(self) -> Apprise:
        import apprise  # noqa: PLC0415  heavy: only a process that notifies pays for it

        _hush()
        service = apprise.Apprise(asset=apprise.AppriseAsset(http_redirects=False))
        service.add(self.url)
        for target in service:
            target.redirects = False  # even where the URL asks for it: a notice goes where it was addressed
        return service

    def _send(self, heading: str, text: str) -> None:
        service = self._service()
        if not service:
            message = f"the URL of channel {self.name} is none that Apprise knows"
            raise DeliveryError(message, permanent=True)
        result = service.notify(title=heading, body=text, body_format="text")
        if not result:
            status = _status(entry.message for one in result.results for entry in one.logs())
            what = "did not take the message" if status is None else f"answered {status}"
            message = f"the service of channel {self.name} {what}"
            raise DeliveryError(message, permanent=status is not None and _refused(status))


def _hush() -> None:
    """Keep what Apprise logs from being printed: its lines may hold the URL."""
    logger = logging.getLogger("apprise")
    logger.propagate = False
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())


def _refused(status: int) -> bool:
    """Whether no later try can mend it; a redirect is no answer, since none is followed."""
    return status in REFUSED or HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST


def _status(lines: Iterable[str]) -> int | None:
    """The last HTTP status in what Apprise logged of a message: nothing else of it is kept."""
    found = [int(match[1]) for line in lines if (match := _STATUS.search(line))]
    return found[-1] if found else None


def title(notices: Sequence[Notice]) -> str:
    """One line: what happened, or how many things did."""
    return f"serinus: {_what(notices[0])}" if len(notices) == 1 else f"serinus: {len(notices)} notices"


def body(notices: Sequence[Notice]) -> str:
    """The notices' texts; of several, each says what and where, as the title does of one."""
    if len(notices) == 1:
        return notices[0].text
    return "\n\n".join(f"{_what(n)}\n{n.text}" for n in notices)


def _what(notice: Notice) -> str:
    where = " ".join(part for part in (notice.tag, notice.model) if part)
    return f"{notice.kind.replace('_', ' ')} {where}".rstrip()
