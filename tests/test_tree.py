"""The shape of the repository: small files with one noun each, and nothing that belongs elsewhere."""

import ast
import importlib
import pkgutil
import re
from itertools import chain
from pathlib import Path

import pytest

import serinus.contracts
from serinus.contracts import contracts
from serinus.judging.contract import Contract

ROOT = Path(__file__).parents[1]
PYTHON = sorted(chain.from_iterable((ROOT / d).rglob("*.py") for d in ("src", "tests", "bench", "scripts")))
SOURCE = [f for f in PYTHON if f.is_relative_to(ROOT / "src")]
TEXT = [
    f
    for f in chain(
        *((ROOT / d).rglob("*") for d in ("src", "tests", "bench", "scripts", "docs", "examples")),
        ROOT.glob("*"),
    )
    if f.suffix in {".py", ".md", ".toml", ".txt", ".json", ".jsonl", ".svg", ""} and f.is_file()
]
LONGEST_FILE = 400
LONGEST_FUNCTION = 60
NO_NOUNS = {"utils", "util", "helpers", "helper", "common", "manager", "misc", "base"}
MACHINE_PATHS = re.compile(r"(?<![\w.])/(home|Users|root)/\w+|\b[A-Z]:\\Users\\")
SECRETS = re.compile(
    r"sk-or-v1-[0-9a-f]{64}|\bsk-(proj-|ant-)?[A-Za-z0-9_]{40,}|\bgh[pousr]_[A-Za-z0-9]{36}|\bAKIA[0-9A-Z]{16}\b"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----"
)


def name(file):
    return str(file.relative_to(ROOT))


def contract_modules():
    return [m.name for m in pkgutil.iter_modules(serinus.contracts.__path__)]


def test_no_file_is_longer_than_a_person_reads_at_once():
    lengths = {name(f): len(f.read_text(encoding="utf-8").splitlines()) for f in PYTHON}
    assert {f: n for f, n in lengths.items() if n > LONGEST_FILE} == {}


def test_no_function_is_longer_than_a_screen():
    long = {}
    for file in SOURCE:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or 0) - node.lineno + 1
                if length > LONGEST_FUNCTION:
                    long[f"{name(file)}:{node.name}"] = length
    assert long == {}


def test_every_module_is_named_after_something():
    assert [name(f) for f in SOURCE if NO_NOUNS & {f.stem, *f.parent.parts}] == []


def test_every_module_says_what_it_is():
    without = [f for f in SOURCE if not ast.get_docstring(ast.parse(f.read_text(encoding="utf-8")))]
    assert [name(f) for f in without] == []


def test_every_package_of_the_project_is_one():
    folders = {f.parent for f in SOURCE}
    assert [name(f) for f in folders if not (f / "__init__.py").exists()] == []


@pytest.mark.parametrize("module", contract_modules())
def test_a_contract_is_one_file_with_one_class_found_by_listing(module):
    loaded = importlib.import_module(f"serinus.contracts.{module}")
    mine = [
        thing
        for thing in vars(loaded).values()
        if isinstance(thing, type) and issubclass(thing, Contract) and thing.__module__ == loaded.__name__
    ]
    assert [thing.name for thing in mine] == [module]
    assert [type(c) for c in contracts() if c.name == module] == mine


@pytest.mark.parametrize("module", contract_modules())
def test_a_contract_has_a_test_file_of_its_name(module):
    assert (ROOT / f"tests/contracts/test_{module}.py").exists()


@pytest.mark.parametrize("contract", contracts(), ids=lambda c: c.name)
def test_a_contract_says_what_it_promises_and_how_to_know_that_it_is_not_blind(contract):
    assert contract.promise.endswith(".")
    assert contract.blind_fault
    assert contract.reasons
    assert len({r.code for r in contract.reasons}) == len(contract.reasons)
    assert all(re.fullmatch(r"[a-z][a-z0-9_]*", r.code) and r.meaning for r in contract.reasons)


def test_no_file_names_a_path_of_somebodys_machine():
    assert [
        name(f) for f in TEXT if MACHINE_PATHS.search(f.read_text(encoding="utf-8", errors="replace"))
    ] == []


def test_no_file_holds_a_secret():
    assert [name(f) for f in TEXT if SECRETS.search(f.read_text(encoding="utf-8", errors="replace"))] == []
