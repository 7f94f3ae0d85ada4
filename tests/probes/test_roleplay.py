"""The role-play probe: cold, native, another prompt at each attempt."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serinus.core.model import Turn
from serinus.probes import roleplay
from serinus.probes.languages import UnknownLanguageError, available, language
from serinus.probes.rotation import another

ROUND = "acme/model@2026-11-30T02:30Z"
ALL = pytest.mark.parametrize("code", available())


def turn(code="pt", index=0, attempt=0, **more):
    return Turn(ROUND, index, "deepinfra/fp8", code, attempt=attempt, **more)


turns = st.builds(
    Turn,
    round=st.text(max_size=40),
    index=st.integers(0, 10**6),
    tag=st.text(max_size=40),
    language=st.sampled_from(available()),
    attempt=st.integers(0, 2),
)


@given(turns)
def test_the_same_turn_asks_the_same_question(any_turn):
    assert roleplay.ask(any_turn) == roleplay.ask(any_turn)


@given(turns)
def test_the_prompt_begins_with_its_nonce_and_has_it_once(any_turn):
    probe = roleplay.ask(any_turn)
    everything = "\n".join(m.content for m in probe.messages)
    assert everything.startswith(probe.expect.nonce)
    assert everything.count(probe.expect.nonce) == 1


@given(turns)
def test_no_placeholder_is_left(any_turn):
    assert not any(set("{}") & set(m.content) for m in roleplay.ask(any_turn).messages)


@ALL
def test_three_attempts_take_three_prompts_and_three_nonces(code):
    for index in range(8):
        probes = [roleplay.ask(turn(code, index, attempt)) for attempt in range(3)]
        assert len({p.key for p in probes}) == 3
        assert len({p.expect.nonce for p in probes}) == 3


def test_a_failing_prompt_is_not_asked_again_in_the_next_round():
    met = [{another(index, 8, attempt) for attempt in range(3)} for index in range(8)]
    assert all(len(places) == 3 for places in met)
    assert all(now.isdisjoint(after) for now, after in pairwise(met))


@ALL
def test_a_retired_prompt_is_never_asked(code):
    first = roleplay.ask(turn(code)).key
    retired = frozenset({first})
    asked = {roleplay.ask(turn(code, n, a, retired=retired)).key for n in range(16) for a in range(3)}
    assert first not in asked
    assert len(asked) == len(language(code).scenes) - 1


def test_with_every_prompt_retired_the_language_is_still_asked():
    every = frozenset(roleplay.key_of(language("pt"), s) for s in language("pt").scenes)
    assert roleplay.ask(turn(retired=every)).key in every


def test_a_prompt_retired_in_one_language_stays_in_the_others():
    retired = frozenset({"roleplay.pt.lighthouse"})
    asked = {roleplay.ask(turn("es", n, retired=retired)).key for n in range(16)}
    assert "roleplay.es.lighthouse" in asked


def test_all_routes_of_a_round_are_asked_the_same_prompt_with_different_nonces():
    probes = [roleplay.ask(Turn(ROUND, 5, f"host-{n}", "de")) for n in range(30)]
    assert len({p.key for p in probes}) == 1
    assert len({p.messages[1] for p in probes}) == 1
    assert len({p.expect.nonce for p in probes}) >= 29


def test_keys_are_named_after_language_and_scene():
    scenes = language("zh-Hant").scenes
    keys = {roleplay.ask(turn("zh-Hant", n)).key for n in range(len(scenes))}
    assert keys == {f"roleplay.zh-Hant.{scene.key}" for scene in scenes}
    assert "roleplay.zh-Hant.tea_road" in keys


@ALL
def test_nonces_spread_over_their_words(code):
    nonces = Counter(roleplay.ask(Turn(f"m@{n}", 0, "a", code)).expect.nonce for n in range(1000))
    assert len(nonces) >= 850  # 4,900 phrases: about 905 different ones are expected
    assert max(nonces.values()) <= 5


@ALL
def test_an_answer_of_the_length_asked_for_fits_under_the_cap(code):
    spoken = language(code)
    assert 300 <= spoken.max_tokens <= 500
    assert spoken.answer_tokens * 1.25 <= spoken.max_tokens
    assert roleplay.ask(turn(code)).max_tokens == spoken.max_tokens


def test_a_language_without_prompts_is_an_error():
    with pytest.raises(UnknownLanguageError):
        roleplay.ask(turn("tlh"))
