"""Stories of counts and what follows from them: whom a fault follows, and when nobody is blamed."""

from __future__ import annotations

import random
from itertools import cycle

from hypothesis import given, settings
from hypothesis import strategies as st

from serinus.core.comparison.clusters import design_effect, outweighed
from serinus.core.comparison.conclusion import Conclusion, Kind, conclude
from serinus.core.comparison.counts import Count, RouteCounts, authors_own
from serinus.core.comparison.power import detectable, fewest
from serinus.core.comparison.precision import failing_classes
from serinus.core.explain.comparisons import of_comparison, of_comparison_notes
from serinus.core.model import Word


def route(tag: str, failed: int, of: int, precision: str | None = None, **more) -> RouteCounts:
    """A route whose answers are to as many prompts."""
    cells = {f"p{n}": Count(int(n < failed), 1) for n in range(of)}
    return RouteCounts(tag, tag.partition("/")[0], precision, by_prompt=cells, **more)


def celled(tag: str, *cells: tuple[int, int], **more) -> RouteCounts:
    """A route with so many failures of so many answers to each prompt."""
    return RouteCounts(tag, tag, by_prompt={f"p{n}": Count(*c) for n, c in enumerate(cells)}, **more)


def peers(count: int, failed: int, of: int, precision: str | None = None) -> list[RouteCounts]:
    return [route(f"peer{n}{precision or ''}", failed, of, precision) for n in range(count)]


def told(*routes: RouteCounts) -> Conclusion:
    return conclude(routes, random.Random(1).randrange)  # noqa: S311  a resampling


def test_nineteen_of_twenty_against_none_of_forty_nine_follows_the_endpoint():
    found = told(route("iris", 19, 20, suspect=True), *peers(7, 0, 4), *peers(7, 0, 3, "fp8"))
    assert (found.kind, found.blamed) == (Kind.ENDPOINT, ("iris",))
    assert of_comparison(found) == (
        "The fault follows the endpoint iris: 19/20 here, 0/49 on 14 others, p = 4e-16."
    )


def test_three_of_three_against_clean_peers_of_its_class_and_the_authors_own_host():
    own = route("acme", 0, 3, "fp8", own=True)
    found = told(route("harbor", 3, 3, "fp8", suspect=True), own, *peers(3, 0, 3, "fp8"))
    assert (found.kind, found.blamed) == (Kind.ENDPOINT, ("harbor",))
    notes = of_comparison_notes(found)
    assert "The 4 peers of its precision class (fp8) do not share it: harbor 3/3, they 0/12." in notes
    assert "On the author's own host: acme 0/3." in notes


def test_one_prompt_asked_three_times_says_so():
    found = told(celled("harbor", (3, 3), suspect=True), *(celled(f"h{n}", (0, 3)) for n in range(4)))
    assert found.kind is Kind.ENDPOINT
    assert "the one prompt that was asked" in of_comparison(found)


def test_a_search_through_all_routes_is_corrected_for_all():
    found = told(route("iris", 3, 20), *peers(14, 0, 20))
    assert found.kind is Kind.ENDPOINT
    assert found.standing("iris").family == 15
    assert found.standing("iris").corrected > 10 * found.standing("iris").p


def test_two_endpoints_with_a_fault_are_both_named():
    found = told(route("iris", 19, 20), route("fjord", 8, 20), *peers(13, 0, 20))
    assert set(found.blamed) == {"iris", "fjord"}
    assert of_comparison(found).endswith("0/260 on 13 others.")


def test_a_fault_of_the_whole_model_is_blamed_on_nobody():
    found = told(route("iris", 11, 20, suspect=True), *peers(14, 10, 20))
    assert (found.kind, found.blamed) == (Kind.MODEL, ())
    assert "peers fail alike, 11/20 here, 140/280 on 14 others" in of_comparison(found)


def test_where_most_fail_and_the_authors_own_host_does_not_it_is_how_the_others_serve():
    found = told(route("acme", 0, 20, own=True), *peers(8, 14, 20))
    assert (found.kind, found.blamed) == (Kind.SERVING, ())


def test_a_fault_of_a_precision_class_is_named_as_such():
    found = told(*peers(3, 17, 20, "fp4"), *peers(12, 0, 20, "fp8"))
    assert (found.kind, found.classes, found.blamed) == (Kind.CLASS, ("fp4",), ())
    assert "precision class fp4: 51/60 on 3 routes, 0/240 on 12 others" in of_comparison(found)


def test_a_weak_fault_of_a_large_class_is_still_the_classs():
    found = told(*peers(7, 6, 20, "fp4"), *peers(8, 0, 20, "bf16"))
    assert (found.kind, found.classes) == (Kind.CLASS, ("fp4",))


def test_one_bad_route_does_not_make_its_class_bad():
    bad = route("iris", 19, 20, "fp4")
    found = told(bad, *peers(2, 0, 20, "fp4"), *peers(12, 0, 20, "fp8"))
    assert (found.kind, found.blamed) == (Kind.ENDPOINT, ("iris",))


def test_two_bad_routes_beside_a_clean_one_of_their_class_are_endpoints():
    bad = [route("iris", 19, 20, "fp4"), route("fjord", 18, 20, "fp4")]
    found = told(*bad, route("grove", 0, 20, "fp4"), *peers(12, 0, 20, "fp8"))
    assert (found.kind, set(found.blamed)) == (Kind.ENDPOINT, {"iris", "fjord"})


def test_two_routes_of_one_provider_are_no_class():
    twins = [
        RouteCounts(f"iris/{n}", "iris", "fp4", by_prompt={f"p{k}": Count(1, 1) for k in range(20)})
        for n in range(2)
    ]
    assert failing_classes([*twins, *peers(6, 0, 20, "fp8")]) == ()


def test_a_route_without_peers_of_its_class_is_blamed_and_the_doubt_is_said():
    found = told(route("iris", 19, 20, "fp4"), *peers(6, 0, 20, "fp8"))
    assert found.blamed == ("iris",)
    assert any("no peer of its precision class (fp4)" in note for note in of_comparison_notes(found))


def test_a_clean_suspect_is_not_reproduced_and_what_may_be_missed_is_said():
    found = told(route("iris", 0, 20, suspect=True), *peers(14, 0, 20))
    assert found.kind is Kind.NOT_REPRODUCED
    assert "0/20 here, 0/280 on 14 others; with 95 % iris's share of bad answers is below 14 %" in (
        of_comparison(found)
    )
    assert any("What could have been missed" in note for note in of_comparison_notes(found))


def test_three_clean_answers_prove_little_and_are_called_too_few():
    found = told(route("iris", 0, 3, suspect=True), *peers(14, 0, 3))
    assert (found.kind, found.few) == (Kind.UNDECIDED, True)


def test_two_routes_with_three_answers_each_cannot_tell_anything():
    found = told(route("iris", 3, 3), route("birch", 0, 3))
    assert (found.kind, found.few) == (Kind.UNDECIDED, True)
    assert "too few answers counted" in of_comparison(found)


def test_answers_that_do_not_count_are_told_apart():
    silent = RouteCounts("iris", "iris", suspect=True, apart={Word.TRANSPORT: 20})
    found = told(silent, *peers(5, 0, 20))
    assert (found.kind, found.few) == (Kind.UNDECIDED, True)
    notes = of_comparison_notes(found)
    assert "Not counted, as neither good nor bad: 20 transport." in notes
    assert "No answer counted on iris: nothing is said of it." in notes


def test_a_suspicion_that_the_correction_takes_away_asks_for_more():
    found = told(route("iris", 2, 20), *peers(14, 0, 20)[:-1], route("odd", 1, 20))
    assert found.kind is Kind.UNDECIDED
    assert "Ask for more answers" in of_comparison(found)


def test_a_peer_that_nobody_asked_about_and_that_stands_out_is_told():
    found = told(route("iris", 0, 20, suspect=True), route("fjord", 19, 20), *peers(6, 0, 20))
    assert found.kind is Kind.NOT_REPRODUCED
    assert any(
        "fjord was not asked about and stands out: 19/20" in note for note in of_comparison_notes(found)
    )


def test_five_failures_with_one_prompt_of_four_are_not_called_the_endpoints():
    clean = [celled(f"h{n}", *[(0, 5)] * 4) for n in range(14)]
    found = told(celled("iris", (5, 5), (0, 5), (0, 5), (0, 5), suspect=True), *clean)
    assert (found.kind, found.blamed, found.tags) == (Kind.PROMPT, ("iris",), ("iris",))
    assert "with 1 of 4 prompts: p0" in of_comparison(found)
    assert "ask with more prompts" in of_comparison(found)


def test_a_fault_in_every_prompt_is_the_endpoints_though_prompts_repeat():
    clean = [celled(f"h{n}", *[(0, 5)] * 4) for n in range(14)]
    found = told(celled("iris", (5, 5), (5, 5), (4, 5), (5, 5)), *clean)
    assert (found.kind, found.blamed) == (Kind.ENDPOINT, ("iris",))
    assert any("Prompts repeat" in note for note in of_comparison_notes(found))


def test_a_prompt_that_trips_everybody_alike_is_blamed_on_nobody():
    found = told(*(celled(f"h{n}", (5, 5), (0, 5), (0, 5), (0, 5)) for n in range(15)))
    assert found.kind is Kind.MODEL


def test_answers_that_agree_within_prompts_weigh_less():
    together, apart = celled("a", (2, 5), (0, 5), (0, 5), (0, 5)), celled("b", (1, 5), (1, 5), (0, 5), (0, 5))
    assert round(design_effect([together]), 1) == 2.1
    assert design_effect([apart]) == 1.0
    assert outweighed(Count(6, 20), Count(1, 280), 2.0) == (Count(3, 10), Count(1, 140))


def test_an_effect_of_one_changes_nothing():
    assert outweighed(Count(6, 20), Count(1, 280), 1.0) == (Count(6, 20), Count(1, 280))


def test_what_can_be_seen_is_known_before():
    clean = Count(0, 280)
    assert fewest(20, clean) == 2
    assert round(detectable(20, clean) or 0, 2) == 0.14
    assert fewest(3, Count(0, 3)) is None
    assert detectable(3, Count(0, 3)) is None


def test_more_answers_see_smaller_faults():
    shares = [detectable(n, Count(0, 14 * n), 15) or 1.0 for n in (10, 20, 40, 80)]
    assert shares == sorted(shares, reverse=True)


def test_the_authors_own_host_is_the_one_that_has_its_name():
    assert authors_own("deepseek/deepseek-v3.2", "deepseek")
    assert authors_own("x-ai/grok-4", "xai")
    assert not authors_own("deepseek/deepseek-v3.2", "deepinfra")
    assert not authors_own("bare-name", "bare-name")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=2, max_size=8), st.booleans())
def test_any_counts_have_a_verdict_in_a_sentence_and_nobody_clean_is_blamed(counts, named):
    precisions = cycle(["fp8", "bf16", None])
    routes = [
        route(f"h{n}", failed, failed + ok, next(precisions), suspect=named and n == 0)
        for n, (failed, ok) in enumerate(counts)
    ]
    found = told(*routes)
    assert of_comparison(found).endswith(".")
    assert all(note.endswith(".") for note in of_comparison_notes(found))
    assert all(found.standing(tag).count.failed for tag in found.blamed)


@settings(max_examples=30, deadline=None)
@given(st.permutations(range(6)))
def test_the_order_of_routes_decides_nothing(order):
    routes = [route("iris", 9, 20, "fp8"), *peers(3, 0, 20, "fp8"), *peers(2, 1, 20, "bf16")]
    assert told(*(routes[n] for n in order)).blamed == ("iris",)


def test_of_two_prompts_some_agreement_is_assumed():
    assert round(design_effect([celled("a", (1, 10), (1, 10))]), 1) == 1.9
    assert design_effect([celled("a", (3, 3))]) == 1.0
