"""The API against whoever should not: every route that changes something, every credential, every secret."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from datetime import timedelta

import pytest
from fastapi.routing import iter_route_contexts
from starlette.routing import Route

from offices import ANNA, PASSWORD, House, bearing
from serinus.service.access import EVERYTHING, Scope, keys, passwords
from serinus.web.access import COOKIE, Needs
from serinus.web.door import OPEN, WATCHED
from world import MODEL

UNSAFE = {"POST", "PUT", "PATCH", "DELETE"}
# Each route of the API that changes something: what it needs, and a body that it would take.
CHANGING = {
    ("POST", "/v1/exclusions"): (Scope.ACT, {"route": "alpha", "why": "x"}),
    ("DELETE", "/v1/exclusions"): (Scope.ACT, None),
    ("POST", "/v1/lift"): (Scope.ACT, {"model": MODEL, "route": "beta", "why": "x"}),
    ("POST", "/v1/mode"): (Scope.ACT, {"mode": "observe", "why": "x"}),
    ("POST", "/v1/marks"): (Scope.ACT, {"seq": 3, "opinion": "right", "why": "x"}),
    ("POST", "/v1/reports"): (Scope.REPORT, {"at": "20m ago"}),
    ("POST", "/v1/comparisons"): (Scope.PROBE, {"model": MODEL, "contract": "opening", "dry_run": True}),
    ("POST", "/v1/comparisons/{name}/stop"): (Scope.PROBE, None),
}
ADDRESSES = {
    "/v1/exclusions": "/v1/exclusions?route=nobody&why=x",
    "/v1/comparisons/{name}/stop": "/v1/comparisons/none/stop",
}


@pytest.fixture
def house(tmp_path):
    return House(tmp_path, rounds=(("beta",), ("beta",)))


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """One for many: claims on it are of what a request changes, not of what there is."""
    return House(tmp_path_factory.mktemp("shared"), rounds=(("beta",), ("beta",)))


def routes(app):
    """Every (method, path) with its route."""
    return {
        (method, route.path): route
        for route in iter_route_contexts(app.routes)
        if isinstance(route.original_route, Route)
        for method in sorted(route.methods or ())
    }


def test_every_route_of_the_api_that_changes_something_is_in_the_matrix(shared):
    found = {key for key in routes(shared.app) if key[0] in UNSAFE and key[1].startswith("/v1/")}
    assert found == set(CHANGING)


def needs(route):
    """The scopes that a route's dependencies ask for."""
    dependant = getattr(route, "dependant", None)
    pending, found = [dependant] if dependant else [], set()
    while pending:
        dependant = pending.pop()
        pending += dependant.dependencies
        if isinstance(dependant.call, Needs):
            found.add(dependant.call.scope)
    return found


def test_every_route_declares_what_it_needs_or_is_open_on_purpose(shared):
    open_ = {*OPEN, *WATCHED, "/v1/openapi.json", "/logout", "/theme/{name}"}  # of whoever came in
    bare = {path for (_, path), route in routes(shared.app).items() if not needs(route) and path not in open_}
    assert {path for path in bare if not path.startswith("/static")} == set()


def test_nothing_but_the_open_addresses_lets_a_stranger_in(shared):
    shared.token()
    stranger = shared.visitor()
    for method, path in routes(shared.app):
        plain = re.sub(r"\{[^}]*\}", "x", path)
        if plain in OPEN or plain in WATCHED or plain.startswith("/static"):
            continue
        answer = asked(stranger, method, plain, {})
        assert answer.status == 401, (method, plain)


def asked(client, method, path, body):
    if method in {"GET", "HEAD"}:
        return client.get(path)
    return client.delete(path, body) if method == "DELETE" else client.post(path, body)


def credentials(house, scope):
    """Each way to come with the wrong credential, and with the right one."""
    stamp = f"{house.clock.at:%H%M%S}"
    expired = house.token(scope, until=house.clock.at + timedelta(minutes=1), label="expired")
    revoked = house.token(scope, label="revoked")
    house.keeper.revoke(ANNA, "revoked")
    house.keeper.add(f"gone{stamp}", EVERYTHING)
    gone, _ = house.keeper.issue(f"gone{stamp}", "gone", {scope})
    house.keeper.remove(f"gone{stamp}")
    right, others = house.token(scope, label="right"), house.token(*(EVERYTHING - {scope}), label="others")
    house.clock.later(minutes=2)
    return {
        "none": (None, 401),
        "made up": ("serinus_" + "A" * 43, 401),
        "one letter off": (right[:-1] + ("A" if right[-1] != "A" else "B"), 401),
        "expired": (expired, 401),
        "revoked": (revoked, 401),
        "of one who left": (gone, 401),
        "without the scope": (others, 403),
    }, right


@pytest.mark.parametrize(("method", "path"), list(CHANGING), ids=[f"{m} {p}" for m, p in CHANGING])
def test_nothing_is_changed_without_the_right_credential(shared, method, path):
    scope, body = CHANGING[method, path]
    wrong, right = credentials(shared, scope)
    address = ADDRESSES.get(path, path) if body is None else path
    before = shared.look()
    kept = shared.store.reports.latest(), shared.store.marks()
    for name, (token, status) in wrong.items():
        visitor = shared.visitor()
        if token is not None:
            bearing(visitor, token)
        assert asked(visitor, method, address, body).status == status, name
    assert shared.look() == before
    assert (shared.store.reports.latest(), shared.store.marks()) == kept
    answer = asked(bearing(shared.visitor(), right), method, address, body)
    assert answer.status not in {401, 403, 500}, answer.text


@pytest.mark.parametrize(("method", "path"), list(CHANGING), ids=[f"{m} {p}" for m, p in CHANGING])
def test_a_browser_changes_nothing_by_a_page_that_is_not_ours(shared, method, path):
    _, body = CHANGING[method, path]
    browser, before = shared.browser(), shared.look()
    address = ADDRESSES.get(path, path) if body is None else path
    for headers in ({}, {"x_csrf_token": "guess"}, {"origin": "https://evil.example"}):
        ask = browser.delete if method == "DELETE" else browser.post
        assert ask(address, body, **headers).status == 403
    assert browser.submit(path, {"route": "alpha", "why": "x"}).status in {403, 405}
    assert shared.look() == before


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "PUT", "PATCH", "TRACE", "PROPFIND"])
def test_a_method_that_changes_nothing_changes_nothing(shared, method):
    program, before = shared.program(), shared.look()
    for _, path in CHANGING:
        answer = asyncio.run(program.ask(method, path.replace("{name}", "none")))
        assert answer.status in {200, 405, 404}
    assert shared.look() == before


@pytest.mark.parametrize(
    "path",
    [
        "/v1/nothing",
        "/v1/decisions?limit=x",
        "/v1/explanations/none?route=x",
        "/v1/reports/9",
        "/v1/comparisons/X",
    ],
)
def test_every_error_is_a_problem_document(shared, path):
    answer = shared.program().get(path)
    assert answer.headers["content-type"] == "application/problem+json"
    assert {"type", "title", "status", "detail"} <= set(answer.json)
    assert answer.json["status"] == answer.status


def test_a_method_that_is_not_there_is_told_with_those_that_are(shared):
    answer = shared.program().post("/v1/status", {})
    assert (answer.status, answer.json["status"], answer.headers["allow"]) == (405, 405, "GET")


def test_what_is_wrong_with_a_request_is_told_without_what_was_sent(shared):
    answer = shared.program().post("/v1/lift", {"why": "", "model": "s3cret-in-the-wrong-place " * 3})
    assert answer.status == 422
    assert "s3cret" not in answer.text


def test_a_store_that_cannot_be_used_is_told_and_worth_another_try(house):
    program = house.program()
    house.store.close()
    answer = program.get("/v1/status")
    assert (answer.status, answer.headers["content-type"]) == (503, "application/problem+json")
    assert house.visitor().get("/ready").status == 503
    assert house.visitor().get("/health").status == 200


def test_a_fault_of_our_own_is_told_without_its_traceback(house):
    @house.app.get("/v1/broken")
    def broken() -> None:
        message = "sk-secret in a message"
        raise KeyError(message)

    answer = house.program().get("/v1/broken")
    assert (answer.status, answer.headers["content-type"]) == (500, "application/problem+json")
    assert "secret" not in answer.text
    assert "default-src" in answer.headers["content-security-policy"]


def test_no_secret_is_in_any_response_log_or_file(house, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    browser, token = house.browser(), house.token()
    session = browser.cookies[COOKIE]
    program = bearing(house.visitor(), token)
    program.left.set()  # a stream of events would go on
    said = [
        asyncio.run(program.ask("GET", plain, leaves=True)).text
        for (method, path) in routes(house.app)
        if method == "GET" and (plain := re.sub(r"\{[^}]*\}", "x", path))
    ]
    said += [browser.get(path).text for path in ("/", "/login", "/v1/status", "/v1/openapi.json")]
    wrong = PASSWORD + " wrong"
    house.visitor().submit("/login", {"name": wrong, "password": wrong})
    said += [house.visitor().submit("/login", {"name": ANNA, "password": wrong}).text]
    said += [json.dumps([repr(a) for a in house.store.access.audit(limit=1000)])]
    out = capfd.readouterr()
    house.store.close()
    kept = b"".join(f.read_bytes() for f in house.folder.rglob("*") if f.is_file())
    for secret in (token, session, PASSWORD, wrong):
        assert not [text[:80] for text in said if secret in text]
        assert secret not in caplog.text + out.out + out.err
        assert secret.encode() not in kept


def test_secrets_are_compared_in_constant_time_and_passwords_by_their_hash():
    """No `==` on a secret: the two places that compare call the library's own."""
    import inspect  # noqa: PLC0415  this test alone needs it

    from serinus.web import access, gate  # noqa: PLC0415  as above

    assert "hmac.compare_digest" in inspect.getsource(keys.same)
    assert "_HASHER.verify" in inspect.getsource(passwords.matches)
    assert "compare_digest" in inspect.getsource(access.prove_will)
    source = inspect.getsource(gate)
    assert not re.search(
        r"(digest|secret|code|csrf|setup)\s*==|==\s*(self\.)?(digest|secret|code|csrf|setup)", source
    )
