"""The documents are complete, current and true."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest

from serinus.cli import COMMANDS
from serinus.config.keys import keys
from serinus.contracts import contracts
from serinus.core.model import Word
from serinus.core.policy import Policy
from serinus.service.notice_kinds import KINDS
from serinus.service.policy_file import parse_policy

ROOT = Path(__file__).parents[1]
PAGES = sorted(chain(ROOT.glob("*.md"), (ROOT / "docs").rglob("*.md")))
LINK = re.compile(r"!?\[[^\]]*\]\((?!https?:)([^)#\s]+)(#[^)]*)?\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
BLOCK = re.compile(r"```python\n# (?P<path>\S+)\n(?P<code>.*?)```", re.DOTALL)

# The "Words" table of the specification: the project's vocabulary.
WORDS = (
    "gateway", "provider", "endpoint", "route", "contract", "probe", "transcript", "verdict", "round",
    "streak", "suspension", "exclusion", "production route", "control",
)  # fmt: skip
DECISIONS = (
    "suspended", "held_at_floor", "restored", "expired", "renewed", "lifted", "probe_weak", "round_void",
    "below_floor",
)  # fmt: skip


def text(path):
    return (ROOT / path).read_text(encoding="utf-8")


def anchors(page):
    headings = HEADING.findall(re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL))
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_link_leads_somewhere(page):
    broken = []
    for path, anchor in LINK.findall(page.read_text(encoding="utf-8")):
        target = page.parent / path
        if not target.exists() or (anchor and target.suffix == ".md" and anchor[1:] not in anchors(target)):
            broken.append(path + anchor)
    assert broken == []


def test_every_page_is_found_from_the_front_page():
    found, ahead = set(), [ROOT / "README.md"]
    while ahead:
        page = ahead.pop().resolve()
        if page.suffix == ".md" and page not in found:
            found.add(page)
            ahead += [page.parent / path for path, _ in LINK.findall(page.read_text(encoding="utf-8"))]
    assert {page.resolve() for page in PAGES} - found == set()


def test_generated_pages_are_current():
    done = subprocess.run(
        [sys.executable, ROOT / "scripts/reference.py", "--check"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_in_the_reference(command):
    assert f"serinus {command}" in text("docs/reference/cli.md")


@pytest.mark.parametrize("key", keys(), ids=lambda k: k.path)
def test_every_setting_is_in_the_reference_with_its_variable(key):
    page = text("docs/reference/configuration.md")
    assert f"### `{key.path}`" in page
    assert f"`{key.variable}`" in page
    assert key.sentence.endswith(".")


@pytest.mark.parametrize("contract", contracts(), ids=lambda c: c.name)
def test_every_contract_and_each_of_its_reasons_is_in_the_reference(contract):
    page = text("docs/reference/verdicts.md")
    assert contract.promise in page
    assert [r.code for r in contract.reasons if f"`{r.code}`" not in page] == []


@pytest.mark.parametrize("word", [*WORDS, *DECISIONS, *Word])
def test_the_glossary_has_every_word(word):
    assert re.search(rf"^\| [^|]*(\*\*|`){re.escape(word)}(\*\*|`)", text("docs/glossary.md"), re.MULTILINE)


@pytest.mark.parametrize("word", DECISIONS)
def test_the_page_of_the_policy_has_every_decision(word):
    assert f"`{word}`" in text("docs/reference/policy.md")


def test_the_numbers_that_the_page_of_the_policy_shows_are_the_defaults():
    shown = re.search(r"```toml\n(.*?)```", text("docs/reference/policy.md"), re.DOTALL)
    assert shown
    assert parse_policy(shown[1].encode()) == Policy()


@pytest.mark.parametrize("kind", KINDS)
def test_the_operators_page_says_what_each_message_means_and_what_to_do(kind):
    assert re.search(rf"^\| [^|]*`{kind}`", text("docs/howto/operate.md"), re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_command_that_a_page_shows_exists(page):
    source = page.read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"```console\n(.*?)```", source, re.DOTALL))
    shown = re.findall(r"^(?:\$ )?serinus ([a-z][a-z-]*)", code, re.MULTILINE)
    shown += re.findall(r"`serinus ([a-z][a-z-]*)", source)
    assert set(shown) - set(COMMANDS) == set()


def dependencies():
    project = tomllib.loads(text("pyproject.toml"))
    pages = json.loads(text("src/serinus/web/assets/package.json"))
    extras, groups = project["project"]["optional-dependencies"], project["dependency-groups"]
    named = chain(project["project"]["dependencies"], *extras.values(), *groups.values())
    ours = {re.split(r"[\[<>=]", n)[0] for n in named if isinstance(n, str)}
    return sorted(ours | pages["dependencies"].keys() | pages["devDependencies"].keys())


@pytest.mark.parametrize("package", dependencies())
def test_every_dependency_says_why_it_is_one(package):
    rows = re.findall(r"^\| ([^|]*) \|", text("docs/decisions/0003-dependencies.md"), re.MULTILINE)
    assert [row for row in rows if package in re.split(r"[ ,]+", row.lower())]


def test_the_changelog_tells_what_is_new():
    assert "## Unreleased" in text("CHANGELOG.md")


def test_every_decision_has_its_four_parts():
    for page in (ROOT / "docs/decisions").glob("*.md"):
        parts = HEADING.findall(page.read_text(encoding="utf-8"))
        assert re.fullmatch(r"\d+\. .+", parts[0]), page.name
        assert {"Context", "What would change our mind"} <= set(parts), page.name


@pytest.fixture
def contributed(tmp_path):
    """A copy of the sources with the files that CONTRIBUTING shows."""
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    blocks = dict(BLOCK.findall(text("CONTRIBUTING.md")))
    for path, code in blocks.items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(code, encoding="utf-8")
    assert sorted(blocks) == ["src/serinus/contracts/shouting.py", "tests/contracts/test_shouting.py"]
    return tmp_path


def test_the_contract_that_contributing_shows_works_as_shown(contributed):
    tools = Path(sys.executable).parent
    environ = {**os.environ, "PYTHONPATH": str(contributed / "src"), "RUFF_NO_CACHE": "true"}
    listed = "from serinus.contracts import by_name; assert by_name('shouting').promise"
    for command in (
        [sys.executable, "-c", listed],
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "tests"],
        [tools / "ruff", "check", "src/serinus/contracts/shouting.py", "tests"],
        [tools / "ruff", "format", "--check", "src/serinus/contracts/shouting.py", "tests"],
        [tools / "lint-imports", "--no-cache", "--no-logo"],
    ):
        done = subprocess.run(
            command, cwd=contributed, env=environ, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
