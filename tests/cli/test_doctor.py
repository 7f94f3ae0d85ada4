"""`serinus doctor` before a simulated gateway: what is well, what is wrong, and what to do about it."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from serinus.cli.doctor import doctor, examined
from serinus.core.exclusions import Layer
from serinus.core.model import Offer, Route
from serinus.core.policy import Exclude
from serinus.core.policy.journal import to_json
from serinus.engine.clock import now
from serinus.service.documents import listing_document
from serinus.service.storage import ClosedRound, RoundState
from serinus.simulator.scenario_file import parse
from serinus.simulator.simulator import Simulator
from serinus.store import open_store

KEY = "sk-or-v1-0123456789abcdef"
MODEL = "acme/story-70b"
QUICK = {"first_text": 0.01, "per_token": 0.0}
HOSTS = ("alpha/fp8", "beta", "gamma", "delta")
CONFIG = """
[gateway]
base_url = "{gateway}"
api_key_file = "key"

[budget]
usd_per_day = 1.0

[[model]]
id = "acme/story-70b"
controls = [{controls}]
"""


@dataclass
class Patient:
    """A folder with a configuration, and the gateway that it names; the cheapest host is `alpha/fp8`."""

    folder: Path
    faults: Mapping[str, str] = field(default_factory=dict)
    gateway_faults: tuple[str, ...] = ()
    account: Mapping[str, Any] = field(default_factory=dict)
    control: str = '"delta"'
    more: str = ""
    off: timedelta = timedelta()

    @property
    def store(self) -> Path:
        return self.folder / "serinus.sqlite"

    def scenario(self) -> Simulator:
        hosts = [
            {
                "tag": tag,
                "latency": QUICK,
                "price": {"prompt": 0.1 + n / 10, "completion": 0.3},
                "faults": [{"name": self.faults[tag]}] if tag in self.faults else [],
            }
            for n, tag in enumerate(HOSTS)
        ]
        tables = {"model": [{"id": MODEL}], "host": hosts, "generation_delay": 0.0, "account": self.account}
        faults = [{"name": name} for name in self.gateway_faults]
        return Simulator(parse({**tables, "fault": faults}))

    def write(self, base_url: str) -> Path:
        (self.folder / "key").write_text(KEY, encoding="utf-8")
        config = self.folder / "serinus.toml"
        text = CONFIG.format(gateway=base_url, controls=self.control) + self.more
        config.write_text(text, encoding="utf-8")
        return config

    def examined(self, *, probe: bool = True) -> int:
        async def inner() -> int:
            async with self.scenario() as simulator:
                config = self.write(simulator.base_url)
                return await examined(config, probe=probe, as_json=True, clock=lambda: now() + self.off)

        return asyncio.run(inner())


class Said:
    """What was printed."""

    def __init__(self, capsys) -> None:
        self.text = capsys.readouterr().out
        self.document = json.loads(self.text)

    def of(self, topic: str, *severities: str) -> list[str]:
        wanted = severities or ("note", "problem")
        return [
            f["found"] for f in self.document["findings"] if f["topic"] == topic and f["severity"] in wanted
        ]

    @property
    def problems(self) -> list[str]:
        return [f["topic"] for f in self.document["findings"] if f["severity"] == "problem"]


@pytest.fixture
def patient(tmp_path) -> Patient:
    return Patient(tmp_path)


def test_a_healthy_setup_has_no_problem_and_says_who_served_and_what_it_cost(patient, capsys):
    assert patient.examined() == 0
    said = Said(capsys)
    assert said.problems == []
    proof, attempt, record = said.of("probe", "ok")
    assert proof.startswith("alpha/fp8 answered as Alpha after ")
    assert "from no cache and altered by no plugin" in proof
    assert "attempt 1" in attempt
    assert "alone" in record
    assert 0 < said.document["usd"] < 0.001
    assert said.of("clock", "ok")
    assert said.of("names", "ok")
    assert said.of("listing", "ok") == ["4 routes of 4 providers are listed."]
    assert KEY not in said.text


def test_every_note_and_problem_has_a_remedy(patient, capsys):
    patient.control = '"dleta"'
    patient.examined()
    findings = Said(capsys).document["findings"]
    assert [f for f in findings if f["severity"] != "ok" and not f["remedy"]] == []
    assert [f for f in findings if f["severity"] == "ok" and f["remedy"]] == []


def test_a_wrong_key_is_our_problem_and_no_probe_is_wasted_on_it(patient, capsys):
    patient.account = {"key": "sk-or-v1-another-one"}
    assert patient.examined() == 1
    said = Said(capsys)
    assert said.problems == ["key"]
    assert "does not accept this key" in said.of("key")[0]
    assert said.of("probe", "ok", "note", "problem") == []


def test_a_used_up_key_is_told_before_anything_is_asked(patient, capsys):
    patient.account = {"credits": 0.0}
    assert patient.examined() == 1
    said = Said(capsys)
    assert "used up" in said.of("key")[0]
    assert "used up" in said.of("credit")[0]
    assert said.document["usd"] == 0


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("http_402", "no credit left"),
        ("http_401", "does not accept the key"),
        ("http_403_guardrail", "a guardrail of ours"),
    ],
)
def test_a_probe_that_is_refused_for_our_own_sake_is_a_problem_of_ours(patient, capsys, fault, words):
    patient.faults = {"alpha/fp8": fault}
    assert patient.examined() == 1
    said = Said(capsys)
    assert said.problems == ["probe"]
    assert words in said.of("probe")[0]


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("wrong_provider", "answered, pinned was alpha/fp8"),
        ("cache_hit", "cache"),
        ("retried_attempt", "attempts"),
        ("byok_answer", "own account"),
    ],
)
def test_an_answer_that_is_not_the_routes_own_voids_every_probe_and_is_a_problem(
    patient, capsys, fault, words
):
    patient.faults = {"alpha/fp8": fault}
    assert patient.examined() == 1
    said = Said(capsys)
    assert set(said.problems) == {"probe"}
    assert words in said.of("probe", "problem")[0]


def test_a_route_that_does_not_answer_is_no_problem_of_the_setup(patient, capsys):
    patient.faults = {"alpha/fp8": "http_503"}
    assert patient.examined() == 0
    assert "alpha/fp8 gave no answer: status 503" in Said(capsys).of("probe")[0]


def test_a_host_that_the_account_ignores_is_told_and_the_next_one_is_asked(patient, capsys):
    patient.account = {"ignored": ["alpha"]}
    assert patient.examined() == 1
    said = Said(capsys)
    assert "the account or a guardrail leaves this host out" in said.of("probe", "problem")[0]
    assert said.of("probe", "ok")[0].startswith("beta answered as Beta")


def test_healing_by_default_is_seen_though_probes_switch_it_off(patient, capsys):
    patient.account = {"healing": True}
    assert patient.examined() == 0
    said = Said(capsys)
    assert "response-healing" in said.of("plugins", "note")[0]
    assert "altered by no plugin" in said.of("probe", "ok")[0]


def test_without_a_probe_nothing_is_spent(patient, capsys):
    assert patient.examined(probe=False) == 0
    said = Said(capsys)
    assert (said.of("probe", "ok"), said.document["usd"]) == ([], 0)


@pytest.mark.parametrize("fault", ["listing_empty", "listing_500", "listing_html"])
def test_a_listing_that_cannot_be_believed_is_a_problem(patient, capsys, fault):
    patient.gateway_faults = (fault,)
    assert patient.examined() == 1
    assert "listing" in Said(capsys).problems


@pytest.mark.parametrize(("off", "words"), [(3600, "ahead of"), (-3600, "behind")])
def test_a_clock_that_is_off_is_a_problem(patient, capsys, off, words):
    patient.off = timedelta(seconds=off)
    assert patient.examined(probe=False) == 1
    said = Said(capsys)
    assert said.problems == ["clock"]
    assert words in said.of("clock")[0]


def test_a_control_that_matches_nothing_is_told_with_the_nearest_name(patient, capsys):
    patient.control = '"dleta"'
    assert patient.examined(probe=False) == 1
    said = Said(capsys)
    [problem] = [f for f in said.document["findings"] if f["severity"] == "problem"]
    assert "'dleta' (a control) covers no known route" in problem["found"]
    assert problem["remedy"].startswith("did you mean delta")


def test_a_reviewed_exclusion_under_a_display_name_is_told(patient, capsys):
    entry = (
        '[[exclusion]]\nroute = "Beta"\nreason = "r"\nevidence = "e"\nreviewed_by = "x"\ndate = 2026-11-01\n'
    )
    (patient.folder / "exclusions.toml").write_text(entry, encoding="utf-8")
    assert patient.examined(probe=False) == 1
    assert "'Beta' (built-in exclusion)" in Said(capsys).of("names")[0]


def offer(tag: str) -> Offer:
    return Offer(Route(MODEL, tag), tag.partition("/")[0], tag.title())


def test_what_the_store_remembers_is_held_against_what_is_listed_now(patient, capsys):
    store = open_store(patient.store, create=True)
    at = datetime(2026, 11, 30, tzinfo=UTC)
    row = store.open_round("r1", MODEL, at)
    assert row is not None
    exclude = Exclude(at, Layer.OPERATIONAL, "gama", MODEL, by="ops", why="slow")
    before = [offer(tag) for tag in ("alpha/fp4", "beta", "gamma", "delta", "epsilon")]
    store.close_round(
        ClosedRound(
            row=replace(row, state=RoundState.CLOSED, closed_at=at),
            seen=0,
            entries=[(at, "exclude", to_json(exclude))],
            listing=listing_document(before),
        )
    )
    assert patient.examined(probe=False) == 1
    said = Said(capsys)
    assert "alpha/fp4 is gone and alpha/fp8 is new" in said.of("renamed")[0]
    assert "changed: -epsilon" in said.of("listing")[0]
    assert "'gama' (operational exclusion)" in said.of("names")[0]
    assert "Rounds are held by process" in said.of("store", "ok")[1]
    store.close()


def test_the_probes_cost_is_counted_in_the_days_spending(patient, capsys):
    open_store(patient.store, create=True).close()
    patient.examined()
    store = open_store(patient.store, read_only=True)
    assert store.spent(now().date()) == pytest.approx(Said(capsys).document["usd"])
    store.close()


# The library looks for a module of Python's that 3.13 has no more.
@pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")
def test_a_damaged_store_and_a_disabled_or_unset_channel_are_problems(patient, capsys):
    patient.more = (
        '[[notify]]\nname = "mail"\nkind = "apprise"\nurl_file = "mail"\n'
        '[[notify]]\nname = "odd"\nkind = "apprise"\nurl_file = "odd"\n'
        '[[notify]]\nname = "unset"\nkind = "apprise"\nurl_file = "nowhere"\n'
    )
    (patient.folder / "mail").write_text("json://ops.example/SECRET", encoding="utf-8")
    (patient.folder / "odd").write_text("nonsense://SECRET", encoding="utf-8")
    store = open_store(patient.store, create=True)
    store.disable_channel("mail", "it answered 404", now())
    store.close()
    assert patient.examined(probe=False) == 1
    said = Said(capsys)
    assert said.problems == ["channels"] * 3
    assert "SECRET" not in said.text
    patient.store.write_bytes(b"no database at all, but long enough to be taken for one" * 50)
    assert patient.examined(probe=False) == 1
    assert "store" in Said(capsys).problems


def test_a_gateway_that_cannot_be_reached_is_said_and_nothing_is_claimed(tmp_path, capsys):
    config = Patient(tmp_path).write("http://127.0.0.1:9/api/v1")
    assert doctor(config=config, json_=True) == 2
    assert Said(capsys).problems == ["key", "listing"]


def test_a_wrong_configuration_is_told_as_by_config_check(tmp_path, capsys):
    (tmp_path / "serinus.toml").write_text("[[model]]\nid = 'nameless'\n", encoding="utf-8")
    assert doctor(config=tmp_path / "serinus.toml") == 2
    assert "model[0].id: found" in capsys.readouterr().err


def test_it_is_read_by_people_too(patient, capsys):
    async def inner() -> int:
        async with patient.scenario() as simulator:
            config = patient.write(simulator.base_url)
            return await examined(config, probe=True, as_json=False, clock=now)

    assert asyncio.run(inner()) == 0
    shown = capsys.readouterr().out
    assert "ok    key        The gateway accepts the key" in shown
    assert "0 problems, " in shown
    assert "the probes cost 0.0000" in shown
