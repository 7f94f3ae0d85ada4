from __future__ import annotations

import pytest

from serinus.core.transcript import Answer
from serinus.judging.finish import Finish, finish_of, meaning


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("stop", Finish.STOP),
        ("eos", Finish.STOP),
        ("eos_token", Finish.STOP),
        ("END_TURN", Finish.STOP),
        ("stop_sequence", Finish.STOP),
        ("", Finish.STOP),
        ("length", Finish.LENGTH),
        ("MAX_TOKENS", Finish.LENGTH),
        ("maxTokens", Finish.LENGTH),
        ("model_length", Finish.LENGTH),
        ("model_context_window_exceeded", Finish.LENGTH),
        ("tool_calls", Finish.TOOLS),
        ("tool-use", Finish.TOOLS),
        ("content_filter", Finish.FILTER),
        ("SAFETY", Finish.FILTER),
        ("FINISH_REASON_PROHIBITED_CONTENT", Finish.FILTER),
        ("sensitive", Finish.FILTER),
        ("network_error", Finish.ERROR),
        ("abort", Finish.ERROR),
        ("insufficient_system_resource", Finish.ERROR),
        ("repetition", Finish.UNKNOWN),
        (None, Finish.MISSING),
    ],
)
def test_words_of_many_engines_have_one_meaning(word, expected):
    assert meaning(word) is expected


@pytest.mark.parametrize(
    ("mapped", "native", "expected"),
    [
        ("stop", "sensitive", Finish.FILTER),
        ("stop", "network_error", Finish.ERROR),
        ("stop", "eos", Finish.STOP),
        ("stop", "max_tokens", Finish.LENGTH),
        ("content_filter", "stop", Finish.FILTER),
        (None, "end_turn", Finish.STOP),
        ("odd", "end_turn", Finish.STOP),
        ("stop", "odd", Finish.STOP),
        ("length", "stop", Finish.LENGTH),
        (None, None, Finish.MISSING),
    ],
)
def test_the_host_s_own_word_is_read_first(mapped, native, expected):
    assert finish_of(Answer(finish_reason=mapped, native_finish_reason=native)) is expected
