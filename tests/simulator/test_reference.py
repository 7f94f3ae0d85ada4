from pathlib import Path

from serinus.contracts import contracts
from serinus.simulator.faults import catalogue
from serinus.simulator.scenario_file import FaultTable, HostTable

PAGE = (Path(__file__).parents[2] / "docs/reference/simulator.md").read_text(encoding="utf-8")


def test_every_fault_is_in_the_reference_with_its_parameters():
    for fault in catalogue().values():
        (line,) = [row for row in PAGE.splitlines() if row.startswith(f"| `{fault.name}` |")]
        assert all(f"`{name} = " in line for name in fault.parameters)


def test_every_key_of_a_host_and_of_a_fault_is_in_the_reference():
    names = [f.alias or n for table in (HostTable, FaultTable) for n, f in table.model_fields.items()]
    assert [n for n in names if f"| `{n}` |" not in PAGE] == []


def test_the_fault_that_proves_each_contract_is_named():
    assert [c.name for c in contracts() if f"| `{c.name}` | `{c.blind_fault}` |" not in PAGE] == []
