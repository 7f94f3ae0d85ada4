"""Protocol: the stream keeps the form that clients expect (R30). Information only; nothing here suspends."""

from __future__ import annotations

from typing import Final

from serinus.core.model import Probe, Turn, Verdict, Word
from serinus.core.transcript import End, Transcript
from serinus.judging.contract import Contract, Reason
from serinus.judging.finish import Finish, finish_of, meaning
from serinus.judging.visible import has_visible
from serinus.probes import roleplay

# One text event for this many tokens is a buffer and no batching (`faults.md` F005: eight words an event
# are ordinary).
BUFFERED: Final = 20.0
BUFFERED_LEAST: Final = 40  # tokens from which the ratio says anything

# Irregularities of the reader that are told as they are, gravest first.
_ODDITIES: Final = (
    "duplicate_text",
    "repeated_event",
    "text_after_finish",
    "changed_id",
    "missing_delta",
    "content_list",
    "undecodable",
    "unknown_shape",
)


class Protocol(Contract):
    """Legal events in a legal order; what is merely odd is recorded and never held against a route."""

    name = "protocol"
    promise = "Streams keep the form that clients expect: one id, one ending, text in deltas."
    kinds = frozenset({"roleplay", "structured", "tool_call"})
    scored = False
    reads_reasoning = True
    blind_fault = "text_after_finish"
    reasons = (
        Reason("conforming", Word.PASS, "Nothing odd."),
        Reason(
            "duplicate_text",
            Word.WARN,
            "One event carries the whole answer once more.",
            "",
            "a normal finish chunk",
        ),
        Reason("repeated_event", Word.WARN, "An event was delivered twice.", "", "laughter in equal tokens"),
        Reason(
            "text_after_finish",
            Word.WARN,
            "Text came after the finish reason.",
            "",
            "text in the finish chunk",
        ),
        Reason(
            "changed_id", Word.WARN, "The id changes inside one answer.", "gen-0, then gen-1", "no ids at all"
        ),
        Reason(
            "missing_delta", Word.WARN, "A choice has no delta, or null.", '"delta": null', "an empty object"
        ),
        Reason("content_list", Word.WARN, "Content is a list of parts.", '[{"type":"text","text":"…"}]'),
        Reason(
            "undecodable",
            Word.WARN,
            "Bytes of an event are not UTF-8.",
            "",
            "a character split over two reads",
        ),
        Reason("unknown_shape", Word.WARN, "An event or choice has an unknown shape."),
        Reason(
            "unknown_finish_reason",
            Word.WARN,
            "No table knows the finish reason.",
            "repetition",
            "eos, end_turn",
        ),
        Reason("no_finish_reason", Word.WARN, "The terminator came without a finish reason."),
        Reason("no_terminator", Word.WARN, "The finish reason came, [DONE] did not."),
        Reason(
            "finish_contradicts_call", Word.WARN, "There is a tool call, and the finish reason says stop."
        ),
        Reason("finish_without_call", Word.WARN, "The finish reason says tools, and there is no call."),
        Reason(
            "buffered",
            Word.WARN,
            "The text came in one or two events after it was written.",
            "90 tokens at once",
        ),
        Reason("not_streamed", Word.WARN, "A stream was asked for and one body came."),
    )

    def probes(self, turn: Turn) -> tuple[Probe, ...]:
        """The role-play answer that most contracts read."""
        return (roleplay.ask(turn),)

    def judge(self, transcript: Transcript) -> Verdict:
        """The gravest irregularity; all of them in the evidence."""
        found = [*_irregular(transcript), *_ending(transcript), *_delivery(transcript)]
        if not found:
            return self.say("conforming", "Nothing odd.")
        code, detail = found[0]
        return self.say(code, detail, all=[c for c, _ in found])


def _irregular(transcript: Transcript) -> list[tuple[str, str]]:
    seen = dict(reversed(transcript.answer.oddities))  # the first detail of each code
    return [(code, f"{code}: {seen[code]}.") for code in _ODDITIES if code in seen]


def _ending(transcript: Transcript) -> list[tuple[str, str]]:
    answer, finish = transcript.answer, finish_of(transcript.answer)
    found: list[tuple[str, str]] = []
    if meaning(answer.finish_reason) is Finish.UNKNOWN:
        found.append(("unknown_finish_reason", f"No table knows the finish reason {answer.finish_reason!r}."))
    if transcript.events:
        if finish is Finish.MISSING:
            found.append(("no_finish_reason", "The terminator came without a finish reason."))
        elif not answer.done:
            held = " and the connection stayed open" if transcript.end is End.HELD else ""
            found.append(("no_terminator", f"The finish reason came, [DONE] did not{held}."))
    if answer.tool_calls and finish is Finish.STOP:
        found.append(("finish_contradicts_call", "There is a tool call, and the finish reason says stop."))
    if not answer.tool_calls and finish is Finish.TOOLS:
        found.append(("finish_without_call", "The finish reason says tools, and there is no call."))
    return found


def _delivery(transcript: Transcript) -> list[tuple[str, str]]:
    answer = transcript.answer
    if transcript.body is not None and transcript.probe.stream and transcript.timed:
        return [("not_streamed", "A stream was asked for and one body came.")]
    tokens = (answer.usage.completion_tokens or 0) if answer.usage else 0
    hidden = (answer.usage.reasoning_tokens or 0) if answer.usage else 0
    events = sum(has_visible(d.text) for d in answer.deltas)
    if not transcript.events or not events or tokens - hidden < BUFFERED_LEAST:
        return []
    if (tokens - hidden) / events <= BUFFERED:
        return []
    return [("buffered", f"{tokens - hidden} tokens came in {events} events.")]
