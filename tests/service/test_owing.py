from serinus.core.model import Probe, Verdict, Word
from serinus.core.transcript import Answer, Transcript
from serinus.service.answers import Answered
from serinus.service.owing import Debt, Owed, owed_after
from serinus.service.planning import Ask
from world import Spoken, Written, offers

CONTRACTS = (Spoken(), Written())
OFFER = offers("a")[0]
PT, EN = Debt("spoken", "pt"), Debt("spoken", "en")


def answer(language: str, **words: Word) -> Answered:
    probe = Probe(key="p", kind="speech", language=language)
    verdicts = {name: Verdict(word, word.value) for name, word in words.items()}
    return Answered(Ask(OFFER, probe, 0, "s"), Transcript(probe, Answer()), verdicts)


def after(owed: Owed, *answers: Answered, suspended_for: frozenset[str] = frozenset()) -> Owed:
    return owed_after(owed, answers, CONTRACTS, suspended_for)


def test_an_anomaly_owes_its_language():
    assert after(Owed(), answer("pt", spoken=Word.FAIL)) == Owed((PT,))


def test_an_anomaly_that_votes_overruled_is_asked_again_all_the_same():
    owed = after(Owed(), answer("pt", spoken=Word.FAIL), answer("pt", spoken=Word.PASS))
    assert owed.languages == ("pt",)


def test_a_language_stays_owed_until_an_answer_counts():
    owed = Owed((PT,))
    assert after(owed, answer("pt", spoken=Word.TRANSPORT)) == owed
    assert after(owed, answer("pt", spoken=Word.INCONCLUSIVE)) == owed
    assert after(owed, answer("pt", spoken=Word.PASS)) == Owed()


def test_an_answer_in_another_language_pays_nothing():
    assert after(Owed((PT,)), answer("en", spoken=Word.PASS)) == Owed((PT,))


def test_a_route_suspended_for_a_language_is_asked_it_each_round():
    owed = after(Owed((PT,)), answer("pt", spoken=Word.PASS), suspended_for=frozenset({"spoken"}))
    assert owed.languages == ("pt",)


def test_two_owed_languages_take_turns_while_both_fail():
    owed = after(Owed((PT, EN)), answer("pt", spoken=Word.FAIL))
    assert owed.languages == ("en", "pt")


def test_a_contract_without_a_language_owes_itself_alone():
    owed = after(Owed(), answer("pt", written=Word.FAIL))
    assert owed == Owed((Debt("written"),))
    assert owed.languages == ()
    assert owed.contracts == {"written"}


def test_a_suspension_keeps_its_contract_asked():
    owed = after(Owed(), answer("pt", spoken=Word.PASS), suspended_for=frozenset({"written"}))
    assert owed.contracts == {"written"}
