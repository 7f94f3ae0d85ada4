"""The API keeps its description, whatever is asked of it: checked by schemathesis, in this process."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from offices import House
from serinus.web.site import Site

EXAMPLES = 6
# A report says when in a person's words, which no pattern describes.
FREE = {"POST /v1/reports": [positive_data_acceptance]}


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    site = Site(names=frozenset({"testserver"}))  # what schemathesis calls whom it asks
    return House(tmp_path_factory.mktemp("office"), rounds=(("beta",), ("beta",), ()), site=site)


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["right", "wrong"])
def test_every_answer_is_as_described(house, mode):
    bearer = {"Authorization": f"Bearer {house.token(label=mode.value)}"}
    described = schemathesis.openapi.from_asgi("/v1/openapi.json", house.app, headers=bearer)
    told = {}
    for found in described.get_all_operations():
        operation = found.ok()
        try:
            ask(operation.as_strategy(generation_mode=mode), bearer, FREE.get(operation.label, []))
        except Unsatisfiable:
            pass  # it takes nothing that could be wrong
        except Exception as error:  # noqa: BLE001  every operation is asked, and all are told at once
            told[operation.label] = str(error)
    assert not told, "\n\n".join(f"{label}: {error}" for label, error in told.items())


def ask(strategy, bearer, excluded):
    @given(case=strategy)
    @settings(
        max_examples=EXAMPLES,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    def asked(case):
        case.call_and_validate(headers=bearer, excluded_checks=excluded)

    asked()


def test_the_description_holds_every_shape_that_it_refers_to(house):
    described = house.app.openapi()
    known = {f"#/components/schemas/{name}" for name in described["components"]["schemas"]}
    assert references(described) <= known


def references(part):
    if isinstance(part, dict):
        own = {part["$ref"]} if isinstance(part.get("$ref"), str) else set()
        return own.union(*map(references, part.values()))
    return set().union(*map(references, part)) if isinstance(part, list) else set()
