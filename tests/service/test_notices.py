from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from serinus.core.exclusions import Layer
from serinus.core.model import Verdict, Word
from serinus.core.policy import Decision, Exclude, Kind, Lane, Mode, SetMode, State
from serinus.service.memory import Memory
from serinus.service.notice_kinds import KINDS, Severity, Wants, severity_of, weight
from serinus.service.notice_samples import samples
from serinus.service.notices import Grounds, notices_of
from serinus.service.operators import act
from service.test_canary import MODEL, Life

AT = datetime(2026, 11, 30, 2, 30, tzinfo=UTC)
SAMPLES = list(samples(AT))


def notices(life):
    return [notice for _, notice in life.store.outbox("mail")]


def failing(*bad, mode=Mode.ENFORCE):
    life = Life(mode)
    life.round()
    life.bad = set(bad)
    for _ in range(2):
        life.round()
    return life


def test_there_is_a_sample_of_every_kind():
    assert {n.kind for n in SAMPLES} == {*KINDS, "test"}


@pytest.mark.parametrize("notice", SAMPLES, ids=lambda n: n.kind)
def test_every_text_stands_by_itself(notice):
    assert notice.text.strip() == notice.text
    assert len(notice.text) < 1200
    assert "None" not in notice.text
    if notice.model:
        assert notice.model in notice.text
    if severity_of(notice.severity) is Severity.CRITICAL:
        assert "serinus " in notice.text  # what to do, as a command


def test_a_suspension_says_what_was_found_until_when_and_what_to_do():
    [told] = notices(failing("beta"))
    assert "Evidence: spoken (bad): " in told.text
    assert f"until {told.facts['until'][:10]}" in told.text
    assert f"serinus mark {told.facts['decision']} wrong" in told.text
    assert (told.severity, told.facts["contracts"], told.facts["enforced"]) == (
        "warning",
        ["filtering", "spoken"],
        True,
    )


def test_what_is_only_observed_is_never_grave():
    told = notices(failing("beta", mode=Mode.OBSERVE))
    assert [(n.kind, n.severity) for n in told] == [("would_suspend", "info")]
    assert "Nothing reaches routing." in told[0].text


def test_a_route_that_the_floor_holds_is_grave():
    life = failing("beta", "gamma")
    life.bad = {"beta", "gamma", "delta/fp8"}
    for _ in range(2):
        life.round()
    held = [n for n in notices(life) if n.kind == "held_at_floor"]
    assert held
    assert {n.severity for n in held} == {"critical"}


def test_an_exclusion_that_leaves_too_few_is_told_to_the_others_even_where_nothing_is_suspended():
    life = Life()
    life.round()
    policy = life.canary.policy
    for name in ("beta", "gamma"):
        act(Memory(life.store), policy, Exclude(life.at, Layer.OPERATIONAL, name, MODEL, "anna", "slow"))
    assert notices(life) == []
    act(Memory(life.store), policy, Exclude(life.at, Layer.OPERATIONAL, "alpha", MODEL, "anna", "slow"))
    [told] = notices(life)
    assert (told.kind, told.severity) == ("excluded_below_floor", "critical")
    assert told.text.startswith("anna excluded alpha (operational): slow.")
    assert f"serinus exclusions remove alpha --model {MODEL}" in told.text


def test_below_the_floor_names_the_act_that_led_there():
    life = failing("beta")
    for name in ("gamma", "delta"):
        act(
            Memory(life.store), life.canary.policy, Exclude(life.at, Layer.OPERATIONAL, name, None, "bo", "x")
        )
    [told] = [n for n in notices(life) if n.kind == "below_floor"]
    assert told.text.startswith("bo excluded delta (operational)")


def test_a_mode_that_lets_suspensions_through_is_told_and_one_that_changes_nothing_is_not():
    life = Life(Mode.OBSERVE)
    life.round()
    observe, enforce = (SetMode(life.at, mode, MODEL, "spoken", "anna", "why") for mode in Mode)
    for event in (observe, enforce, replace(observe, at=life.at + timedelta(minutes=1))):
        act(Memory(life.store), life.canary.policy, event)
    assert [n.text.splitlines()[0] for n in notices(life)] == [
        f"anna set spoken of {MODEL} to enforce: why.",
        f"anna set spoken of {MODEL} to observe: why.",
    ]


def test_a_word_of_another_release_is_no_reason_to_keep_quiet():
    notice = replace(SAMPLES[0], severity="dreadful")
    assert weight(notice) is Severity.WARNING
    assert Wants(least=Severity.WARNING).takes(notice)


@pytest.mark.parametrize(
    ("quoted", "shown"),
    [
        ("@everyone <!here> look", "＠everyone ‹!here› look"),
        ("see https://evil.example/x", "see https:⁄⁄evil.example/x"),
        ("turned \u202e around \x1b[31m", "turned \\u202e around \\u001b[31m"),
        ("a\nb\tc", "a b c"),
        ("x" * 5000, "x" * 240 + "…"),
    ],
)
def test_what_a_host_said_is_harmless_in_a_notice(quoted, shown):
    found = {("alpha", "language"): Verdict(Word.FAIL, "language_mixed", quoted)}
    suspended = Decision(
        AT, MODEL, Kind.SUSPENDED, "alpha", Lane.REAL, ("language",), 1, AT + timedelta(days=1)
    )
    [told] = notices_of(State(), [suspended], Grounds(16, found))
    assert f"Evidence: language (language_mixed): {shown}\n" in told.text
