import json
import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from oracle.histories import history
from serinus.core import explain
from serinus.core.exclusions import IgnoreList, Layer
from serinus.core.model import Verdict, Word
from serinus.core.policy import Decision, Exclude, Include, Kind, Lift, Policy, State, Warned, decide, fold
from serinus.core.policy.entries import Fact
from serinus.service.history import parse_event
from serinus.service.policy_file import policy_of
from stories.timeline import told

AT = datetime(2026, 11, 30, tzinfo=UTC)


LINES = Path(__file__).with_name("sentences.txt").read_text(encoding="utf-8").splitlines()
PAIRS = [(a, b.strip()) for a, b in pairwise(LINES) if b.startswith("    ")]


def sentences(story):
    return [explain.of_decision(decision) for decision, _ in told(story).decided]


@pytest.mark.parametrize(("story", "told_last"), PAIRS)
def test_each_decision_is_one_sentence(story, told_last):
    assert sentences(story)[-1] == told_last


def test_every_decision_of_random_histories_is_explained_with_its_numbers():
    kinds = set()
    for seed in range(15):
        events, table = history(seed)
        policy, state = policy_of(table), State()
        for line in events:
            entries = decide(policy, state, line_event(line))
            state = fold(entries, state)
            for entry in entries:
                if isinstance(entry, Decision):
                    kinds.add(entry.kind)
                    assert not re.search(r"None\b(?! of its)|unknown|\{|\}", explain.of_decision(entry))
    assert kinds == set(Kind)


def line_event(line):
    return parse_event(json.dumps(line).encode())


def test_a_decision_of_a_newer_version_without_its_numbers_is_explained_all_the_same():
    bare: dict[str, Fact] = {}
    for kind in Kind:
        decision = Decision(AT, "m", kind, "a", contracts=("language",), facts=bare)
        assert "\n" not in explain.of_decision(decision)
    suspended = Decision(AT, "m", Kind.SUSPENDED, "a", contracts=("language",))
    assert explain.of_decision(suspended).startswith("Failed language; ")
    assert "for an unknown time" in explain.of_decision(suspended)
    assert explain.of_decision(Decision(AT, "m", Kind.RESTORED, "a", contracts=("language",))) == (
        "clean rounds in a row, with language asked and passed: back early."
    )


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (
            Lift(AT, "m", "a"),
            "a of m is not suspended: the lift only clears its streaks and grants its grace",
        ),
        (
            Include(AT, Layer.OPERATIONAL, "a", "m"),
            "there is no operational exclusion of a for m",
        ),
        (Include(AT, Layer.ACCOUNT, "a"), "there is no account exclusion of a for all models"),
        (
            Include(AT, Layer.BUILTIN, "a"),
            "the built-in exclusion of a stands: only a reviewed change undoes it",
        ),
        (
            Exclude(AT, Layer.OPERATIONAL, "a", until=AT),
            "the operational exclusion of a is over before it begins",
        ),
    ],
)
def test_each_warning_is_one_sentence(event, sentence):
    warned = [e for e in decide(Policy(), State(), event) if isinstance(e, Warned)]
    assert [explain.of_warning(w) for w in warned] == [sentence]


def test_a_round_that_does_not_count_is_explained():
    telling = told("x[again +10m]")
    again = [
        explain.of_warning(e)
        for e in decide(telling.policy, telling.state, telling.latest)
        if isinstance(e, Warned)
    ]
    sentence = (
        "the round of m is not counted: it is less than 15 minutes (min_gap) after the latest counted round, "
        "2026-11-30T00:00:00Z"
    )
    assert again == [sentence]


def test_whoever_lifts_without_a_name_is_an_operator():
    lift = Lift(AT + timedelta(hours=1), "m", "a")
    telling = told("xx")
    lifted = [e for e in decide(telling.policy, telling.state, lift) if isinstance(e, Decision)]
    assert [explain.of_decision(d) for d in lifted] == ["Lifted by an operator"]


def test_several_controls_that_passed_are_all_named():
    (sentence,) = sentences("[control passed][control b passed].")
    assert sentence.startswith("b and openai should have refused and were let through, so")


@pytest.mark.parametrize("word", list(Word))
def test_each_verdict_is_one_sentence(word):
    sentence = explain.of_verdict("language", Verdict(word, "some_reason", "It says so."))
    assert sentence.startswith("language ")
    assert "(some_reason): It says so." in sentence


def test_a_verdict_without_detail_ends_with_its_reason():
    assert explain.of_verdict("language", Verdict(Word.PASS, "one_language")) == (
        "language kept its promise (one_language)."
    )


def test_a_list_tells_what_an_operator_must_know():
    found = IgnoreList("m", AT, ("DeepInfra",), fail_open=True, entries=(), unmatched=("DeepInfra",))
    unmatched, open_ = explain.of_list(found)
    assert unmatched == (
        "m: the exclusion of DeepInfra covers no known route, and the gateway drops such names silently; "
        "compare it with the tags and provider names of the listing."
    )
    assert open_ == "m: the layers together cover every live route, so suspensions are left out."


@pytest.mark.parametrize(
    ("names", "text"),
    [((), "nothing"), (("a",), "a"), (("b", "a"), "a and b"), (("c", "b", "a"), "a, b and c")],
)
def test_names_are_listed_as_a_person_does(names, text):
    assert explain.listed(names) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 seconds"),
        (1, "1 second"),
        (60, "1 minute"),
        (5400, "90 minutes"),
        (7200, "2 hours"),
        (86400, "1 day"),
    ],
)
def test_durations_are_said_in_their_largest_whole_unit(seconds, text):
    assert explain.lasting(timedelta(seconds=seconds)) == text
