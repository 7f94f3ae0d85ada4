"""What a good file and good variables become."""

import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serinus.config import ConfigError, api_key, inspect, load
from serinus.config.keys import REPEATED, keys
from serinus.config.load import looked_at
from serinus.config.starter import starter
from serinus.core.model import Limits
from serinus.core.policy import Policy
from serinus.probes.languages import LANGUAGES

ONE = '[[model]]\nid = "author/name"\n'


@pytest.fixture
def write(tmp_path):
    def to(text, name="serinus.toml"):
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        return file

    return to


def test_one_model_is_a_whole_configuration(write):
    settings = load(write(ONE), {})
    assert settings.rounds.interval == timedelta(minutes=30)
    assert settings.policy.suspensions == (timedelta(days=1), timedelta(days=3), timedelta(days=7))
    assert settings.budget.usd_per_day == 1.0
    assert settings.model[0].languages == tuple(LANGUAGES)
    assert settings.model[0].limits.value() == Limits()


def test_a_variable_wins_over_the_file(write):
    file = write(ONE + "[policy]\nfloor = 3\nmin_gap = '10m'\n")
    settings = load(file, {"SERINUS_POLICY_FLOOR": "4", "SERINUS_ROUNDS_PER_PROVIDER": "1"})
    assert (settings.policy.floor, settings.rounds.per_provider) == (4, 1)
    assert settings.policy.min_gap == timedelta(minutes=10)


def test_an_empty_variable_sets_nothing(write):
    assert load(write(ONE), {"SERINUS_POLICY_FLOOR": ""}).policy.floor == 2


@pytest.mark.parametrize("written", ["1d,2d", '["1d", "2d"]', " 1d , 2d "])
def test_a_list_is_written_with_commas_or_as_json(write, written):
    settings = load(write(ONE), {"SERINUS_POLICY_SUSPENSIONS": written})
    assert settings.policy.suspensions == (timedelta(days=1), timedelta(days=2))


def test_models_are_named_by_one_variable(write):
    settings = load(write(ONE), {"SERINUS_MODEL": "author/a,author/b"})
    assert [m.id for m in settings.model] == ["author/a", "author/b"]
    settings = load(write(ONE), {"SERINUS_MODEL": '[{"id": "author/a", "controls": ["openai"]}]'})
    assert settings.model[0].controls == ("openai",)


def test_a_wrong_variable_is_told_by_its_name(write):
    environ = {"SERINUS_POLICY_FLOOR": "none", "SERINUS_POLICY_FLOR": "2", "SERINUS_MODEL": "nameless"}
    lines = [p.line() for p in inspect(write(ONE), environ).problems]
    assert any(
        line.startswith("environment: SERINUS_POLICY_FLOR: found a variable that no") for line in lines
    )
    assert any(line.startswith('environment: SERINUS_POLICY_FLOOR: found "none"') for line in lines)
    assert any(line.startswith('environment: SERINUS_MODEL: model[0].id: found "nameless"') for line in lines)
    assert len(lines) == 3


def test_every_key_can_be_set_by_its_variable(write):
    """Each at its default, or at its example where it has none."""
    secret = {"gateway.api_key_file", "heartbeat.url_file"}
    plain = [k for k in keys() if k.path.partition(".")[0] not in REPEATED and k.path not in secret]
    values = {k.variable: (k.default_text or k.example).strip('"') for k in plain}
    write("", "exclusions.toml")
    values["SERINUS_EXCLUSIONS_FILE"] = str(write("", "exclusions.toml"))
    values["SERINUS_SERVE_PROXIES"] = "127.0.0.1"  # whose word on `serve.user_header` is taken
    report = inspect(write(ONE), {**values, "HEARTBEAT_URL": "https://watch.example/ping"})
    assert not report.problems


def test_the_file_is_the_one_that_a_variable_names(write):
    file = write(ONE, "other.toml")
    assert load(None, {"SERINUS_CONFIG": str(file)}).model[0].id == "author/name"


def test_paths_start_at_the_file_that_names_them(write):
    file = write(ONE + "[store]\npath = 'data/canary.sqlite'\n")
    assert load(file, {}).store.path == file.parent / "data/canary.sqlite"
    assert load(file, {"SERINUS_STORE_PATH": "here.sqlite"}).store.path == Path("here.sqlite")


def test_modes_become_events_from_the_general_to_the_particular(write):
    text = """
[[model]]
id = "author/a"
modes = { }
[[model]]
id = "author/b"
mode = "enforce"
"""
    at = datetime(2026, 11, 30, tzinfo=UTC)
    assert [(e.model, e.mode.value) for e in load(write(text), {}).modes(at)] == [
        (None, "observe"),
        ("author/b", "enforce"),
    ]


def test_settings_left_alone_are_the_policys_own_defaults(write):
    assert load(write(ONE), {}).policy.value() == Policy()


def test_a_models_limits_are_those_of_all_but_for_what_it_says_itself(write):
    text = """
[limits]
first_text = "20s"
[[model]]
id = "author/a"
limits = { stall = "5s" }
[[model]]
id = "author/b"
"""
    settings = load(write(text), {})
    assert settings.limits_of("author/a") == Limits(first_text=20.0, stall=5.0)
    assert settings.limits_of("author/b") == settings.limits_of("another/one") == Limits(first_text=20.0)


def test_the_key_comes_from_the_environment_or_from_a_file(write):
    settings = load(write(ONE), {})
    assert api_key(settings, {}) is None
    found = api_key(settings, {"OPENROUTER_API_KEY": " sk-1 \n"})
    assert found is not None
    assert found.get_secret_value() == "sk-1"
    assert "sk-1" not in repr(found)
    write("sk-2\n", "key")
    settings = load(write("[gateway]\napi_key_file = 'key'\n" + ONE), {})
    found = api_key(settings, {"OPENROUTER_API_KEY": "sk-1"})
    assert found is not None
    assert found.get_secret_value() == "sk-2"


@pytest.mark.parametrize("text", ["", "two words", "\n"])
def test_a_key_file_holds_one_word(write, text):
    write(text, "key")
    with pytest.raises(ConfigError, match="holds the key and nothing else"):
        load(write("[gateway]\napi_key_file = 'key'\n" + ONE), {})


def test_notes_tell_what_is_allowed_and_still_worth_knowing(write):
    text = "[gateway]\nbase_url = 'http://gateway.example/v1/'\n[budget]\nusd_per_day = 0\n" + ONE
    report = inspect(write(text), {})
    assert [n.partition(":")[0] for n in report.notes] == [
        "no key",
        "gateway.base_url is plain http to another machine",
        "budget.usd_per_day is 0",
    ]
    assert not inspect(write(ONE), {"OPENROUTER_API_KEY": "k"}).notes


def test_the_starter_file_is_good_as_it_stands_and_with_every_line_taken_in(write):
    assert load(write(starter()), {}).rounds.interval == timedelta(minutes=30)
    lines = starter().splitlines()
    taken = [
        line.removeprefix("# ") if " = " in line.split("#", 2)[-1][:40] or line.startswith("# [[") else line
        for line in lines
    ]
    assert tomllib.loads("\n".join(taken))["policy"]["floor"] == 2
    assert starter().count("gateway.api_key_file") == 1


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["1d", "a/b"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from([k.path.rpartition(".")[2] for k in keys()] + ["typo"])
TABLES = st.dictionaries(
    st.sampled_from(["gateway", "limits", "rounds", "policy", "budget", "exclusions", "store", "typo"]),
    st.dictionaries(NAMES, VALUES, max_size=4) | VALUES,
    max_size=4,
)


@given(tables=TABLES, model=st.lists(st.dictionaries(NAMES, VALUES, max_size=3), max_size=2) | VALUES)
def test_whatever_is_configured_is_told_and_never_raises(tables, model):
    report = looked_at(Path("serinus.toml"), {**tables, "model": model}, {})
    assert (report.settings is None) == bool(report.problems)
    assert all(p.found and p.allowed and p.advice for p in report.problems)


@given(
    st.dictionaries(st.sampled_from(sorted({k.variable for k in keys()})), st.text(max_size=20), max_size=5)
)
def test_whatever_the_environment_holds_is_told_and_never_raises(environ):
    report = looked_at(Path("serinus.toml"), {"model": [{"id": "a/b"}]}, environ)
    assert (report.settings is None) == bool(report.problems)


def test_the_example_is_good():
    report = inspect(Path(__file__).parents[2] / "examples/serinus.toml", {})
    assert report.problems == ()
    assert [e.route for e in report.exclusions] == ["cedar/fp4"]


@pytest.mark.parametrize(
    ("written", "source"),
    [
        ("store", "store"),
        ("http://canary:7717", "http://canary:7717"),
        ("sqlite:////var/lib/serinus.sqlite", "sqlite:////var/lib/serinus.sqlite"),
        ("lists.json", Path("lists.json")),
        ("/srv/lists.json", Path("/srv/lists.json")),
    ],
)
def test_the_proxys_list_starts_at_the_file_where_it_is_a_path(write, written, source):
    file = write(f'{ONE}[proxy]\nexclusions = "{written}"\n')
    anchored = file.parent / source if isinstance(source, Path) else source
    assert load(file, {}).proxy.exclusions == anchored
    assert load(write(ONE), {"SERINUS_PROXY_EXCLUSIONS": written}).proxy.exclusions == source


@pytest.mark.parametrize("written", ['""', "3", '"a\\u0000b"'])
def test_what_is_no_source_of_lists_is_told(write, written):
    with pytest.raises(ConfigError) as refused:
        load(write(f"{ONE}[proxy]\nexclusions = {written}\n"), {})
    (problem,) = refused.value.problems
    assert problem.path == "proxy.exclusions"
    assert "a URL of serinus serve" in problem.allowed
