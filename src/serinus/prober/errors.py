"""What broke, told apart: our network, the way there, the host's silence, the host's bytes."""

from __future__ import annotations

import os
from typing import Final

import aiohttp

from serinus.core.transcript import End, Phase
from serinus.prober.marks import Marks

# Most telling first: a certificate error is a TLS error, which is a connector error.
_CODES: Final[tuple[tuple[type[BaseException], str], ...]] = (
    (aiohttp.ClientConnectorDNSError, "dns"),
    (aiohttp.ClientConnectorCertificateError, "tls"),
    (aiohttp.ClientSSLError, "tls"),
    (aiohttp.ServerFingerprintMismatch, "tls"),
    (aiohttp.ClientConnectorError, "refused"),
    (aiohttp.ClientPayloadError, "broken"),  # a chunk that is none, a length that is not kept
    (aiohttp.ServerDisconnectedError, "disconnected"),
    (aiohttp.ClientResponseError, "not_http"),
    (aiohttp.http.HttpProcessingError, "not_http"),
    (aiohttp.InvalidURL, "bad_address"),
    (aiohttp.NonHttpUrlClientError, "bad_address"),
    (ConnectionResetError, "reset"),
    (OSError, "reset"),
)
_OWN: Final = "own_fault"  # an error that no network explains

_WORDS: Final[tuple[tuple[type[BaseException], str], ...]] = (
    (aiohttp.ClientConnectorDNSError, "its name could not be looked up"),
    (aiohttp.ClientConnectorCertificateError, "TLS failed; see that its certificate is valid"),
    (aiohttp.ClientSSLError, "TLS failed; see that it speaks https"),
    (aiohttp.ServerDisconnectedError, "it hung up before it answered"),
)
_TOLD: Final = tuple(kind for kind, _ in _WORDS)


def sentence(error: BaseException) -> str:
    """`<code>: <detail>` for an error; an unknown one is our own fault and says so."""
    code = next((code for kind, code in _CODES if isinstance(error, kind)), _OWN)
    if isinstance(error, aiohttp.ClientResponseError):
        return f"{code}: {error.message}"  # str() of it would tell the address twice
    detail = str(error).strip() or type(error).__name__
    return f"{code}: {detail}" if code != _OWN else f"{code}: {type(error).__name__}: {detail}"


def without_address(error: BaseException) -> str:
    """What went wrong in words that hold nothing of an address, which may be a secret."""
    if isinstance(error, TimeoutError):
        return "it took too long"
    if isinstance(error, OSError) and not isinstance(error, _TOLD) and (error.errno or 0) > 0:
        return os.strerror(error.errno or 0).lower()
    return next((said for kind, said in _WORDS if isinstance(error, kind)), type(error).__name__)


def phase_of(error: BaseException, marks: Marks) -> Phase:
    """How far the request got; for errors without a status line."""
    if marks.sent is None:
        return Phase.CONNECT
    if isinstance(error, aiohttp.ClientConnectionResetError) or "write request body" in str(error):
        return Phase.SEND
    return Phase.WAIT


def silence(marks: Marks, limit: float) -> tuple[End, Phase, str]:
    """The end of a request that no status line answered in time."""
    if marks.sent is None:
        stage = "no name" if marks.dns_from is not None and marks.dns_to is None else "no connection"
        return End.HELD, Phase.CONNECT, f"connect_timeout: {stage} within {limit:g} s"
    return End.HELD, Phase.WAIT, f"silent: no complete response head within {limit:g} s"
