"""Any service that Apprise knows, by its URL: mail, Slack, Telegram, PagerDuty and others."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from serinus.service.ports import DeliveryError
from serinus.service.storage import Notice


@dataclass(frozen=True, slots=True)
class AppriseUrl:
    """Sends notices as plain text to one Apprise URL; the URL holds a secret and is never shown."""

    name: str
    url: str

    async def send(self, notices: Sequence[Notice]) -> None:
        """Send the group as one message.

        Raises:
            DeliveryError: the URL is none that Apprise knows (for good), or the service failed.
        """
        await asyncio.to_thread(self._send, title(notices), "\n\n".join(n.text for n in notices))

    def _send(self, heading: str, body: str) -> None:
        import apprise  # noqa: PLC0415  heavy: only a process that notifies pays for it

        service = apprise.Apprise()
        if not service.add(self.url):
            message = f"the URL of channel {self.name} is none that Apprise knows"
            raise DeliveryError(message, permanent=True)
        if not service.notify(title=heading, body=body, body_format=apprise.NotifyFormat.TEXT):
            message = f"channel {self.name} did not take the message"
            raise DeliveryError(message, permanent=False)


def title(notices: Sequence[Notice]) -> str:
    """One line: what happened, or how many things did."""
    if len(notices) == 1:
        notice = notices[0]
        where = " ".join(part for part in (notice.tag, notice.model) if part)
        return f"serinus: {notice.kind.replace('_', ' ')} {where}".rstrip()
    return f"serinus: {len(notices)} notices"
