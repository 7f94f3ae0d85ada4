"""The options of `serinus compare`, each with what its help says."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from serinus.cli.arguments import Count, Money

Several = Annotated[tuple[str, ...], Parameter(consume_multiple=False, show_default=False)]
Answers = Annotated[Count, Parameter(name=["--answers", "-n"])]
Prompts = Annotated[
    Path | None,
    Parameter(
        help='Ask the prompts of this file instead: one a line, or a JSON object a line with "messages". '
        "They are your responsibility, and are kept nowhere."
    ),
]
Name = Annotated[
    str | None,
    Parameter(help="What the comparison is called; made up of contract, model and time when absent."),
]
Seed = Annotated[
    str | None,
    Parameter(
        help="Fixes prompts and order: that of an earlier comparison repeats it. Its name when absent."
    ),
]
Budget = Annotated[
    Money | None, Parameter(help="US dollars that it may cost, instead of what the day's budget has left.")
]
Yes = Annotated[bool, Parameter(help="Go on above any budget.")]
By = Annotated[str | None, Parameter(help="Who asks; SERINUS_BY or the login name when absent.")]
Config = Annotated[
    Path | None,
    Parameter(
        help="The configuration; without it the environment's, else serinus.toml in the current folder."
    ),
]
Demo = Annotated[bool, Parameter(help="Compare routes of the simulated gateway that comes with serinus.")]
Simulate = Annotated[
    Path | None,
    Parameter(help="Compare routes of a simulated gateway with the hosts and faults of this scenario."),
]
