"""What an operator copies out of deploy/: every metric it names exists, every setting too."""

import json
import re
import shutil
import subprocess
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest

from offices import House
from serinus.config.keys import keys
from serinus.service.figures import Bookkeeper
from serinus.service.notice_kinds import Wants
from serinus.traffic.proxy.counters import Counters, LedgerCounters
from serinus.traffic.proxy.pages import Metrics
from serinus.web.metrics import Canary

DEPLOY = Path(__file__).parents[2] / "deploy"
RULES = DEPLOY / "prometheus/serinus.rules.yml"
DASHBOARD = DEPLOY / "grafana/serinus.json"
SELECTOR = re.compile(r"\b(serinus_[a-z_]+)(?:\{([^}]*)\})?")
MATCHER = re.compile(r'([a-z_]+)\s*(?:=~|!~|!=|=)\s*"')
TARGET = {"instance", "job"}  # what Prometheus itself adds


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    """Every sample's name with the labels that it may have."""
    house = House(tmp_path_factory.mktemp("store"), ((), ("beta",), ("beta",)))
    house.operated.round("beta")
    counters, ledger = Counters(), LedgerCounters()
    for counted in (counters.answers, counters.ends, counters.refused, counters.bodies):
        counted["some"] += 1
    families = [
        *Canary(Bookkeeper(house.desk, {"ops": Wants()}), 300).collect(),
        *Metrics(counters, ledger).collect(),
    ]
    labels = defaultdict(set)
    for sample in (s for f in families for s in f.samples):
        labels[sample.name] |= set(sample.labels)
    return labels


def expressions():
    rules = re.findall(r"^\s+expr: (.*)$", RULES.read_text(encoding="utf-8"), re.MULTILINE)
    panels = json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]
    shown = [t["expr"] for p in panels for t in p.get("targets", ())]
    return [*rules, *shown]


@pytest.mark.parametrize("expression", expressions())
def test_every_metric_and_label_that_a_rule_or_panel_names_exists(known, expression):
    found = SELECTOR.findall(expression)
    assert found
    for name, matchers in found:
        assert name in known, name
        wanted = set(MATCHER.findall(matchers))
        assert wanted <= known[name] | TARGET, (name, wanted)
    grouped = {g.strip() for by in re.findall(r"by \(([^)]*)\)", expression) for g in by.split(",")}
    assert grouped <= set().union(*(known[name] for name, _ in found)) | TARGET
    assert all(expression.count(a) == expression.count(b) for a, b in ("()", "{}", "[]"))


def test_every_family_is_worth_a_panel_or_a_rule(known):
    named = {name for e in expressions() for name, _ in SELECTOR.findall(e)}
    shown = {re.sub(r"_(bucket|count|total|info)$", "", n) for n in named}
    everything = {re.sub(r"_(bucket|count|total|info)$", "", n) for n in known if "proxy" not in n}
    unshown = everything - shown
    assert unshown <= {
        "serinus_build", "serinus_up", "serinus_log_entries", "serinus_probe_tokens",
        "serinus_outbox_waiting",
        "serinus_listed_routes", "serinus_last_round_timestamp_seconds", "serinus_route_series_withheld",
        "serinus_route_streak_rounds", "serinus_route_suspended_until_timestamp_seconds",
    }  # fmt: skip


def test_panels_lie_side_by_side_and_have_names_of_their_own():
    panels = json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]
    assert len({p["id"] for p in panels}) == len(panels)
    taken = set()
    for p in panels:
        at = p["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken, p["title"]
        assert at["x"] + at["w"] <= 24
        taken |= cells
        assert p["type"] == "row" or p["description"]


def test_every_alert_says_what_is_wrong_and_how_grave_it_is():
    yaml = pytest.importorskip("yaml")
    [group] = yaml.safe_load(RULES.read_text(encoding="utf-8"))["groups"]
    for rule in group["rules"]:
        assert rule["labels"]["severity"] in {"warning", "critical"}
        assert rule["annotations"]["summary"]
        assert rule["annotations"]["description"]


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not here")
def test_promtool_takes_the_rules():
    subprocess.run([shutil.which("promtool"), "check", "rules", RULES], check=True, timeout=60)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not here")
def test_systemd_takes_the_unit(tmp_path):
    unit = tmp_path / "serinus.service"
    text = (DEPLOY / "systemd/serinus.service").read_text(encoding="utf-8")
    unit.write_text(text.replace("/opt/serinus/bin/serinus", "/bin/true"), encoding="utf-8")
    done = subprocess.run(
        [shutil.which("systemd-analyze"), "verify", unit],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stderr.strip() == ""


def test_the_container_is_nobodys_root_and_says_how_it_is():
    text = (DEPLOY / "docker/Dockerfile").read_text(encoding="utf-8")
    last = text.rpartition("FROM ")[2]
    assert re.search(r"^USER (?!root|0)\S+$", last, re.MULTILINE)
    assert "HEALTHCHECK" in last
    assert "127.0.0.1:7717/health" in last


def test_the_variables_that_compose_sets_are_settings():
    yaml = pytest.importorskip("yaml")
    compose = yaml.safe_load((DEPLOY / "docker/compose.yaml").read_text(encoding="utf-8"))
    variables = set(compose["services"]["serinus"]["environment"])
    assert variables <= {key.variable for key in keys()} | {"SERINUS_CONFIG"}


def test_the_image_takes_the_port_that_is_the_default():
    assert next(k for k in keys() if k.path == "serve.port").default in {7717, "7717"}
    assert tomllib.loads((DEPLOY.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
