"""Reasons that any contract may give, because they precede its own judge or settle its votes."""

from __future__ import annotations

from typing import Final

from serinus.core.model import Word
from serinus.judging.contract import Reason

SHARED: Final = (
    Reason(
        "wrong_provider",
        Word.VOID,
        "Another provider than the pinned one answered.",
        "pinned host-a/bf16, served by host-a/turbo",
        "another spelling of the same name",
    ),
    Reason(
        "unproved",
        Word.VOID,
        "The gateway did not name the deployment that served, as it must.",
        "200 without x-litellm-model-id",
    ),
    Reason(
        "wrong_model",
        Word.VOID,
        "Another model than the one asked for answered; `identity` calls it `another_model`.",
        "other/mini-8b for acme/roleplay-70b",
        "a dated alias of the same model",
    ),
    Reason(
        "second_attempt",
        Word.VOID,
        "The gateway tried more than once, so a fallback may have answered.",
        "routing metadata with attempt 2",
    ),
    Reason("cache_hit", Word.VOID, "The gateway's own cache answered.", "X-OpenRouter-Cache-Status: HIT"),
    Reason(
        "plugin_altered",
        Word.VOID,
        "A plugin of the gateway altered the prompt or the text.",
        "response_healing in the pipeline",
    ),
    Reason(
        "own_account",
        Word.VOID,
        "The answer came through our own account at the provider.",
        "is_byok: true",
    ),
    Reason(
        "own_fault",
        Word.INCONCLUSIVE,
        "Our own request or account was refused, which says nothing of the host.",
        "401, 402, a guardrail of our account, an unsupported parameter, a prompt that is too long",
    ),
    Reason(
        "moderated",
        Word.INCONCLUSIVE,
        "The answer was moderated, which `filtering` judges.",
        "finish reason content_filter",
    ),
    Reason(
        "transport_error",
        Word.TRANSPORT,
        "The host, or the way to it, answered with an error.",
        "502, 429, an error event in a stream with status 200",
        "the word error in a scene",
    ),
    Reason(
        "no_status",
        Word.TRANSPORT,
        "No status line ever came.",
        "connection refused, DNS, TLS, reset before the headers, total silence",
    ),
    Reason(
        "native_error",
        Word.TRANSPORT,
        "The finish reason names an error.",
        "native_finish_reason network_error behind stop",
        "native eos or end_turn",
    ),
    Reason(
        "reset",
        Word.TRANSPORT,
        "The connection broke inside the answer.",
        "a reset after some text",
        "a reset after [DONE]",
    ),
    Reason(
        "unfinished",
        Word.TRANSPORT,
        "The stream closed without finish reason and without [DONE].",
        "text, then the end of the connection",
        "a finish reason with [DONE] missing",
    ),
    Reason(
        "malformed_stream",
        Word.TRANSPORT,
        "An event is not JSON, so that text may be lost.",
        'data: {"id":"a","chdata: {"id":"a"',
        "an event split over several reads; JSON over several data lines",
    ),
    Reason(
        "not_reached",
        Word.INCONCLUSIVE,
        "Nothing more came, before what this contract reads.",
        "a stream that is held after its first words",
    ),
    Reason("capped", Word.INCONCLUSIVE, "The answer grew past our own cap on size and was cut by us."),
    Reason("empty_answer", Word.INCONCLUSIVE, "The answer is empty, which `filtering` judges."),
    Reason("untimed", Word.NOT_APPLICABLE, "The answer was recorded without arrival times."),
    Reason(
        "no_statistics",
        Word.NOT_APPLICABLE,
        "The contract does not read statistics of this kind.",
    ),
    Reason("no_answer", Word.INCONCLUSIVE, "There was no answer to judge."),
    Reason(
        "votes_disagree",
        Word.INCONCLUSIVE,
        "Of several answers some failed, but not more than half.",
    ),
    Reason("most_answers_bad", Word.FAIL, "Of the counted answers of a pair, most on one side are bad."),
    Reason("few_answers_bad", Word.PASS, "Of the counted answers of a pair, no side is mostly bad."),
    Reason("judge_raised", Word.INCONCLUSIVE, "The judge failed by a fault of its own; please report it."),
)
