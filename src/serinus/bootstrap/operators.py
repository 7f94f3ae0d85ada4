"""How operators are told: the configured channels and the heartbeat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

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

    def duty(self, canary: Canary, report: Report, tell: Tell, look: Callable[[], object]) -> Duty:
        """A canary's duty, with what follows its rounds; `look` is what it looks after beside them."""
        url = self.heartbeat
        beat = no_beat if url is None else Heartbeat(url.get_secret_value()).beat
        return Duty(canary, self.courier(canary.store, tell), report, beat, tell, look)


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
