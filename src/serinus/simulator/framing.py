"""The gateway's wire format around a host's answer (`openrouter-facts.md` §4, §8, §15)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from serinus.simulator import tokens
from serinus.simulator.ask import Ask
from serinus.simulator.draft import Call, Draft, Served
from serinus.simulator.scenario import Price

Json = Any
_PER_MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Framer:
    """Puts the pieces of one answer into chunks, or the whole into a body."""

    id: str
    created: int
    ask: Ask
    served: Served
    price: Price

    def chunk(
        self, delta: Mapping[str, Json], finish: str | None = None, native: str | None = None
    ) -> dict[str, Json]:
        """A chunk with one choice; the role is in every delta, as gateways repeat it."""
        choice = {
            "index": 0,
            "delta": {"role": "assistant", **delta},
            "finish_reason": finish,
            "native_finish_reason": native,
            "logprobs": None,
        }
        return {**self._head("chat.completion.chunk"), "choices": [choice]}

    def text(self, text: str) -> dict[str, Json]:
        """A chunk of visible text."""
        return self.chunk({"content": text})

    def reasoning(self, text: str) -> dict[str, Json]:
        """A chunk of reasoning: its content is empty."""
        detail = {"type": "reasoning.text", "text": text, "format": "unknown", "index": 0}
        return self.chunk({"content": "", "reasoning": text, "reasoning_details": [detail]})

    def calls(self, calls: tuple[Call, ...]) -> Iterator[dict[str, Json]]:
        """The chunks of tool calls: a head with id and name, then the arguments in pieces."""
        for index, call in enumerate(calls):
            head = {
                "index": index,
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": ""},
            }
            yield self.chunk({"content": None, "tool_calls": [head]})
            pieces = tokens.pieces(call.arguments)
            for start in range(0, len(pieces), 4):
                piece = "".join(pieces[start : start + 4])
                part = {"index": index, "function": {"arguments": piece}}
                yield self.chunk({"content": None, "tool_calls": [part]})

    def last(self, usage: Mapping[str, Json] | None) -> dict[str, Json]:
        """The chunk without choices that carries usage and, where it was asked for, the metadata."""
        found: dict[str, Json] = {**self._head("chat.completion.chunk"), "choices": []}
        if usage is not None:
            found["usage"] = dict(usage)
        if self.ask.wants_metadata and not self.served.cached:
            found["openrouter_metadata"] = metadata(self.ask.model, self.served)
        return found

    def body(self, draft: Draft) -> dict[str, Json]:
        """The whole answer as one object."""
        message: dict[str, Json] = {"role": "assistant", "content": draft.text, "refusal": draft.refusal}
        message["reasoning"] = draft.reasoning or None
        if draft.calls:
            message["tool_calls"] = [_whole(i, call) for i, call in enumerate(draft.calls)]
        choice = {
            "index": 0,
            "message": message,
            "finish_reason": draft.finish,
            "native_finish_reason": draft.native,
            "logprobs": None,
        }
        found = {**self._head("chat.completion"), "choices": [choice]}
        billed = self.usage(draft)
        if billed is not None:
            found["usage"] = billed
        if self.ask.wants_metadata and not self.served.cached:
            found["openrouter_metadata"] = metadata(self.ask.model, self.served)
        return found

    def usage(self, draft: Draft) -> dict[str, Json] | None:
        """What the answer is billed as; None where the host sends no usage."""
        if not draft.usage:
            return None
        thought = tokens.count(draft.reasoning) if draft.reasoning_tokens is None else draft.reasoning_tokens
        said = draft.completion_tokens
        if said is None:
            arguments = sum(tokens.count(f"{c.name}{c.arguments}") + 4 for c in draft.calls)
            said = tokens.count(draft.text or "") + tokens.count(draft.refusal or "") + arguments + thought
        asked = self.ask.prompt_tokens if draft.prompt_tokens is None else draft.prompt_tokens
        return {**self.bill(asked, said, thought), **(draft.usage_extra or {})}

    def bill(self, asked: int, said: int, thought: int = 0, cached: int = 0) -> dict[str, Json]:
        """A usage object with the cost by the host's prices."""
        prompt_cost = asked * self.price.prompt / _PER_MILLION
        completion_cost = said * self.price.completion / _PER_MILLION
        cost = 0.0 if self.served.cached else round(prompt_cost + completion_cost, 10)
        return {
            "prompt_tokens": asked,
            "completion_tokens": said,
            "total_tokens": asked + said,
            "cost": cost,
            "is_byok": self.served.byok,
            "prompt_tokens_details": {
                "cached_tokens": cached,
                "cache_write_tokens": 0,
                "audio_tokens": 0,
                "video_tokens": 0,
            },
            "cost_details": {
                "upstream_inference_cost": None,
                "upstream_inference_prompt_cost": round(prompt_cost, 10),
                "upstream_inference_completions_cost": round(completion_cost, 10),
            },
            "completion_tokens_details": {"reasoning_tokens": thought, "image_tokens": 0},
        }

    def error(self, error: Mapping[str, Json], *, choices: bool = True) -> dict[str, Json]:
        """An error inside a stream that began well."""
        choice = {
            "index": 0,
            "delta": {"content": ""},
            "finish_reason": "error",
            "native_finish_reason": "error",
        }
        return {
            **self._head("chat.completion.chunk"),
            "error": dict(error),
            "choices": [choice] if choices else [],
        }

    def _head(self, kind: str) -> dict[str, Json]:
        return {
            "id": self.id,
            "provider": self.served.display,
            "model": self.served.model,
            "object": kind,
            "created": self.created,
            "system_fingerprint": None,
            **({"service_tier": self.served.tier} if self.served.tier else {}),
        }


def _whole(index: int, call: Call) -> dict[str, Json]:
    return {
        "index": index,
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": call.arguments},
    }


def metadata(requested: str, served: Served, region: str = "iad") -> dict[str, Json]:
    """How the gateway routed the request (`openrouter_metadata`)."""
    available = list(dict.fromkeys((*served.available, served.display)))
    found: dict[str, Json] = {
        "requested": requested,
        "strategy": "direct",
        "region": region,
        "summary": f"available={len(available)}, selected={served.display}",
        "attempt": max(1, len(served.attempts)),
        "is_byok": served.byok,
        "endpoints": {
            "total": len(available),
            "available": [
                {"provider": name, "model": served.model, "selected": name == served.display}
                for name in available
            ],
        },
        "attempts": [{"provider": a.display, "model": a.model, "status": a.status} for a in served.attempts],
    }
    if served.pipeline:
        found["pipeline"] = [dict(stage) for stage in served.pipeline]
    return found
