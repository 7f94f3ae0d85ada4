"""Any service that Apprise knows, by its URL: mail, Slack, Telegram, PagerDuty and others."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from serinus.service.links import NOWHERE, Links
from serinus.service.notice_kinds import Severity, severity_of
from serinus.service.ports import DeliveryError
from serinus.service.storage import Notice

if TYPE_CHECKING:
    from apprise import Apprise

_STATUS: Final = re.compile(r"\berror=(\d{3})\b")  # how Apprise's services log an HTTP status
# No such address, no such secret. A full quota or a busy service passes.
REFUSED: Final = frozenset({400, 401, 403, 404, 405, 410})

SPLIT: Final = 1900  # characters: a service of longer messages gets several, one of shorter the beginning


@dataclass(frozen=True, slots=True)
class AppriseUrl:
    """Sends notices as plain text to one Apprise URL, which holds a secret and is never shown."""

    name: str
    url: str = field(repr=False)
    links: Links = NOWHERE

    async def send(self, notices: Sequence[Notice]) -> None:
        """Send the group as one message.

        Raises:
            DeliveryError: Apprise does not know the URL, the service refused it (both for good), or failed.
        """
        await asyncio.to_thread(self._send, title(notices), body(notices, self.links), tone(notices))

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
            if target.overflow_mode == apprise.OverflowMode.UPSTREAM:
                # A service refuses what is too long, which would pass for a refusal for good.
                long = target.body_maxlen >= SPLIT
                target.overflow_mode = apprise.OverflowMode.SPLIT if long else apprise.OverflowMode.TRUNCATE
        return service

    def _send(self, heading: str, text: str, how: str) -> None:
        service = self._service()
        if not service:
            message = f"the URL of channel {self.name} is none that Apprise knows"
            raise DeliveryError(message, permanent=True)
        result = service.notify(title=heading, body=text, body_format="text", notify_type=how)
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
    """One line: how grave it is and what happened, or how many things did."""
    if len(notices) == 1:
        return f"[{notices[0].severity}] serinus: {_what(notices[0])}"
    return f"[{_worst(notices).word}] serinus: {len(notices)} notices"


def body(notices: Sequence[Notice], links: Links = NOWHERE) -> str:
    """The notices' texts; of several the gravest first, each with what and where, as the title of one."""
    if len(notices) == 1:
        return _text(notices[0], links)
    ordered = sorted(notices, key=lambda n: -severity_of(n.severity))
    return "\n\n".join(f"[{n.severity}] {_what(n)}\n{_text(n, links)}" for n in ordered)


def tone(notices: Sequence[Notice]) -> str:
    """How the service shows it, in Apprise's words: by the gravest; what only ends troubles is a success."""
    worst = _worst(notices)
    if worst is Severity.INFO and all(n.resolves for n in notices):
        return "success"
    return {Severity.INFO: "info", Severity.WARNING: "warning", Severity.CRITICAL: "failure"}[worst]


def _worst(notices: Sequence[Notice]) -> Severity:
    return max(severity_of(n.severity) for n in notices)


def _text(notice: Notice, links: Links) -> str:
    link = links.of(notice)
    return notice.text if link is None else f"{notice.text}\n{link}"


def _what(notice: Notice) -> str:
    where = " of ".join(part for part in (notice.tag, notice.model) if part)
    return f"{notice.kind.replace('_', ' ')} {where}".rstrip()
