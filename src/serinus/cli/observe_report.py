"""`serinus observe-report`: what observe mode would have done (R17)."""

from __future__ import annotations

import sys
from datetime import timedelta
from pathlib import Path

from serinus.cli.arguments import Duration

TWO_WEEKS = timedelta(days=14)
LINE = 2000


def observe_report(
    *,
    since: Duration = TWO_WEEKS,
    model: str | None = None,
    markdown: bool = False,
    config: Path | None = None,
    json_: bool = False,
) -> int:
    """Report what observe mode would have done, how often it would have been wrong, and what to do.

    For each contract: would-be suspensions and the marks that operators gave them, those that look false
    by signs of their own, the measured share of failures on otherwise clean routes, and whether it is
    ready to be enforced. It only reads, and works beside a running canary.

    Parameters
    ----------
    since
        How far back (7d, 14d); two weeks when absent.
    model
        Only this model.
    markdown
        Print Markdown, which is the default.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    json_
        Print one JSON object a model instead.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  `serinus --help` stays light

    del markdown
    return told(lambda: _report(since, model, config, as_json=json_))


def _report(since: timedelta, model: str | None, config: Path | None, *, as_json: bool) -> int:
    from serinus.cli.desk import open_desk  # noqa: PLC0415  as above
    from serinus.cli.inert import inert  # noqa: PLC0415  as above
    from serinus.cli.observations import lines  # noqa: PLC0415  as above
    from serinus.cli.records import put  # noqa: PLC0415  as above
    from serinus.service.records.observing import document  # noqa: PLC0415  as above

    with open_desk(config) as desk:
        reports = [desk.observed(name, since) for name in desk.models([model] if model else ())]
    if as_json:
        for report in reports:
            put(document(report))
    else:
        sys.stdout.write("".join(f"{inert(line, LINE)}\n" for line in lines(reports)))
    return 0
