"""`serinus compare`: the same prompts to one route and its peers, to prove or refute a suspicion (R27)."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from cyclopts import App, Parameter

from serinus.cli.acting import signed, tell
from serinus.cli.arguments import Count
from serinus.cli.comparison_options import (
    Answers,
    Budget,
    By,
    Config,
    Demo,
    Name,
    Prompts,
    Seed,
    Several,
    Simulate,
    Yes,
)

if TYPE_CHECKING:
    from serinus.config import Settings
    from serinus.prober.secret import Key
    from serinus.service.comparing.request import ComparisonRequest
    from serinus.service.comparing.result import Comparison
    from serinus.service.storage import Store

WHY = "A comparison spends money."
ENDED_EARLY = 1
NOT_ASKED = 2

app = App(
    name="compare",
    help="Ask one route and its peers the same prompts: does a fault follow the endpoint?",
    default_parameter=Parameter(negative=()),
)


@dataclass(frozen=True, slots=True)
class Shown:
    """How a comparison is shown, beside the table."""

    json: bool = False
    markdown: bool = False
    pack: Path | None = None


@app.default
def compare(  # noqa: PLR0913  each is an option of the command
    *,
    model: str | None = None,
    contract: str | None = None,
    route: Several = (),
    answers: Answers = 20,
    peer_answers: Count | None = None,
    language: Several = (),
    prompts: Prompts = None,
    name: Name = None,
    seed: Seed = None,
    budget: Budget = None,
    yes: Yes = False,
    by: By = None,
    config: Config = None,
    demo: Demo = False,
    simulate: Simulate = None,
    json_: bool = False,
    markdown: bool = False,
    pack: Path | None = None,
) -> int:
    """Ask a route and its peers the same prompts, and say whether a fault follows the endpoint.

    Requests are pinned, made once, interleaved over the routes in an order that chance gives. What it
    costs is printed before, and refused above what the day's budget has left. Ctrl-C ends it and keeps
    what was measured. The exit status is 0, 1 if it ended early, 2 if nothing was asked.

    Parameters
    ----------
    model
        The model whose routes are compared.
    contract
        What is judged: opening, language, filtering, structured_output or any other scored contract.
    route
        A suspect, by its tag or its provider; may be given several times. Every route when absent.
    answers
        How many answers are asked of each suspect.
    peer_answers
        How many are asked of each other route; as many when absent.
    language
        A language to ask in; may be given several times. The model's languages in turn when absent.
    json_
        Print one JSON object an answer while it runs, and one with the result.
    markdown
        Print the result as Markdown.
    pack
        Write an evidence pack for the provider into this folder, which must be new or empty.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  `serinus --help` stays light

    asked = _Asked(
        model, contract, route, answers, peer_answers, language, prompts, name, seed, budget, yes, by
    )
    where = _Where(config, demo, simulate)
    return told(lambda: _compare(asked, where, Shown(json_, markdown, pack)))


@dataclass(frozen=True, slots=True)
class _Asked:
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
class _Where:
    """Which gateway is asked, and where results are kept."""

    config: Path | None
    demo: bool
    simulate: Path | None

    @property
    def simulated(self) -> bool:
        """Whether nothing is spent and nothing is kept."""
        return self.demo or self.simulate is not None


def _compare(asked: _Asked, where: _Where, shown: Shown) -> int:
    from serinus.cli.comparing import cannot_pack  # noqa: PLC0415  `serinus --help` stays light
    from serinus.service.comparing.prompts import PromptsError  # noqa: PLC0415  as above
    from serinus.service.comparing.request import ComparisonError  # noqa: PLC0415  as above

    trouble = cannot_pack(shown.pack)
    if trouble is not None:
        tell(trouble)
        return NOT_ASKED
    try:
        request = _request(asked, where)
        return asyncio.run(_held(request, where, shown))
    except (ComparisonError, PromptsError) as error:
        tell(str(error))
        return NOT_ASKED
    except asyncio.CancelledError:
        kept = (
            "nothing of a simulation is kept" if where.simulated else "what was measured until then is kept"
        )
        tell(f"Left unfinished; {kept}.")
        return ENDED_EARLY


async def _held(wanted: ComparisonRequest, where: _Where, shown: Shown) -> int:
    from serinus.bootstrap.comparing import open_hands  # noqa: PLC0415  as above
    from serinus.cli.comparing import Watch, show_plan  # noqa: PLC0415  as above
    from serinus.cli.stopping import stopper  # noqa: PLC0415  as above
    from serinus.service.comparing.plan import plan  # noqa: PLC0415  as above
    from serinus.service.comparing.run import check_budget, hold  # noqa: PLC0415  as above

    stop = stopper("Stopping after the requests in flight; once more leaves them unfinished.\n")
    async with _gateway(where) as (settings, key, store):
        request = replace(wanted, model=wanted.model or _only_model(settings))
        async with open_hands(settings, key, store, request.model) as hands:
            found = await plan(request, hands)
            show_plan(found, simulated=where.simulated)
            await check_budget(found, hands)
            with Watch(found, as_json=shown.json) as watch:
                held = await hold(found, hands, watch.answered, stop)
    return _tell(held, shown)


def _tell(held: Comparison, shown: Shown) -> int:
    from serinus.cli.comparing import show_result, write_pack  # noqa: PLC0415  as above
    from serinus.service.comparisons import ComparisonState  # noqa: PLC0415  as above

    show_result(held, as_json=shown.json, as_markdown=shown.markdown)
    if shown.pack is not None:
        write_pack(held, shown.pack)
    return 0 if held.state is ComparisonState.DONE else ENDED_EARLY


def _request(asked: _Asked, where: _Where) -> ComparisonRequest:
    """What is asked, looked over as far as that needs no gateway; the model may still be open."""
    from serinus.service.comparing.asked import contract_of, known_contracts  # noqa: PLC0415  as above
    from serinus.service.comparing.prompts import prompts_of  # noqa: PLC0415  as above
    from serinus.service.comparing.request import ComparisonError, ComparisonRequest  # noqa: PLC0415  as above

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
    from serinus.service.comparing.request import ComparisonError  # noqa: PLC0415  as above

    models = [m.id for m in settings.model]
    if len(models) != 1:
        message = f"which model? Give --model; configured are {', '.join(models)}"
        raise ComparisonError(message)
    return models[0]


@asynccontextmanager
async def _gateway(where: _Where) -> AsyncIterator[tuple[Settings, Key | None, Store]]:
    """The settings, the key and the store of whoever is asked; a simulation's store ends with it."""
    from serinus.bootstrap.simulation import open_simulation, scenario_of  # noqa: PLC0415  as above
    from serinus.config import api_key, load  # noqa: PLC0415  as above
    from serinus.store import open_store  # noqa: PLC0415  as above

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


@app.command(name="list")
def list_(
    *, model: str | None = None, limit: Count = 20, config: Path | None = None, json_: bool = False
) -> int:
    """List the comparisons that are kept, the newest first.

    Parameters
    ----------
    model
        Only those of this model.
    limit
        How many at most.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    json_
        Print one JSON object a comparison instead.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  `serinus --help` stays light

    return told(lambda: _list(model, limit, config, as_json=json_))


def _list(model: str | None, limit: int, config: Path | None, *, as_json: bool) -> int:
    from serinus.cli.comparing import show_list  # noqa: PLC0415  as above
    from serinus.cli.desk import open_desk  # noqa: PLC0415  as above
    from serinus.service.comparisons import seen_at  # noqa: PLC0415  as above

    with open_desk(config) as desk:
        rows = desk.store.comparisons.latest(model, limit=limit)
        show_list([seen_at(row, desk.at) for row in rows], as_json=as_json)
    return 0


@app.command
def show(
    name: str,
    *,
    config: Path | None = None,
    json_: bool = False,
    markdown: bool = False,
    pack: Path | None = None,
) -> int:
    """Show a comparison that is kept, or write its evidence pack.

    Parameters
    ----------
    name
        The comparison's name, as `serinus compare list` has it.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    json_
        Print one JSON object instead.
    markdown
        Print it as Markdown.
    pack
        Write an evidence pack for the provider into this folder, which must be new or empty.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  `serinus --help` stays light

    return told(lambda: _show(name, config, Shown(json_, markdown, pack)))


def _show(name: str, config: Path | None, shown: Shown) -> int:
    from serinus.cli.comparing import cannot_pack  # noqa: PLC0415  as above
    from serinus.cli.desk import open_desk  # noqa: PLC0415  as above
    from serinus.service.comparing.documents import comparison_of  # noqa: PLC0415  as above
    from serinus.service.comparisons import seen_at  # noqa: PLC0415  as above

    trouble = cannot_pack(shown.pack)
    if trouble is not None:
        tell(trouble)
        return NOT_ASKED
    with open_desk(config) as desk:
        row, at = desk.store.comparisons.get(name), desk.at
    if row is None:
        message = f"there is no comparison {name!r}; `serinus compare list` has the names"
        raise LookupError(message)
    _tell(comparison_of(seen_at(row, at)), shown)
    return 0
