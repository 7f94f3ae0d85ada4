"""One comparison from a terminal: planned, priced, held, shown."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from serinus.bootstrap.comparing import open_hands
from serinus.bootstrap.simulation import open_simulation, scenario_of
from serinus.cli.acting import signed, tell
from serinus.cli.comparing import ENDED_EARLY, NOT_ASKED, Shown, Watch, cannot_pack, give, show_plan
from serinus.cli.stopping import stopper
from serinus.config import Settings, api_key, load
from serinus.core.explain.phrases import some
from serinus.prober.secret import Key
from serinus.service.comparing.asked import contract_of, known_contracts
from serinus.service.comparing.plan import plan
from serinus.service.comparing.prompts import PromptsError, prompts_of
from serinus.service.comparing.request import ComparisonError, ComparisonRequest, Hands
from serinus.service.comparing.result import Comparison
from serinus.service.comparing.run import OnBegun, check_budget, hold, unnamed
from serinus.service.storage import Store
from serinus.store import open_store

WHY: Final = "A comparison spends money."
STOPPING: Final = "Stopping after the requests in flight; once more leaves them unfinished.\n"


@dataclass(frozen=True, slots=True)
class Typed:
    """What is asked, as it was typed."""

    model: str | None
    contract: str | None
    routes: tuple[str, ...]
    answers: int
    peer_answers: int | None
    languages: tuple[str, ...]
    prompts: Path | None
    name: str | None
    seed: str | None
    budget: float | None
    yes: bool
    by: str | None


@dataclass(frozen=True, slots=True)
class Where:
    """Which gateway is asked, and where results are kept."""

    config: Path | None
    demo: bool
    simulate: Path | None

    @property
    def simulated(self) -> bool:
        """Whether nothing is spent and nothing is kept."""
        return self.demo or self.simulate is not None


def held(asked: Typed, where: Where, shown: Shown) -> int:
    """Hold a comparison and show it; the exit status. Raises as `told` catches."""
    trouble = cannot_pack(shown.pack)
    if trouble is not None:
        tell(trouble)
        return NOT_ASKED
    try:
        request = _request(asked, where)
        return asyncio.run(_hold(request, where, shown))
    except (ComparisonError, PromptsError) as error:
        tell(str(error))
        return NOT_ASKED
    except asyncio.CancelledError:
        kept = (
            "nothing of a simulation is kept" if where.simulated else "what was measured until then is kept"
        )
        tell(f"Left unfinished; {kept}.")
        return ENDED_EARLY


async def _hold(wanted: ComparisonRequest, where: Where, shown: Shown) -> int:
    stop = stopper(STOPPING)
    async with _gateway(where) as (settings, key, store):
        request = replace(wanted, model=wanted.model or _only_model(settings))
        async with open_hands(settings, key, store, request.model) as hands:
            ended = await watched(request, hands, stop, simulated=where.simulated, as_json=shown.json)
    return give(ended, shown)


async def watched(  # noqa: PLR0913  two commands hold one, and differ in these
    request: ComparisonRequest,
    hands: Hands,
    stop: asyncio.Event,
    begun: OnBegun = unnamed,
    *,
    simulated: bool = False,
    as_json: bool,
) -> Comparison:
    """Plan, show the price, see that it may be paid, and hold it while its progress is shown.

    Raises:
        ComparisonError: it cannot be held as it was asked for, or may not be paid for.
    """
    found = await plan(request, hands)
    show_plan(found, simulated=simulated)
    await check_budget(found, hands)
    with Watch(found, as_json=as_json) as watch:
        return await hold(found, hands, watch.answered, stop, begun)


def _request(asked: Typed, where: Where) -> ComparisonRequest:
    """What is asked, looked over as far as that needs no gateway; the model may still be open."""
    if asked.contract is None:
        message = f"which contract? Give --contract; allowed are {', '.join(known_contracts())}"
        raise ComparisonError(message)
    file = asked.prompts
    request = ComparisonRequest(
        model=asked.model or "",
        contract=asked.contract,
        by="simulation" if where.simulated and asked.by is None else signed(asked.by, WHY),
        routes=asked.routes,
        answers=asked.answers,
        peer_answers=asked.peer_answers,
        languages=asked.languages,
        prompts=None if file is None else prompts_of(file.read_bytes()),
        name=asked.name,
        seed=asked.seed,
        leave=asked.budget,
        yes=asked.yes,
    )
    contract_of(request)
    return request


def _only_model(settings: Settings) -> str:
    models = [m.id for m in settings.model]
    if len(models) != 1:
        message = f"which model? Give --model; configured are {some(models)}"
        raise ComparisonError(message)
    return models[0]


@asynccontextmanager
async def _gateway(where: Where) -> AsyncIterator[tuple[Settings, Key | None, Store]]:
    """The settings, the key and the store of whoever is asked; a simulation's store ends with it."""
    if where.simulated:
        store = open_store("sqlite://")
        try:
            async with open_simulation(scenario_of(where.simulate)) as (settings, key):
                yield settings, key, store
        finally:
            store.close()
        return
    settings = load(where.config, os.environ)
    store = open_store(settings.store.path, create=True)
    try:
        yield settings, api_key(settings, os.environ), store
    finally:
        store.close()
