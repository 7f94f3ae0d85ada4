"""The command line: one file a command.

Commands are named by import strings, so that `serinus --help` stays light.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
from pathlib import Path
from typing import Final, TextIO

from cyclopts import App, Parameter

import serinus

INTERRUPTED: Final = 130  # as a shell says of SIGINT

# name -> where it is, and the line that `serinus --help` shows without importing it
COMMANDS: Final = {
    "run": ("serinus.cli.run:run", "Watch the configured models: a round each half hour."),
    "round": ("serinus.cli.round:run", "Ask every live route of a model once, judge, decide and show it."),
    "status": ("serinus.cli.status:status", "Show where every route stands, at one look."),
    "explain": ("serinus.cli.explain:explain", "Say why a route is in or out, and what would change it."),
    "exclusions": (
        "serinus.cli.exclusions:app",
        "List what keeps routes from user traffic, and add to it or take it back.",
    ),
    "export": ("serinus.cli.export:export", "Write the ignore lists to a file that applications read."),
    "lift": ("serinus.cli.lift:lift", "End a route's suspension by hand."),
    "mode": ("serinus.cli.mode:mode", "Set whether suspensions reach routing: observe or enforce."),
    "log": ("serinus.cli.log:log", "Show what was decided, when and why."),
    "mark": ("serinus.cli.mark:mark", "Say whether a decision was right or wrong."),
    "observe-report": (
        "serinus.cli.observe_report:observe_report",
        "Report what observe mode would have done, and how often it would have been wrong.",
    ),
    "doctor": (
        "serinus.cli.doctor:doctor",
        "Look everything over: key, listings, store, channels; say what to do.",
    ),
    "report": (
        "serinus.cli.report:app",
        "Find the routes that may have served what a user reports, and what was known of them.",
    ),
    "compare": (
        "serinus.cli.compare:app",
        "Ask one route and its peers the same prompts: does a fault follow the endpoint?",
    ),
    "proxy": (
        "serinus.cli.proxy:proxy",
        "Stand before the gateway and add the merged list to each request.",
    ),
    "traffic": (
        "serinus.cli.traffic:traffic",
        "Show what user traffic met, beside what the canary knows.",
    ),
    "notify": ("serinus.cli.notify:app", "Show and try operators' channels, and switch one on again."),
    "serve": ("serinus.cli.serve:serve", "Serve the JSON API and the pages, beside a canary elsewhere."),
    "operator": (
        "serinus.cli.operator:app",
        "Name who may come in by the web and the API: operators, their passwords and tokens.",
    ),
    "plan": ("serinus.cli.plan:plan", "Show what rounds will ask and cost, before anything is spent."),
    "judge": ("serinus.cli.judge:judge", "Judge recorded answers offline."),
    "replay": ("serinus.cli.replay:replay", "Fold a recorded history through the policy."),
    "drill": ("serinus.cli.drill:drill", "Run days on a simulated gateway in minutes; see what is caught."),
    "simulate": (
        "serinus.cli.simulate:simulate",
        "Run a simulated gateway whose hosts have the faults you name.",
    ),
    "config": ("serinus.cli.config:app", "Check the configuration, or write one to start from."),
}


def make_app(*, listing: bool = False) -> App:
    """The command line.

    With `listing` each command shows its line of `COMMANDS`, and none is imported; without, a command's
    help is its docstring.
    """
    made = App(
        name="serinus",
        help="Find silently degraded hosts of a language model and keep traffic away from them.",
        version=serinus.__version__,
        default_parameter=Parameter(negative=()),  # a switch is given or not; there is no --no-json
    )
    for name, (where, line) in COMMANDS.items():
        made.command(where, name=name, help=line if listing else None)
    return made


app = make_app()


def main() -> None:
    """Run the command that the arguments name.

    Ctrl-C, or a reader that has seen enough, ends it without a traceback.
    """
    sys.stdout, sys.stderr = _writable(sys.stdout), _writable(sys.stderr)
    try:
        make_app(listing=COMMANDS.keys().isdisjoint(sys.argv[1:]))()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is still buffered
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _writable(stream: TextIO | None) -> TextIO:
    """A stream that takes any text: what was closed leads nowhere, what knows only ASCII gets UTF-8."""
    if stream is None:
        return Path(os.devnull).open("w", encoding="utf-8")
    if isinstance(stream, io.TextIOWrapper):
        ascii_alone = codecs.lookup(stream.encoding).name == "ascii"
        stream.reconfigure(encoding="utf-8" if ascii_alone else None, errors="replace")
    return stream
