"""A list over HTTP: what is asked, what is believed, and where the token goes."""

import json
import socket
import threading

import pytest

from serinus.core.published import etag_of
from serinus.traffic.client.source import LARGEST, SourceError, source_of
from serinus.traffic.client.url import UrlSource
from traffic.client.lists import AT, DAY, MODEL, Reply, excluded, ok, serving, suspended, unchanged, written

TOKEN = "ser_0123456789abcdef"  # noqa: S105  of no serinus


def wall():
    return AT.timestamp()


def in_turn(*replies):
    left = list(replies)
    return lambda _asked: left.pop(0) if len(left) > 1 else left[0]


def test_the_list_is_asked_with_the_token_and_then_with_its_tag():
    reply = ok(suspended("birch"))
    with serving(in_turn(reply, unchanged(AT + DAY))) as server:
        source = UrlSource(server.url, TOKEN, wall)
        found = source.fetch(None, 25)
        again = source.fetch(found.tag, 25)
        source.let_go()
    assert found.published.of(MODEL).ignore == ("birch",)
    assert (found.now, found.current) == (AT, True)
    assert (again.published, again.now, again.current) == (None, AT + DAY, True)
    first, second = server.asked
    assert (first.path, second.path) == ("/v1/exclusions", "/v1/exclusions?wait=25")
    assert first.headers["authorization"] == second.headers["authorization"] == f"Bearer {TOKEN}"
    assert "if-none-match" not in first.headers
    assert second.headers["if-none-match"] == reply.headers["ETag"]


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (Reply(500, b"oh"), "answered with status 500"),
        (Reply(401), "refuses the token, or wants one (401)"),
        (Reply(403), "refuses the token, or wants one (403)"),
        (Reply(404), "is not there (404)"),
        (Reply(304), "answered with status 304"),
        (Reply(204), "answered with status 204"),
        (Reply(200, b"<html>hello</html>"), "is no JSON document"),
        (Reply(200, b""), "is no JSON document"),
        (Reply(200, b"[" * 100_000), "is no JSON document"),
        (Reply(200, b'{"version": 9}'), "found a list of version 9"),
        (Reply(200, b" " * (LARGEST + 1)), f"more than {LARGEST} bytes"),
    ],
    ids=["500", "401", "403", "404", "304", "204", "html", "empty", "deep", "newer", "oversized"],
)
def test_an_answer_without_a_list_is_told_and_never_a_list(reply, told):
    with serving(lambda _: reply) as server:
        source = UrlSource(server.url, TOKEN, wall)
        with pytest.raises(SourceError) as error:
            source.fetch(None, 25)
        source.let_go()
    assert told in str(error.value)
    assert TOKEN not in str(error.value)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed_so_that_the_token_goes_nowhere_else(status):
    with serving(lambda _: ok()) as elsewhere:
        moved = Reply(status, b"", {"Location": f"{elsewhere.url}/v1/exclusions"})
        with serving(lambda _: moved) as server:
            source = UrlSource(server.url, TOKEN, wall)
            with pytest.raises(SourceError, match="not followed: name the address itself"):
                source.fetch(None, 25)
            source.let_go()
    assert elsewhere.asked == []


def test_a_connection_that_was_closed_meanwhile_is_made_anew():
    def closing(handler):
        body = written()
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        handler.close_connection = True

    with serving(lambda _: closing) as server:
        source = UrlSource(server.url, None, wall)
        assert source.fetch(None, 1).published is not None
        assert source.fetch(None, 1).published is not None
        source.let_go()
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    "said", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{", b"SSH-2.0-OpenSSH\r\n", b"\0" * 100]
)
def test_another_protocol_or_half_an_answer_is_told(said):
    def broken(handler):
        handler.wfile.write(said)
        handler.close_connection = True

    with serving(lambda _: broken) as server:
        source = UrlSource(server.url, TOKEN, wall)
        with pytest.raises(SourceError):
            source.fetch(None, 1)
        source.let_go()


def test_nobody_there_is_told():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        source = UrlSource(f"http://127.0.0.1:{taken.getsockname()[1]}", TOKEN, wall)
        with pytest.raises(SourceError, match="cannot be asked"):
            source.fetch(None, 1)


def test_a_wait_ends_when_it_is_interrupted():
    waiting, over = threading.Event(), threading.Event()

    def forever(handler):
        waiting.set()
        over.wait(20)
        handler.close_connection = True

    with serving(lambda _: forever) as server:
        source = UrlSource(server.url, None, wall)
        failed = []

        def ask():
            try:
                source.fetch('"tag"', 60)
            except SourceError as error:
                failed.append(error)

        thread = threading.Thread(target=ask)
        thread.start()
        assert waiting.wait(20)
        source.interrupt()
        thread.join(20)
        over.set()
    assert not thread.is_alive()
    assert failed


def test_the_age_of_a_file_that_a_server_hands_out_counts_from_when_it_was_written():
    body = written(suspended("birch"), at=AT - 2 * DAY)
    handed = Reply(200, body, {"ETag": '"some-file"', "Date": ok().headers["Date"]})
    with serving(in_turn(handed, unchanged(AT))) as server:
        source = UrlSource(f"{server.url}/lists.json", None, wall)
        first, second = source.fetch(None, 1), source.fetch('"some-file"', 1)
        source.let_go()
    assert server.asked[0].path == "/lists.json"
    assert (first.current, first.now, first.published.at) == (False, AT, AT - 2 * DAY)
    assert second.current is False


def test_a_newer_serinus_that_says_more_than_we_read_answers_for_this_instant_too():
    said = json.loads(written(suspended("birch")))
    said["models"][MODEL]["entries"][0]["severity"] = "grave"
    said["next"] = None
    newer = Reply(200, json.dumps(said).encode(), {"ETag": etag_of(said), "Date": ok().headers["Date"]})
    with serving(in_turn(newer, unchanged(AT + 2 * DAY))) as server:
        source = UrlSource(server.url, None, wall)
        first = source.fetch(None, 1)
        second = source.fetch(first.tag, 1)
        source.let_go()
    assert first.published.of(MODEL).ignore == ("birch",)
    assert first.current
    assert second.current


@pytest.mark.parametrize("date", [{}, {"Date": "whenever"}, {"Date": "Mon, 30 Nov 2026 99:00:00 GMT"}])
def test_where_the_other_side_tells_no_time_ours_is_taken(date):
    with serving(lambda _: Reply(200, written(excluded("birch"), at=AT - DAY), date)) as server:
        source = UrlSource(server.url, None, wall)
        assert source.fetch(None, 1).now == AT
        source.let_go()


@pytest.mark.parametrize(
    "url",
    [
        "http://",
        "http:///path",
        "http://user:secret@host",
        "http://host:99999",
        "http://host?token=secret",
        "http://host/#secret",
        "http://ho st/secret",
        "http://host\r\nX-Evil: secret",
        "ftp://host/secret",
        "file:///secret",
        "unix://secret",
        "",
    ],
)
def test_an_address_that_cannot_be_asked_is_refused_and_not_shown(url):
    with pytest.raises(ValueError, match="exclusions") as error:
        source_of(url, None, wall)
    assert "secret" not in str(error.value)


@pytest.mark.parametrize("token", ["", "two words", "line\nbreak", "naïve", "tab\t"])
def test_a_token_that_no_header_can_carry_is_refused_and_not_shown(token):
    with pytest.raises(ValueError, match="not shown") as error:
        UrlSource("http://host", token, wall)
    assert not token or token not in str(error.value)


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("http://canary:8787", "http://canary:8787/v1/exclusions"),
        ("HTTPS://canary/", "https://canary/v1/exclusions"),
        ("https://canary:443/serinus", "https://canary/serinus/v1/exclusions"),
        ("http://[::1]:8787/v1/exclusions", "http://[::1]:8787/v1/exclusions"),
        ("http://files/lists.json", "http://files/lists.json"),
    ],
)
def test_the_address_leads_to_the_lists(url, name):
    assert UrlSource(url, None, wall).name == name
