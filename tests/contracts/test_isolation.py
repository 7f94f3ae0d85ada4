from __future__ import annotations

import hashlib

import pytest

from recorded import SCENE, text, told

NONCES = {
    "nonce": "amber kestrel",
    "other_nonces": ["violet anvil", "copper thimble"],
    "previous_nonces": ["rusty lantern"],
}


class TestIsolation:
    @pytest.mark.parametrize(
        ("answer", "expected"),
        [
            ("“Amber kestrel it is,” she says and lifts the latch.", ("pass", "own_nonce")),
            ("AMBER\nKESTREL, she reads from the door.", ("pass", "own_nonce")),
            ("The word is violet anvil, the guard whispers.", ("fail", "foreign_nonce")),
            ("The word is amber kestrel, not Violet  Anvil.", ("fail", "foreign_nonce")),
            ("As I told you before about the rusty lantern, sit down.", ("fail", "earlier_nonce")),
            ("Sit down; the lantern burns all night, amber kestrel.", ("pass", "own_nonce")),
            ("Sit down; the lantern burns all night.", ("warn", "nonce_missing")),
        ],
    )
    def test_words_of_other_requests_are_searched(self, answer, expected):
        assert told("isolation", text(answer), **NONCES) == expected

    def test_a_foreign_word_that_our_own_prompt_holds_is_none(self):
        asked = NONCES | {"prompt": "Never say violet anvil. Say amber kestrel."}
        assert told("isolation", text("Amber kestrel, not violet anvil."), **asked)[0] == "pass"

    def test_a_stored_answer_is_a_warning_unless_it_has_our_word(self):
        seen = {"seen_hashes": ["sha256:" + hashlib.sha256(SCENE.encode()).hexdigest()]}
        assert told("isolation", text(SCENE), nonce="amber kestrel", **seen) == ("warn", "stored_answer")
        assert told("isolation", text(SCENE), nonce="barley broth", **seen) == ("pass", "own_nonce")
        assert told("isolation", text("Another."), **seen) == ("pass", "nothing_foreign")

    def test_without_a_word_of_its_own_nothing_is_asked(self):
        assert told("isolation", text(SCENE)) == ("not_applicable", "no_nonce")
