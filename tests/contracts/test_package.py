"""Contracts are found by listing, and named without being imported."""

import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest

from serinus.contracts import FIRST, added, by_name, contract_names, contracts


def test_each_contract_is_named_as_its_file():
    assert contract_names() == tuple(c.name for c in contracts())
    assert contract_names()[: len(FIRST)] == FIRST


def test_an_unknown_contract_is_told_with_those_that_are_known():
    assert by_name("language").name == "language"
    with pytest.raises(KeyError, match="no contract 'langauge'; known: first_token, filtering"):
        by_name("langauge")


def test_an_entry_point_has_the_name_of_its_contract():
    where = "serinus.contracts.stall:Stall"
    assert added(EntryPoint("stall", where, "serinus.contracts")).name == "stall"
    with pytest.raises(ValueError, match=r"entry point stop of .* leads to a contract named stall"):
        added(EntryPoint("stop", where, "serinus.contracts"))


def test_a_configuration_is_read_without_importing_a_contract():
    code = (
        "import sys, serinus.config; sys.exit(any(m.startswith('serinus.contracts.') for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 0
