"""What the proxy answers by itself: OpenAI's error shape, and words that say whose error it is.

A caller must never take the proxy's own trouble for a fault of the host that would have served.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

TYPE: Final = "serinus_proxy_error"
MARK: Final = (b"x-serinus-proxy", b"error")


@dataclass(frozen=True, slots=True)
class Reply:
    """An error of the proxy itself. `code` is stable, and the name under which it is counted."""

    status: int
    code: str
    message: str
    retry_after: int | None = None

    def body(self) -> bytes:
        """The document, as OpenAI's clients read errors."""
        said = f"serinus proxy: {self.message}"
        error = {"message": said, "type": TYPE, "param": None, "code": self.code}
        return json.dumps({"error": error}).encode()

    def fields(self, body: bytes) -> list[tuple[bytes, bytes]]:
        """Its header fields."""
        found = [
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(body)),
            MARK,
        ]
        if self.retry_after is not None:
            found.append((b"retry-after", b"%d" % self.retry_after))
        return found


def bad_request(why: str) -> Reply:
    """The request itself cannot be passed on."""
    return Reply(400, "bad_request", f"the request was not passed on: {why}.")


def not_found(why: str) -> Reply:
    """No path of the proxy."""
    return Reply(404, "not_found", f"{why}. Set the client's base URL to this proxy's address with /v1.")


def old_protocol() -> Reply:
    """A caller that cannot take a stream."""
    return Reply(505, "http_version", "HTTP/1.1 is needed (nginx: proxy_http_version 1.1).")


def method_refused(method: str) -> Reply:
    """A method that is not for gateways."""
    return Reply(405, "method", f"the method {method} is not passed on.")


def too_large(most: int) -> Reply:
    """A body above the cap."""
    return Reply(413, "body_too_large", f"the body is larger than {most} bytes (proxy.max_body).")


def large_head(most: int) -> Reply:
    """A header section above the cap."""
    return Reply(431, "head_too_large", f"the header section is larger than {most} bytes (proxy.max_head).")


def busy(most: int) -> Reply:
    """More in flight than allowed."""
    why = f"{most} requests are in flight, as many as proxy.in_flight allows; ask again shortly."
    return Reply(503, "busy", why, retry_after=1)


def stopping() -> Reply:
    """The proxy is about to end."""
    return Reply(503, "stopping", "it is stopping; ask again shortly.", retry_after=1)


def slow_body(seconds: float) -> Reply:
    """A caller that does not send what it announced."""
    return Reply(408, "body_timeout", f"the request's body did not come within {seconds:g} s.")


def unreachable(why: str) -> Reply:
    """No connection to the gateway, so no host was asked."""
    return Reply(
        502, "gateway_unreachable", f"the gateway could not be reached: {why}. No host was asked.", 1
    )


def broke_off() -> Reply:
    """The gateway closed before it answered."""
    why = "the gateway closed the connection before it answered; whether a host was asked is not known."
    return Reply(502, "gateway_closed", why)


def bad_answer() -> Reply:
    """The gateway's answer is not HTTP, or not safe to pass on."""
    return Reply(502, "gateway_answer", "the gateway's answer is no HTTP that can be passed on.")


def no_answer(seconds: float) -> Reply:
    """Nothing came within the limit."""
    why = f"no answer began within {seconds:g} s (proxy.first_byte); the request was given up."
    return Reply(504, "gateway_timeout", why)


def own_fault() -> Reply:
    """A fault in the proxy's own code."""
    return Reply(500, "internal", "it failed by a fault of its own; its log says where.")
