from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from serinus.config.problems import ConfigError
from serinus.simulator.demo import demo
from serinus.simulator.faults import catalogue
from serinus.simulator.scenario import Window
from serinus.simulator.scenario_file import load, parse

ROOT = Path(__file__).parents[2]
FILES = [*(ROOT / "examples").glob("*.toml"), *(ROOT / "src/serinus/simulator/scenarios").glob("*.toml")]
EXAMPLES = sorted(path for path in FILES if "[[host]]" in path.read_text(encoding="utf-8"))
MODEL = {"model": [{"id": "acme/story-70b"}]}


def problems(tables):
    with pytest.raises(ConfigError) as caught:
        parse(tables)
    return {p.path: p for p in caught.value.problems}


def with_fault(**fault):
    return {**MODEL, "host": [{"tag": "amber/fp8", "faults": [fault]}]}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.name)
def test_every_example_can_be_used(path):
    assert load(path).hosts


def test_the_demo_has_healthy_hosts_of_four_providers_faulty_ones_and_a_control():
    hosts = demo().hosts
    healthy = {h.provider for h in hosts if not h.faults and not h.control}
    faults = {use.name for h in hosts for use in h.faults}
    assert len(healthy) >= 4
    assert len(faults) >= 6
    assert sum(h.control for h in hosts) == 1


def test_a_host_needs_a_tag_alone():
    (found,) = parse({**MODEL, "host": [{"tag": "deep-sea/fp8"}]}).hosts
    assert (found.provider, found.display, found.faults) == ("deep-sea", "Deep Sea", ())


def test_times_are_durations_after_the_start_or_dates():
    when = datetime(2026, 12, 1, tzinfo=UTC)
    (found,) = parse(with_fault(**{"name": "http_502", "from": "90s", "until": when})).hosts
    assert found.faults[0].window == Window(timedelta(seconds=90), when)


def test_a_window_is_half_open():
    began = datetime(2026, 11, 30, tzinfo=UTC)
    window = Window(timedelta(seconds=10), timedelta(seconds=20))
    at = [window.holds(began + timedelta(seconds=s), began) for s in (9.9, 10, 19.9, 20)]
    assert at == [False, True, True, False]


def test_a_faults_own_parameters_stand_beside_its_name():
    (found,) = parse(with_fault(name="slow_first_token", seconds=3)).hosts
    assert found.faults[0].parameters == {"seconds": 3}


def test_an_unknown_fault_is_told_with_the_nearest_name_and_all_names():
    (problem,) = problems(with_fault(name="json_fence")).values()
    assert problem.path == "host[0].faults[0].name"
    assert problem.found == '"json_fence"'
    assert problem.advice == "did you mean json_fenced?"
    assert all(name in problem.allowed for name in catalogue())


def test_an_unknown_parameter_is_told_with_the_fault_s_own():
    (problem,) = problems(with_fault(name="slow_first_token", second=3)).values()
    assert problem.path == "host[0].faults[0].second"
    assert problem.advice == "did you mean seconds?"


def test_a_parameter_of_the_wrong_kind_is_told():
    assert problems(with_fault(name="slow_first_token", seconds="long"))["host[0].faults[0].seconds"]
    found = problems(with_fault(name="language_mixed", level="letter"))["host[0].faults[0].level"]
    assert found.allowed == "'word', 'clause' or 'sentence'"


def test_ten_mistakes_are_told_at_once():
    tables = {
        "seed": "seven",
        "colour": "blue",
        "model": [{"id": "two words"}, {}],
        "host": [
            {"tag": "amber/fp8", "latency": {"first_text": -1}, "control": "yes"},
            {
                "tag": "",
                "price": {"prompt": "dear"},
                "faults": [{"rate": 2}, {"name": "http_502", "from": "soon"}],
            },
        ],
    }
    found = problems(tables)
    assert {
        "seed", "colour", "model[0].id", "model[1].id", "host[0].latency.first_text", "host[0].control",
        "host[1].tag", "host[1].price.prompt", "host[1].faults[0].name", "host[1].faults[0].rate",
        "host[1].faults[1].from",
    } == set(found)  # fmt: skip
    assert all(p.allowed and p.found and p.advice for p in found.values())


def test_names_that_do_not_fit_together_are_told():
    tables = {**MODEL, "host": [{"tag": "amber/fp8"}, {"tag": "amber/fp8", "models": ["acme/other"]}]}
    assert set(problems(tables)) == {"host[1].tag", "host[1].models"}


def test_a_fault_of_the_answer_is_refused_on_a_host_that_forwards():
    host = {"tag": "real", "forward": "http://127.0.0.1:9", "faults": [{"name": "json_fenced"}]}
    (problem,) = problems({**MODEL, "host": [host]}).values()
    assert "forwarded" in problem.found
    assert "response_format_dropped" in problem.allowed


def test_a_file_that_is_no_toml_is_told_with_its_line(tmp_path):
    file = tmp_path / "bad.toml"
    file.write_text("[[model]]\nid = \n")
    with pytest.raises(ConfigError, match="line 2"):
        load(file)
