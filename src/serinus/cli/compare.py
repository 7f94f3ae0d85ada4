"""`serinus compare`: the same prompts to one route and its peers, to prove or refute a suspicion (R27)."""

from __future__ import annotations

from pathlib import Path

from cyclopts import App, Parameter

from serinus.cli.acting import tell
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

app = App(
    name="compare",
    help="Ask one route and its peers the same prompts: does a fault follow the endpoint?",
    default_parameter=Parameter(negative=()),
)


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

    def work() -> int:
        from serinus.cli.comparing import Shown  # noqa: PLC0415  as above
        from serinus.cli.comparison import Typed, Where, held  # noqa: PLC0415  as above

        typed = Typed(
            model, contract, route, answers, peer_answers, language, prompts, name, seed, budget, yes, by
        )
        return held(typed, Where(config, demo, simulate), Shown(json_, markdown, pack))

    return told(work)


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

    return told(lambda: _show(name, config, as_json=json_, as_markdown=markdown, pack=pack))


def _show(name: str, config: Path | None, *, as_json: bool, as_markdown: bool, pack: Path | None) -> int:
    from serinus.cli.comparing import NOT_ASKED, Shown, cannot_pack, give  # noqa: PLC0415  as above
    from serinus.cli.desk import open_desk  # noqa: PLC0415  as above
    from serinus.service.comparing.documents import comparison_of  # noqa: PLC0415  as above
    from serinus.service.comparisons import seen_at  # noqa: PLC0415  as above

    trouble = cannot_pack(pack)
    if trouble is not None:
        tell(trouble)
        return NOT_ASKED
    with open_desk(config) as desk:
        row, at = desk.store.comparisons.get(name), desk.at
    if row is None:
        message = f"there is no comparison {name!r}; `serinus compare list` has the names"
        raise LookupError(message)
    give(comparison_of(seen_at(row, at)), Shown(as_json, as_markdown, pack))
    return 0
