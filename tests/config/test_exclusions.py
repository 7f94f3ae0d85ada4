"""The file of built-in exclusions."""

from datetime import UTC, date, datetime

from serinus.config.exclusions import read_exclusions
from serinus.core.exclusions import Layer

GOOD = """
[[exclusion]]
route = "novita"
reason = "answers Portuguese with Spanish mixed in"
evidence = "19 of 20 openings, 0 of 49 at peers"
reviewed_by = "ops"
date = 2026-11-30

[[exclusion]]
route = "deepinfra/turbo"
model = "author/name"
reason = "4-bit weights"
evidence = "the provider's own page"
reviewed_by = "ops"
date = "2026-11-01"
"""


def read(tmp_path, text):
    file = tmp_path / "exclusions.toml"
    file.write_text(text, encoding="utf-8")
    found, problems = read_exclusions(file)
    return found, [p.line().removeprefix(f"{file}: ") for p in problems]


def test_each_entry_says_who_looked_when_and_at_what(tmp_path):
    found, problems = read(tmp_path, GOOD)
    assert problems == []
    assert [(e.route, e.model, e.date) for e in found] == [
        ("novita", None, date(2026, 11, 30)),
        ("deepinfra/turbo", "author/name", date(2026, 11, 1)),
    ]


def test_an_entry_holds_from_its_day_on_without_an_end(tmp_path):
    found, _ = read(tmp_path, GOOD)
    event = found[0].event()
    assert (event.layer, event.route, event.model, event.until) == (Layer.BUILTIN, "novita", None, None)
    assert event.at == datetime(2026, 11, 30, tzinfo=UTC)
    assert "19 of 20" in (event.why or "")


def test_an_entry_without_reason_evidence_or_reviewer_is_refused(tmp_path):
    _, problems = read(tmp_path, '[[exclusion]]\nroute = "novita"\nreason = ""\nwhen = 1\n')
    assert [p.partition(":")[0] for p in problems] == [
        f"exclusion[0].{key}" for key in ("reason", "evidence", "reviewed_by", "date", "when")
    ]
    assert problems[-1].endswith("take it out")


def test_two_entries_for_one_route_and_model_are_refused(tmp_path):
    _, problems = read(tmp_path, GOOD + GOOD)
    said = (
        "exclusion[{}]: found {} again; allowed: one entry for a route and model; exclusion[{}] has it too; "
    )
    said += "keep one of the two"
    assert problems == [said.format(2, "novita", 0), said.format(3, "deepinfra/turbo", 1)]
