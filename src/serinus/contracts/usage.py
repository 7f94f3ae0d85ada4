"""Usage: the reported token counts fit the text (R30). Information only."""

from __future__ import annotations

from typing import Final

from serinus.core.model import Probe, Turn, Verdict, Word
from serinus.core.transcript import Transcript, Usage
from serinus.judging.budget import likely_tokens
from serinus.judging.contract import Contract, Measurement, Reason
from serinus.judging.significance import median
from serinus.judging.visible import has_visible
from serinus.probes import roleplay

FACTOR: Final = 2.5  # times the local estimate, itself generous (`faults.md` F164)
SLACK: Final = 40  # tokens of templates and end marks that even a one-word answer may cost
PEERS: Final = 1.5  # times the peers' median, plus 200: a hidden prompt (`faults.md` F165)
PEERS_SLACK: Final = 200


class UsageCounts(Contract):
    """What is billed is what was written."""

    name = "usage"
    promise = "Reported token counts are there when asked for, and fit what was sent and written."
    kinds = frozenset({"roleplay", "structured", "tool_call", "peer_usage"})
    scored = False
    blind_fault = "zero_usage"
    reasons = (
        Reason("plausible", Word.PASS, "The counts fit the text."),
        Reason("not_requested", Word.PASS, "No usage came, and none was asked for."),
        Reason(
            "zero_usage",
            Word.WARN,
            "Text was delivered and a count is zero.",
            "0 completion tokens",
            "an error; a cached prompt that is counted elsewhere",
        ),
        Reason(
            "no_usage", Word.WARN, "Usage was asked for and did not come.", "include_usage", "not asked for"
        ),
        Reason(
            "overcounted",
            Word.WARN,
            "More than 2.5 times the tokens that the text can have.",
            "640 tokens for 60 words",
            "Thai, Chinese, emoji; reported reasoning",
        ),
        Reason("total_as_completion", Word.WARN, "The completion count equals the total.", "60 + 140 = 140"),
        Reason(
            "prompt_above_peers",
            Word.WARN,
            "The prompt is counted far above the median of the peers: a hidden prompt.",
            "2260 where peers count 60",
            "another tokenizer: up to 40 % more",
        ),
        Reason("too_few_counts", Word.INCONCLUSIVE, "There are no counts to compare."),
        Reason("no_peers", Word.NOT_APPLICABLE, "These are no counts to compare with those of peers."),
    )

    def probes(self, turn: Turn) -> tuple[Probe, ...]:
        """The role-play answer that most contracts read."""
        return (roleplay.ask(turn),)

    def judge(self, transcript: Transcript) -> Verdict:
        """Missing, zero, mixed up, too high, or far above the peers."""
        usage = transcript.answer.usage
        if usage is None:
            options = transcript.probe.parameters.get("stream_options")
            asked = isinstance(options, dict) and options.get("include_usage") is True
            code = "no_usage" if asked else "not_requested"
            return self.say(
                code, "Usage was asked for and did not come." if asked else "No usage, and none asked for."
            )
        peers = transcript.probe.expect.peer_prompt_tokens
        if peers and usage.prompt_tokens is not None:
            above = self._above([usage.prompt_tokens], peers)
            if above is not None:
                return above
        return self._counts(transcript, usage)

    def weigh(self, probe: Probe, measurement: Measurement) -> Verdict:
        """The host's prompt counts of one request against those of its peers."""
        peers = probe.expect.peer_prompt_tokens
        if measurement.type != "counts_list" or not peers:
            return self.say("no_peers", "These are no counts to compare with those of peers.")
        given = measurement.values.get("prompt_tokens")
        entries = given if isinstance(given, list) else [given]
        counts = [c for c in entries if isinstance(c, int) and not isinstance(c, bool)]
        if not counts:
            return self.say("too_few_counts", "There are no counts to compare.")
        above = self._above(counts, peers)
        return above or self.say(
            "plausible", "The prompt counts are those of the peers.", prompt_tokens=counts
        )

    def _above(self, counts: list[int], peers: tuple[int, ...]) -> Verdict | None:
        middle, own = median(peers), median(counts)
        if own <= PEERS * middle + PEERS_SLACK:
            return None
        told = f"{own:g} prompt tokens, where the median of the peers is {middle:g}."
        return self.say("prompt_above_peers", told, prompt_tokens=counts, peers=list(peers))

    def _counts(self, transcript: Transcript, usage: Usage) -> Verdict:
        prompt, completion, total = usage.prompt_tokens, usage.completion_tokens, usage.total_tokens
        evidence = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": total}
        written = transcript.text + "".join(c.arguments or "" for c in transcript.answer.tool_calls)
        unread = prompt == 0 and not usage.cached_tokens  # some count a cached prompt elsewhere
        if has_visible(written) and (unread or completion == 0):
            return self.say("zero_usage", "Text was delivered, and a count is zero.", **evidence)
        if completion and prompt and completion == total:
            return self.say("total_as_completion", "The completion count equals the total.", **evidence)
        if completion is None:
            return self.say("plausible", "Nothing speaks against the counts.", **evidence)
        shown = completion - (usage.reasoning_tokens or 0)
        reported = likely_tokens(transcript.answer.reasoning or "") if usage.reasoning_tokens is None else 0.0
        most = FACTOR * (likely_tokens(written) + reported) + SLACK
        if shown > most:
            told = f"{shown} tokens were counted for a text of at most {most / FACTOR:.0f}."
            return self.say("overcounted", told, **evidence, most=most)
        return self.say("plausible", "The counts fit the text.", **evidence)
