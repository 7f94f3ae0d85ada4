"""The page of what catches each simulated fault, from the results that `make coverage` stored."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

RESULTS: Final = Path(__file__).parents[1] / "docs" / "reference" / "coverage.json"
FATES: Final = {
    "caught": "the route was suspended",
    "shown": "recorded or told, and by design held against nobody: a warning, a void answer, a notice",
    "frozen": "a transport error: it moves no streak",
    "inconclusive": "odd enough to be noted, not enough to suspend",
    "missed": "the answers differ from healthy ones, and nothing says so",
    "unseen": "the answers do not differ: what rounds ask does not meet it, or it shows elsewhere only",
    "harmless": "odd and legal, and rightly held against nobody",
}
WHY: Final = {
    "body_truncated": "rounds ask for streams",
    "cap_ignored": "no answer of a healthy length reaches the cap",
    "stop_ignored": "no probe sends a stop string",
    "sibling_answers": "only the generation record tells siblings apart, and rounds do not fetch it",
    "slow_stream": "the first text is in time and no pause reaches 15 s: speed is not a contract",
    "runs_on": "it writes well until the cap that we sent",
    "json_other_language": "the object is valid; its one sentence is too short to tell its language for sure",
    "opening_mid_word": "role-play may begin in lower case, and a cut first word is told in few languages",
    "tools_dropped": "`tool_choice` is `auto`, which allows prose: only a rate would prove it",
    "tool_prose_instead": "`tool_choice` is `auto`, which allows prose: only a rate would prove it",
    "junk_at_line_starts": "each answer is whole but for a word or two; only counting over many would tell",
    "tool_name_repeated": "the call is whole to a reader that replaces the name instead of gluing it",
    "tool_arguments_withheld": "a call that comes late and whole is slow, and speed is not a contract",
    "assistant_voice": "a character may be dropped without a refusal: one answer proves nothing",
    "opening_blank_flood": "the text behind the blanks is whole",
    "tools_refused": "an error to our request is not held against a host",
    "variant_renamed": "a new tag is a new route with a history of its own",
    "listing_unclaimed": "a route that no longer claims a parameter is no longer asked for it",
    "system_prompt_lost": "a host may answer well without it; the missing nonce is a warning",
    "reasoning_ate_budget": "our own cap was used up: it proves nothing",
}
HEAD: Final = """# What catches what

Each fault of the simulated gateway on trial: one host has it in every answer, four are healthy, and
rounds of half an hour are held under logical time until it is suspended, at most {rounds}.
`serinus drill --faults all` does it again; `make coverage` stores what it finds.
A delay of 2 is the least that the policy allows, since one bad round is never enough; contracts that
ask in every second round need 3.

It says what is true of these faults, on synthetic texts. A real host's fault may be weaker, rarer, or
in one language only.
"""


def coverage() -> str:
    """The page, in Markdown."""
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    return "\n".join(_lines(results["faults"], results["rounds"])) + "\n"


def _lines(faults: list[dict[str, Any]], rounds: int) -> Iterator[str]:
    yield HEAD.format(rounds=rounds)
    yield "| fate | faults | what it means |\n| --- | --- | --- |"
    counts = Counter(f["fate"] for f in faults)
    yield from (f"| {fate} | {counts[fate]} | {meaning} |" for fate, meaning in FATES.items())
    wronged = sum(bool(f["wronged"]) for f in faults)
    yield f"\nTrials in which a healthy host was suspended: {wronged} of {len(faults)}.\n"
    yield "## By kind\n"
    yield f"| kind | {' | '.join(FATES)} | delay in rounds |\n| --- |{' --- |' * (len(FATES) + 1)}"
    for kind in sorted({f["kind"] for f in faults}):
        yield _kind(kind, [f for f in faults if f["kind"] == kind])
    yield "\n## Each fault\n\n| kind | fault | fate | named by | reason | round | why not |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    yield from (_fault(f) for f in faults)


def _kind(kind: str, faults: list[dict[str, Any]]) -> str:
    counts = Counter(f["fate"] for f in faults)
    delays = Counter(f["rounds"] for f in faults if f["fate"] == "caught")
    shown = ", ".join(f"{rounds}: {n}" for rounds, n in sorted(delays.items()))
    return f"| {kind} | {' | '.join(str(counts[fate] or '') for fate in FATES)} | {shown} |"


def _fault(fault: dict[str, Any]) -> str:
    reason = f"`{fault['reason']}`" if fault["reason"] else ""
    cells = (fault["kind"], f"`{fault['fault']}`", fault["fate"], fault["by"] or "", reason)
    why = WHY.get(fault["fault"], "") if fault["fate"] not in {"caught", "harmless"} else ""
    return f"| {' | '.join(cells)} | {fault['rounds'] or ''} | {why} |"
