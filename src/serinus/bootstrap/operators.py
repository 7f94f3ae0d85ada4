"""How operators are told: the configured channels and the heartbeat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from serinus.config import ConfigError, Settings
from serinus.config.channels import ChannelSettings, channels, heartbeat_url
from serinus.engine.clock import now
from serinus.notify.apprise_url import AppriseUrl
from serinus.notify.heartbeat import Heartbeat
from serinus.notify.webhook import Webhook
from serinus.prober.secret import Key
from serinus.service.canary import Canary
from serinus.service.courier import Courier, Tell
from serinus.service.duty import Duty, Report, no_beat
from serinus.service.links import NOWHERE, Links
from serinus.service.ports import Channel
from serinus.service.storage import Store
from serinus.service.watchman import Watchman


def channel_of(settings: ChannelSettings, links: Links = NOWHERE) -> Channel:
    """The channel that these settings open; nothing is asked yet. Its notices link to pages."""
    url = settings.url.get_secret_value()
    if settings.kind == "apprise" or settings.secret is None:
        return AppriseUrl(settings.name, url, links)
    return Webhook(settings.name, url, settings.secret.get_secret_value().encode(), now, links)


@dataclass(frozen=True, slots=True)
class Operators:
    """How operators are told: their channels, and the address that is called while all is well.

    `links` is where notices lead.
    """

    channels: tuple[ChannelSettings, ...] = ()
    heartbeat: Key | None = None
    links: Links = NOWHERE

    def courier(self, store: Store, tell: Tell) -> Courier:
        """Who delivers this store's notices."""
        wants = {c.name: c.wants for c in self.channels}
        return Courier(store, [channel_of(c, self.links) for c in self.channels], now, wants, tell)

    def duty(self, canary: Canary, report: Report, tell: Tell, interval: timedelta | None = None) -> Duty:
        """A canary's duty, with what follows its rounds; with their interval it sees that none is late."""
        url = self.heartbeat
        beat = no_beat if url is None else Heartbeat(url.get_secret_value()).beat
        courier = self.courier(canary.store, tell)
        look = None
        if interval is not None:
            look = Watchman(canary.memory, canary.clock, tuple(canary.plans), interval).look
        return Duty(canary, courier, report, beat, tell, look)


def operators_of(settings: Settings, environ: Mapping[str, str]) -> Operators:
    """The configured channels and heartbeat.

    Raises:
        ConfigError: a URL or secret is not where the configuration says; every one is told.
    """
    found, unsent = channels(settings, environ)
    heartbeat, unheard = heartbeat_url(settings, environ)
    if unsent or unheard:
        raise ConfigError([*unsent, *unheard])
    return Operators(found, heartbeat, Links(settings.serve.public_url))
