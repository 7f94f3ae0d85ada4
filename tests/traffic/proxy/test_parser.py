"""A caller that offers another protocol gets HTTP/1.1, and its body is its body."""

import httptools
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxied import against, chat, post
from serinus.traffic.proxy.parser import Staying

OFFER = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n"
LONG = (
    b"POST /a HTTP/1.1\r\nHost: p\r\n"
    + OFFER
    + b"Content-Length: 26\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n"[:-2]
)
CHUNKED = (
    b"POST /c HTTP/1.1\r\nHost: p\r\n" + OFFER + b"Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"
)
BODILESS = b"GET /d HTTP/1.1\r\nHost: p\r\n" + OFFER + b"\r\n"
PLAIN = b"POST /e HTTP/1.1\r\nHost: p\r\nContent-Length: 2\r\n\r\nok"


class Heard:
    """What a protocol is told, a request after the other."""

    def __init__(self):
        self.requests = []
        self.parser = Staying(self)

    def on_message_begin(self):
        self.headers = []
        self.requests.append(["", b"", False])

    def on_url(self, url):
        self.requests[-1][0] += url.decode()

    def on_header(self, name, value):
        self.headers.append((name.lower(), value))

    def on_headers_complete(self):
        assert not self.parser.should_upgrade()

    def on_body(self, body):
        self.requests[-1][1] += body

    def on_message_complete(self):
        if not self.parser.ends_early():
            self.requests[-1][2] = True


READ = {LONG: ["/a", LONG[-26:], True], CHUNKED: ["/c", b"hi", True], BODILESS: ["/d", b"", True],
        PLAIN: ["/e", b"ok", True]}  # fmt: skip


@given(said=st.lists(st.sampled_from(list(READ)), min_size=1, max_size=5), data=st.data())
def test_wherever_reads_tear_them_requests_and_bodies_are_as_they_were_sent(said, data):
    whole, heard = b"".join(said), Heard()
    cuts = sorted(data.draw(st.sets(st.integers(0, len(whole)), max_size=6)))
    for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True):
        if start < end:
            heard.parser.feed_data(whole[start:end])
    assert heard.requests == [READ[one] for one in said]


def test_what_follows_such_a_request_is_looked_at_as_closely():
    heard = Heard()
    with pytest.raises(httptools.HttpParserError):
        heard.parser.feed_data(LONG + b"X\0: no request")
    assert heard.requests[0] == READ[LONG]


def test_thousands_of_offers_in_one_read_are_no_trouble():
    heard = Heard()
    heard.parser.feed_data(BODILESS * 5000)
    assert len(heard.requests) == 5000


def test_a_request_with_an_offer_reaches_the_gateway_whole_and_the_next_one_too():
    sent = []

    async def script(peer):
        sent.append(peer.request)
        await peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")

    async def story(rig):
        offered = post(chat(), close=False).replace(b"\r\n\r\n", b"\r\n" + OFFER + b"\r\n", 1)
        return await rig.say(offered + post(chat()))

    answer = against(script, story)
    assert answer.count(b"200 OK") == 2
    one, other = (request.partition(b"\r\n\r\n") for request in sent)
    assert one[2] == other[2] != b""
    assert b"upgrade" not in one[0].lower()
    assert b"http2-settings" not in one[0].lower()
