"""One answer while its choices come in, from the deltas of a stream or the message of a body."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from serinus.core.transcript import Answer, Delta, Failure, Json, Usage
from serinus.wire.failures import failure_of
from serinus.wire.json_text import as_count, as_list, as_mapping, as_text
from serinus.wire.parts import content_of, filtered_in, reasoning_of
from serinus.wire.tool_calls import ToolCalls

# A copy of the whole answer in one more event is a fault of delivery; a short answer may repeat by itself.
WHOLE_COPY: Final = 40
MOST_ODDITIES: Final = 50  # enough to see what is wrong; a broken stream has one in each event


class Place(NamedTuple):
    """Where choices stand: arrival and number of their event, the field that should hold their content."""

    at: float | None
    event: int
    key: str  # `delta` in a stream, `message` in a body
    where: str  # as in `Failure.where`


class AnswerDraft:
    """Collects what the events of one answer say; `answer()` gives it as a value."""

    def __init__(self) -> None:
        self.done = False
        self.usage: Usage | None = None
        self.metadata: dict[str, Json] | None = None
        self.failure: Failure | None = None
        self.characters = 0
        self._pieces: list[str] | None = None
        self._reasoning: list[str] | None = None
        self._refusal: list[str] | None = None
        self._calls = ToolCalls()
        self._finish: str | None = None
        self._native: str | None = None
        self._finish_event: int | None = None
        self._provider: str | None = None
        self._models: dict[str, None] = {}
        self._ids: dict[str, None] = {}
        self._choices: set[int] = set()
        self._logprobs = False
        self._filtered: dict[str, None] = {}
        self._deltas: list[Delta] = []
        self._oddities: list[tuple[str, str]] = []

    def odd(self, code: str, detail: str) -> None:
        """Note an irregularity of the protocol."""
        if len(self._oddities) < MOST_ODDITIES:
            self._oddities.append((code, detail))

    def fail(self, failure: Failure) -> None:
        """Keep the first error object; a later one is its echo."""
        if self.failure is None:
            self.failure = failure

    def take_provider(self, name: str | None) -> None:
        """Who says that it served: the first name stands, another one is odd."""
        if not name:
            return
        if self._provider is None:
            self._provider = name
        elif name != self._provider:
            self.odd("changed_provider", f"{self._provider}, then {name}")

    def take_model(self, name: str | None) -> None:
        """The model that an event names."""
        if name:
            self._models.setdefault(name)

    def take_id(self, name: str | None) -> None:
        """The generation id that an event names; a second one is odd."""
        if name and name not in self._ids:
            if self._ids:
                self.odd("changed_id", f"{next(iter(self._ids))}, then {name}")
            self._ids[name] = None

    def take_annotations(self, holder: Any) -> None:
        """Content-filter annotations of a choice or of the prompt that say "filtered"."""
        for category in filtered_in(holder):
            self._filtered.setdefault(category)

    def take_choice(self, choice: Any, position: int, place: Place) -> None:
        """One entry of `choices`, the one at this position of the list."""
        if not isinstance(choice, dict):
            self.odd("unknown_shape", f"event {place.event}: a choice that is {type(choice).__name__}")
            return
        index = as_count(choice.get("index"))
        index = position if index is None else index
        self._choices.add(index)
        self.take_annotations(choice)
        self._logprobs |= bool(choice.get("logprobs"))
        if choice.get("error"):
            self.fail(failure_of(choice["error"], place.where))
        if index == min(self._choices):
            self._take_delta(choice, self._content(choice, place), place)

    def _content(self, choice: dict[str, Any], place: Place) -> dict[str, Any]:
        """The delta or message of a choice; an older completion's bare `text` is read too."""
        event, key = place.event, place.key
        content = choice.get(key)
        if isinstance(content, dict):
            return content
        other = choice.get("message" if key == "delta" else "delta")
        if isinstance(other, dict):
            self.odd("unknown_shape", f"event {event}: `{key}` is missing, its neighbour is used")
            return other
        if isinstance(choice.get("text"), str):
            self.odd("unknown_shape", f"event {event}: `text` instead of `{key}`")
            return {"content": choice["text"]}
        self.odd("missing_delta", f"event {event}: `{key}` is {'null' if key in choice else 'missing'}")
        return {}

    def _take_delta(self, choice: dict[str, Any], delta: dict[str, Any], place: Place) -> None:
        event = place.event
        text, thought, odd = content_of(delta.get("content"))
        if odd:
            self.odd(odd, f"event {event}: content is a {type(delta.get('content')).__name__}")
        reasoning = reasoning_of(delta)
        if reasoning is None:
            reasoning = thought
        finish = self._take_finish(choice, event)
        called = self._take_calls(delta, streamed=place.key == "delta")
        refusal = as_text(delta.get("refusal"))
        if refusal is not None:
            self._refusal = [*(self._refusal or []), refusal]
        self._take_text(text, event, finish=finish)
        if reasoning is not None:
            self._reasoning = self._reasoning or []
            self._reasoning.append(reasoning)
        if text or reasoning or called or finish:
            self._deltas.append(Delta(place.at, event, text or "", reasoning or "", called, finish))

    def _take_finish(self, choice: dict[str, Any], event: int) -> bool:
        native = as_text(choice.get("native_finish_reason"))
        reason = as_text(choice.get("finish_reason"))
        if native is not None:
            self._native = native
        if reason is None:
            return False
        self._finish = reason
        if self._finish_event is None:
            self._finish_event = event
        return True

    def _take_calls(self, delta: dict[str, Any], *, streamed: bool) -> bool:
        entries = as_list(delta.get("tool_calls"))
        for position, entry in enumerate(entries):
            self._calls.take(entry, None if streamed else position)
        legacy = as_mapping(delta.get("function_call"))
        if legacy and not entries:
            self.odd("unknown_shape", "`function_call` instead of `tool_calls`")
            self._calls.take({"function": legacy}, 0)
        return bool(entries or legacy)

    def _take_text(self, text: str | None, event: int, *, finish: bool) -> None:
        if text is None:
            return
        self._pieces = [] if self._pieces is None else self._pieces
        if not text:
            return
        if self._finish_event is not None and event > self._finish_event and text.strip():
            self.odd("text_after_finish", f"event {event}: {text[:40]!r}")
        whole = len(text) >= WHOLE_COPY and len(text) == self.characters and text == "".join(self._pieces)
        if whole and (finish or len(self._pieces) > 1):
            # Event and text stay in the transcript; the answer that a user should see has it once.
            self.odd("duplicate_text", f"event {event} carries the whole answer once more")
            return
        self._pieces.append(text)
        self.characters += len(text)

    def answer(self) -> Answer:
        """What all events added up to."""
        return Answer(
            text=None if self._pieces is None else "".join(self._pieces),
            reasoning=None if self._reasoning is None else "".join(self._reasoning),
            refusal=None if self._refusal is None else "".join(self._refusal),
            tool_calls=self._calls.calls(),
            finish_reason=self._finish,
            native_finish_reason=self._native,
            usage=self.usage,
            provider=self._provider,
            models=tuple(self._models),
            ids=tuple(self._ids),
            done=self.done,
            choices=len(self._choices),
            logprobs=self._logprobs,
            filtered=tuple(self._filtered),
            metadata=self.metadata,
            failure=self.failure,
            deltas=tuple(self._deltas),
            oddities=(*self._oddities, *self._calls.oddities[:MOST_ODDITIES]),
        )
