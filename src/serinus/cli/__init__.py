"""The command line: one file a command.

Commands are named by import strings, so that `serinus --help` stays light.
"""

from __future__ import annotations

from typing import Final

from cyclopts import App

import serinus

COMMANDS: Final = {
    "round": "serinus.cli.round:run",
    "judge": "serinus.cli.judge:judge",
    "replay": "serinus.cli.replay:replay",
    "simulate": "serinus.cli.simulate:simulate",
    "config": "serinus.cli.config:app",
}

app = App(
    name="serinus",
    help="Find silently degraded hosts of a language model and keep traffic away from them.",
    version=serinus.__version__,
)

for _name, _where in COMMANDS.items():
    app.command(_where, name=_name)


def main() -> None:
    """Run the command that the arguments name."""
    app()
