"""`serinus mark`: an operator's opinion of a decision (R17)."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from serinus.cli.acting import say, signed


def mark(  # noqa: PLR0913  each is an option of the command
    decision: int,
    opinion: Literal["right", "wrong", "clear"],
    *,
    why: str,
    by: str | None = None,
    config: Path | None = None,
    json_: bool = False,
) -> int:
    """Say whether a decision was right or wrong, or take that back.

    Marks change nothing that was decided: `serinus observe-report` counts them, to tell how often the
    canary is wrong.

    Parameters
    ----------
    decision
        Its number, as `serinus log` shows it.
    opinion
        right, wrong, or clear to take a mark back.
    why
        The reason, for whoever looks at it next.
    by
        Who marks; SERINUS_BY or the login name when absent.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    json_
        Print one JSON object instead.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  `serinus --help` stays light

    return told(lambda: _mark(decision, opinion, (by, why), config, as_json=json_))


def _mark(
    seq: int, opinion: str, signature: tuple[str | None, str], config: Path | None, *, as_json: bool
) -> int:
    from serinus.cli.desk import open_desk  # noqa: PLC0415  as above
    from serinus.cli.records import put  # noqa: PLC0415  as above
    from serinus.core import explain  # noqa: PLC0415  as above
    from serinus.service.operators import OPINIONS, Mark  # noqa: PLC0415  as above
    from serinus.service.operators import mark as note  # noqa: PLC0415  as above
    from serinus.service.records import decision  # noqa: PLC0415  as above

    by, why = signed(*signature), signature[1]
    with open_desk(config, acting=True) as desk:
        found = note(desk.store, Mark(seq, OPINIONS[opinion], by, why, desk.at))
    if as_json:
        put({"seq": seq, "mark": OPINIONS[opinion], **decision(found)})
        return 0
    said = "No mark on" if opinion == "clear" else f"Marked {opinion}:"
    say(f"{said} {seq}  {found.route or ''} of {found.model}: {explain.of_decision(found)}")
    return 0
