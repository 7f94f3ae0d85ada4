"""`serinus operator`: passwords from files, tokens shown once, nothing secret listed."""

from __future__ import annotations

import json

import pytest

from serinus.cli import make_app
from serinus.store import open_store


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "serinus.toml").write_text('[[model]]\nid = "acme/story-70b"\n', encoding="utf-8")
    (tmp_path / "password").write_text("a long enough password\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SERINUS_BY", "ops")
    return tmp_path


def serinus(*arguments):
    return make_app()(["operator", *arguments], result_action="return_value")


def test_the_first_operator_can_be_added_before_the_first_round(folder, capsys):
    assert serinus("add", "anna", "--password-file", "password") == 0
    assert "anna may act, probe, read, report" in capsys.readouterr().err
    store = open_store(folder / "serinus.sqlite")
    assert store.access.operator("anna").created_by == "ops"
    store.close()


@pytest.mark.usefixtures("folder")
def test_a_token_is_printed_alone_and_listed_without_its_secret(capsys):
    serinus("add", "anna", "--tokens-only")
    capsys.readouterr()
    assert serinus("token", "add", "anna", "chat-server", "--for", "90d") == 0
    secret = capsys.readouterr().out.strip()
    assert secret.startswith("serinus_")
    serinus("list", "--json")
    listed = capsys.readouterr().out
    assert secret not in listed
    (token,) = json.loads(listed)["tokens"]
    assert (token["label"], token["scopes"], token["ended_at"]) == ("chat-server", ["read"], None)
    assert serinus("token", "revoke", "anna", "chat-server") == 0
    serinus("list")
    assert "ended" in capsys.readouterr().out


@pytest.mark.usefixtures("folder")
def test_what_cannot_be_done_is_told_with_status_2(capsys):
    serinus("add", "anna", "--tokens-only")
    for arguments, told in [
        (("add", "anna", "--tokens-only"), "there is an operator 'anna'"),
        (("add", "a b", "--tokens-only"), "allowed are"),
        (("add", "bert"), "Nobody can be asked"),
        (("token", "add", "nobody", "x"), "there is no operator 'nobody'; known: anna"),
        (("token", "add", "anna", "x", "--scope", "admin"), "a token at most that"),
        (("token", "revoke", "anna", "x"), "no token 'x' in force"),
        (("remove", "nobody", "--yes"), "there is no operator"),
        (("password", "anna", "--password-file", "missing"), "missing"),
    ]:
        capsys.readouterr()
        assert serinus(*arguments) == 2, arguments
        assert told in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
def test_a_removal_asks_and_the_audit_tells_of_it(capsys):
    serinus("add", "anna", "--password-file", "password")
    assert serinus("remove", "anna") == 1
    assert serinus("remove", "anna", "--yes") == 0
    capsys.readouterr()
    serinus("audit")
    assert "ops  operator removed  anna" in capsys.readouterr().out.splitlines()[0]


@pytest.mark.usefixtures("folder")
def test_scopes_and_passwords_are_set_anew(capsys):
    serinus("add", "anna", "--password-file", "password")
    assert serinus("scopes", "anna", "admin") == 0
    assert "anna may admin, read." in capsys.readouterr().err
    assert serinus("password", "anna", "--password-file", "password") == 0
