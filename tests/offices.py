"""An office over a store that a canary left, with people who may come in."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from asgi import Client
from cli.operated import Operated
from serinus.bootstrap.canary import plans_of
from serinus.bootstrap.desk import desk_of
from serinus.config import load
from serinus.service.access import EVERYTHING, Scope
from serinus.service.access.keeping import Keeper
from serinus.service.comparing.request import Hands
from serinus.service.memory import Memory
from serinus.service.rounds import judged_here
from serinus.web.app import make_app
from serinus.web.gate import Gate
from serinus.web.laboratory import Laboratory
from serinus.web.live import Changes
from serinus.web.office import Office
from serinus.web.site import Site
from world import Unpaced

PASSWORD = "a long enough password"  # noqa: S105  of a test
ANNA = "anna"


@dataclass
class Watch:
    """A clock that goes when it is told to."""

    at: datetime

    def __call__(self) -> datetime:
        return self.at

    def later(self, **length: float) -> None:
        self.at += timedelta(**length)


@dataclass
class House:
    """The office, its application, and its keeper; `rounds` says which routes fail, round by round."""

    folder: Path
    rounds: Sequence[Sequence[str]] = ((), ())
    site: Site = field(default_factory=Site)
    setup: str | None = None
    mode: str = "enforce"

    def __post_init__(self) -> None:
        self.operated = Operated(self.folder, mode=self.mode, rounds=max(len(self.rounds), 1))
        for bad in self.rounds:
            self.operated.round(*bad)
        self.store = self.operated.store
        self.clock = Watch(self.operated.at - timedelta(minutes=20))
        settings = load(self.operated.config, {})
        self.memory = Memory(self.store)
        self.desk = desk_of(settings, self.memory, self.clock)
        self.gate = Gate(self.store.access, self.clock, self.site.session, setup=self.setup)
        self.changes = Changes(self.look)
        laboratory = Laboratory(self.hands)
        self.office = Office(
            self.desk, self.gate, self.changes, self.site, plans_of(settings), laboratory=laboratory
        )
        self.app = make_app(self.office)

    @asynccontextmanager
    async def hands(self, model: str) -> AsyncIterator[Hands]:
        """A town that answers at once, for comparisons."""
        del model
        gateway = self.operated.canary.gateway
        yield Hands(gateway, Unpaced(), judged_here, self.store, self.clock, languages=("en", "pt"))

    def look(self) -> int:
        self.memory.catch_up()
        return self.memory.seen

    @property
    def keeper(self) -> Keeper:
        return Keeper(self.store.access, "tests", self.clock())

    def operator(self, name: str = ANNA, scopes: Collection[Scope] = EVERYTHING) -> None:
        self.keeper.add(name, scopes, PASSWORD)

    def token(self, *scopes: Scope, until: datetime | None = None, label: str = "program") -> str:
        """A token of Anna's, who may do everything."""
        if self.store.access.operator(ANNA) is None:
            self.operator()
        return self.keeper.issue(ANNA, label, scopes or EVERYTHING, until)[0]

    def visitor(self, **rest) -> Client:
        return Client(self.app, **rest)

    def program(self, *scopes: Scope) -> Client:
        """A program with a token that allows this."""
        return bearing(self.visitor(), self.token(*scopes))

    def browser(self, name: str = ANNA) -> Client:
        """A browser in which somebody logged in."""
        if self.store.access.operator(name) is None:
            self.operator(name)
        found = self.visitor()
        assert found.submit("/login", {"name": name, "password": PASSWORD}).status == 303
        return found


def bearing(client: Client, token: str) -> Client:
    client.headers["authorization"] = f"Bearer {token}"
    return client
