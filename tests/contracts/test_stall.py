from __future__ import annotations

import pytest

from recorded import ROUTE, calls, chunk, ending, scene, stream, text, told, words

FIRST = words()[:2]
CALL = {
    "tool_calls": [{"index": 0, "id": "a", "function": {"name": "open_gate", "arguments": '{"gate":"east"}'}}]
}
WITH_TOOLS = {"tools": ["open_gate"], **ROUTE}


def beats(start, until, step=5000):
    return [(t, ": keep-alive") for t in range(start, until, step)]


def test_a_steady_stream_passes():
    assert told("stall", scene(), **ROUTE) == ("pass", "steady")
    slow = words(700, 900)
    assert told("stall", stream(*slow, *ending(slow[-1][0] + 500)), **ROUTE)[0] == "pass"


def test_a_pause_of_fifteen_seconds_is_allowed_and_more_is_a_warning():
    def paused(pause):
        later = words(FIRST[-1][0] + pause)[2:]
        later = [(t - later[0][0] + FIRST[-1][0] + pause, e) for t, e in later]
        return stream(*FIRST, *later, *ending(later[-1][0] + 50))

    assert told("stall", paused(4_000), **ROUTE)[0] == "pass"
    assert told("stall", paused(15_000), **ROUTE)[0] == "pass"
    assert told("stall", paused(15_100), **ROUTE) == ("warn", "paused")


@pytest.mark.parametrize("comments", [[], beats(5_900, 41_000)])
def test_text_and_then_nothing_fails_whatever_keeps_the_connection_alive(comments):
    held = stream(*FIRST, *comments, end="hold", hold_ms=41_000)
    assert told("stall", held, **ROUTE) == ("fail", "stalled")


def test_other_contracts_leave_a_held_stream_alone():
    held = stream(*FIRST, end="hold", hold_ms=41_000)
    assert told("first_token", held, **ROUTE) == ("inconclusive", "not_reached")
    assert told("completion", held, **ROUTE) == ("inconclusive", "not_reached")
    assert told("stall", stream(end="hold", hold_ms=41_000), **ROUTE) == ("inconclusive", "not_reached")


def test_a_wait_given_up_early_proves_nothing():
    assert told("stall", stream(*FIRST, end="hold", hold_ms=9_000), **ROUTE) == (
        "inconclusive",
        "limit_not_reached",
    )


def test_an_answer_that_finished_is_complete_though_the_socket_stays_open():
    finished = stream(*words(), (2_000, chunk(finish="stop")), end="hold", hold_ms=30_000)
    assert told("stall", finished, **ROUTE) == ("warn", "held_after_finish")
    assert told("protocol", finished, **ROUTE) == ("warn", "no_terminator")
    assert told("first_token", finished, **ROUTE)[0] == "pass"
    assert told("completion", finished, **ROUTE)[0] == "pass"
    assert told("transport", finished, **ROUTE)[0] == "pass"


def test_a_call_that_is_withheld_is_slow_and_one_that_never_comes_fails():
    role = (300, chunk({"role": "assistant", "content": ""}))
    late = stream(role, *beats(5_000, 26_000), (26_500, chunk(CALL)), *ending(26_550, "tool_calls"))
    assert told("stall", late, **WITH_TOOLS) == ("warn", "call_withheld")
    soon = stream(role, (900, chunk(CALL)), *ending(950, "tool_calls"))
    assert told("stall", soon, **WITH_TOOLS)[0] == "pass"
    never = stream(role, *beats(5_000, 60_000), end="hold", hold_ms=20_000)
    assert told("stall", never, **WITH_TOOLS) == ("fail", "call_never_came")


def test_what_has_no_times_is_not_asked():
    assert told("stall", text("Come in."), **ROUTE) == ("not_applicable", "untimed")
    assert told("stall", calls(("a", "ring_bell", "{}")), **ROUTE)[0] == "not_applicable"
