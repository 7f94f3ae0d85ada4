"""Operators, tokens and sessions: what is kept, what is shown once, what ends."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from serinus.service.access import EVERYTHING, OperatorExistsError, Scope
from serinus.service.access.keeping import AccessError, Keeper, Login, log_in
from serinus.service.access.keys import PREFIX, digest_of
from serinus.service.access.passwords import WeakPasswordError, hashed, matches
from serinus.store import open_store

AT = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)
PASSWORD = "correct horse battery"  # noqa: S105  of a test


@pytest.fixture(params=["file", "memory"])
def access(request, tmp_path):
    store = open_store("sqlite://" if request.param == "memory" else tmp_path / "s.sqlite", create=True)
    yield store.access
    store.close()


@pytest.fixture
def keeper(access):
    return Keeper(access, "root", AT)


def logged_in(access, name="anna", password=PASSWORD, at=AT):
    return log_in(access, Login(name, password, "127.0.0.1", at, timedelta(hours=12)))


def test_there_is_nobody_until_somebody_is_added(access, keeper):
    assert not access.anybody()
    keeper.add("anna", {Scope.ACT}, PASSWORD)
    assert access.anybody()
    assert access.operator("anna").scopes == {Scope.READ, Scope.ACT}


def test_a_password_is_kept_as_a_hash_that_only_it_matches(access, keeper):
    keeper.add("anna", (), PASSWORD)
    kept = access.operator("anna").password
    assert kept.startswith("$argon2id$")
    assert matches(PASSWORD, kept)
    assert not matches(PASSWORD + "x", kept)
    assert not matches(PASSWORD, None)


def test_two_operators_with_one_password_have_two_hashes():
    assert hashed(PASSWORD) != hashed(PASSWORD)


@pytest.mark.parametrize("password", ["short", "x" * 11, "x" * 2000])
def test_a_password_that_is_too_short_or_too_long_is_refused(keeper, password):
    with pytest.raises(WeakPasswordError, match="12 to 1024"):
        keeper.add("anna", (), password)


@pytest.mark.parametrize("name", ["", " ", "a b", "-a", "a" * 65, "a\n", "a/b", "<b>", "a\0"])
def test_a_name_that_would_mislead_in_a_log_is_refused(keeper, name):
    with pytest.raises(AccessError):
        keeper.add(name, (), PASSWORD)


def test_a_name_is_never_given_twice_not_even_after_its_operator_left(access, keeper):
    keeper.add("anna", (), PASSWORD)
    keeper.remove("anna")
    with pytest.raises(OperatorExistsError):
        keeper.add("anna", (), PASSWORD)
    assert access.operator("anna") is None
    assert access.anybody()


def test_the_first_operator_is_made_only_where_there_never_was_one(keeper):
    keeper.set_up("anna", PASSWORD)
    with pytest.raises(OperatorExistsError):
        keeper.set_up("bert", PASSWORD)


def test_a_token_is_256_random_bits_and_only_its_digest_is_kept(access, keeper):
    keeper.add("anna", EVERYTHING, PASSWORD)
    secret, token = keeper.issue("anna", "chat", {Scope.READ})
    other, _ = keeper.issue("anna", "chat", {Scope.READ})
    assert secret.startswith(PREFIX)
    assert len(secret) == len(PREFIX) + 43
    assert secret != other
    assert access.token(digest_of(secret)) == token
    assert secret not in repr(access.tokens())


def test_a_token_allows_at_most_what_its_operator_may(keeper):
    keeper.add("anna", {Scope.READ}, PASSWORD)
    with pytest.raises(AccessError, match="anna may read"):
        keeper.issue("anna", "chat", {Scope.ACT})
    with pytest.raises(AccessError, match="no scope"):
        keeper.issue("anna", "chat", ())


def test_a_token_that_has_expired_already_is_not_made(keeper):
    keeper.add("anna", (), PASSWORD)
    with pytest.raises(AccessError, match="past"):
        keeper.issue("anna", "chat", {Scope.READ}, AT)


def test_revoking_ends_every_token_of_a_label_and_no_other(access, keeper):
    keeper.add("anna", (), PASSWORD)
    for label in ("chat", "chat", "batch"):
        keeper.issue("anna", label, {Scope.READ})
    assert keeper.revoke("anna", "chat") == 2
    assert [(t.label, t.ended_at is None) for t in access.tokens("anna")].count(("batch", True)) == 1
    assert sum(t.ended_at is not None for t in access.tokens("anna")) == 2
    with pytest.raises(LookupError, match="no token 'chat' in force"):
        keeper.revoke("anna", "chat")


def test_who_leaves_takes_tokens_and_sessions_along(access, keeper):
    keeper.add("anna", (), PASSWORD)
    secret, _ = keeper.issue("anna", "chat", {Scope.READ})
    session, _ = logged_in(access)
    keeper.remove("anna")
    assert access.token(digest_of(secret)).ended_at == AT
    assert access.session(digest_of(session)) is None


def test_a_new_password_or_new_scopes_end_the_sessions(access, keeper):
    keeper.add("anna", (), PASSWORD)
    for change in ({"password": "another long password"}, {"scopes": {Scope.ACT}}):
        password = PASSWORD if "password" in change else "another long password"
        session, _ = logged_in(access, password=password)
        keeper.change("anna", **change)
        assert access.session(digest_of(session)) is None


def test_a_session_keeps_a_digest_and_a_token_for_its_forms(access, keeper):
    keeper.add("anna", (), PASSWORD)
    secret, session = logged_in(access)
    assert access.session(digest_of(secret)) == session
    assert secret not in repr(session)
    assert session.csrf not in (secret, session.digest)
    assert session.until == AT + timedelta(hours=12)


def test_a_login_forgets_the_sessions_that_are_over(access, keeper):
    keeper.add("anna", (), PASSWORD)
    old, _ = logged_in(access)
    logged_in(access, at=AT + timedelta(hours=13))
    assert access.session(digest_of(old)) is None


def test_who_has_only_tokens_cannot_log_in(access, keeper):
    keeper.add("robot", ())
    assert logged_in(access, "robot", "") is None
    assert logged_in(access, "robot", PASSWORD) is None


def test_the_audit_tells_who_did_what_newest_first(access, keeper):
    keeper.add("anna", (), PASSWORD)
    keeper.issue("anna", "chat", {Scope.READ})
    logged_in(access)
    logged_in(access, password="wrong wrong wrong")  # noqa: S106  of a test
    keeper.remove("anna")
    whats = [a.what for a in access.audit()]
    assert whats == ["operator_removed", "login_failed", "login", "token_added", "operator_added"]
    assert [a.what for a in access.audit(limit=1, whats={"login"})] == ["login"]


def test_a_name_that_nobody_has_is_not_audited_because_it_may_be_a_password(access, keeper):
    keeper.add("anna", (), PASSWORD)
    assert logged_in(access, PASSWORD.replace(" ", "-"), "x" * 12) is None
    assert access.audit(limit=1)[0].operator == "unknown"
