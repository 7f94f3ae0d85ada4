from __future__ import annotations

from recorded import FORMAT, INN, ROUTE, SCENE, said, scene, text, verdict


def test_contracts_read_the_kinds_of_probe_that_they_are_about():
    structured = said(text(INN), response_format=FORMAT, expect_lang="en", **ROUTE)
    assert "structured_output" in structured
    assert "tool_call" not in structured
    assert "filtering" not in structured
    plain = said(scene(), expect_lang="en", **ROUTE)
    assert {"first_token", "filtering", "language", "completion", "stall"} <= set(plain)
    assert "structured_output" not in plain


def test_evidence_is_small_and_of_plain_values():
    for name, found in said(scene(), expect_lang="en", **ROUTE).items():
        assert len(str(dict(found.evidence))) < 1500, name
    assert verdict("completion", text(SCENE), expect_lang="en").detail.endswith(".")
