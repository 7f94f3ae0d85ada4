from serinus.core.model import Probe
from serinus.core.transcript import Answer, Transcript, Usage
from serinus.service.answers import Answered
from serinus.service.fingerprint import Shift, shifts
from serinus.service.planning import Ask
from world import offers


def answered(tag: str, tokens: int | None, attempt: int = 0) -> Answered:
    probe = Probe(key="roleplay.pt.inn", kind="roleplay", language="pt")
    answer = Answer(usage=Usage(prompt_tokens=tokens) if tokens else None)
    return Answered(Ask(offers(tag)[0], probe, attempt, "s"), Transcript(probe, answer), {})


def test_a_route_that_counts_the_prompt_unlike_its_peers_stands_apart():
    counts = {"a": 100, "b": 103, "c": 98, "d": 142}
    found = shifts([answered(tag, n) for tag, n in counts.items()])
    assert found == (Shift("d", "roleplay.pt.inn", 142, 100),)


def test_a_nonce_of_its_own_sets_nobody_apart():
    assert shifts([answered(tag, 100 + n) for n, tag in enumerate("abcdef")]) == ()


def test_where_half_of_them_differ_nobody_is_the_usual_one():
    assert shifts([answered("a", 100), answered("b", 100), answered("c", 142), answered("d", 142)]) == ()


def test_few_routes_and_missing_counts_say_nothing():
    assert shifts([answered("a", 100), answered("b", 100), answered("c", 142)]) == ()
    assert shifts([answered(tag, None) for tag in "abcd"]) == ()


def test_further_votes_are_other_prompts_and_are_not_compared():
    votes = [answered(tag, 300, attempt=1) for tag in "ab"]
    assert shifts([*(answered(tag, 100) for tag in "abcd"), *votes]) == ()
