"""What went wrong, as `application/problem+json` (RFC 9457): every error of the API has this shape."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from serinus.service.store_errors import LogMovedError, StoreBusyError, StoreError, StoreReadOnlyError
from serinus.web.headers import SAFE_HEADERS
from serinus.web.leaving import LeftError

MEDIA_TYPE: Final = "application/problem+json"
PLAIN: Final = "about:blank"  # the status alone says what kind of problem it is
RETRY_AFTER: Final = "2"  # seconds until a busy store is worth another try
FAULT: Final = "This is a fault of serinus itself; its log says more."
MOVED: Final = "The log moved again and again under this decision. Nothing was changed; try again."


class Problem(Exception):  # noqa: N818  RFC 9457's word
    """A request cannot be answered: the status, a sentence on what to do, and whatever programs need."""

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        kind: str | None = None,
        headers: dict[str, str] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.kind = PLAIN if kind is None else f"urn:serinus:{kind}"
        self.headers = headers or {}
        self.more = more

    @property
    def title(self) -> str:
        """The status in words."""
        return HTTPStatus(self.status).phrase

    def document(self) -> dict[str, Any]:
        """The problem as one JSON object."""
        return {
            "type": self.kind,
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            **self.more,
        }

    def response(self) -> Response:
        """The problem as a response."""
        return JSONResponse(self.document(), self.status, {**SAFE_HEADERS, **self.headers}, MEDIA_TYPE)


class ProblemDocument(BaseModel):
    """What went wrong (RFC 9457)."""

    model_config = ConfigDict(extra="allow", title="Problem", use_attribute_docstrings=True)

    type: str
    """`about:blank`, or `urn:serinus:…` for a problem that programs may want to tell apart."""
    title: str
    status: int
    detail: str
    """What was found, what is allowed, what to do."""


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """How these problems stand in the API's description."""
    schema = {"$ref": "#/components/schemas/Problem"}
    content = {MEDIA_TYPE: {"schema": schema}}
    return {s: {"description": HTTPStatus(s).phrase, "content": content} for s in sorted({*statuses})}


class DescribedApp(FastAPI):
    """An application whose description holds the shape that `documented` refers to."""

    def openapi(self) -> dict[str, Any]:
        """The description, whole."""
        described = super().openapi()
        described["components"]["schemas"]["Problem"] = ProblemDocument.model_json_schema()
        return described


def problem_of(error: Exception) -> Problem:
    """The problem that an error is for whoever asked."""
    found = next((told(error) for kind, told in _TOLD if isinstance(error, kind)), None)
    return found or Problem(500, FAULT)


def _invalid(error: RequestValidationError) -> Problem:
    """What is wrong with each part of the request; never what was found there, which may be a secret."""
    errors = [{"where": ".".join(map(str, e["loc"])), "what": e["msg"]} for e in error.errors()]
    said = "; ".join(f"{e['where']}: {e['what']}" for e in errors)
    return Problem(422, f"The request cannot be used: {said}.", errors=errors)


def _store(error: StoreError) -> Problem:
    passing = isinstance(error, StoreBusyError | StoreReadOnlyError)
    return Problem(503, str(error), headers={"Retry-After": RETRY_AFTER} if passing else {})


def _http(error: HTTPException) -> Problem:
    said = {404: "There is nothing at this address.", 405: "This address takes another method."}
    detail = said.get(error.status_code) or str(error.detail)
    return Problem(error.status_code, detail, headers=dict(error.headers or {}))


Page = Callable[[Request, Problem], Response]


def wants_page(path: str, accept: str) -> bool:
    """Whether a person asks, by a browser."""
    return "text/html" in accept and not path.startswith("/v1/")


# The first kind that an error is decides.
_TOLD: Final[tuple[tuple[type[Exception], Callable[[Any], Problem]], ...]] = (
    (Problem, lambda error: error),
    (RequestValidationError, _invalid),
    (HTTPException, _http),
    (StoreError, _store),
    (LogMovedError, lambda _: Problem(409, MOVED, kind="log_moved")),
    (LookupError, lambda error: Problem(404, str(error.args[0] if error.args else error))),
)


def answer_problems(app: FastAPI, page: Page | None = None) -> None:
    """Let every error of the application be told as a problem; to a person, on a page."""

    def answered(request: Request, problem: Problem) -> Response:
        if page is None or not wants_page(request.url.path, request.headers.get("accept", "")):
            return problem.response()
        return page(request, problem)

    async def told(request: Request, error: Exception) -> Response:
        if isinstance(error, KeyError | IndexError):
            raise error  # a fault of our own, not a name that nobody knows
        return await run_in_threadpool(answered, request, problem_of(error))

    async def fault(_request: Request, _error: Exception) -> Response:
        return Problem(500, FAULT).response()  # the server logs the error itself

    async def left(_request: Request, _error: Exception) -> Response:
        return Response(status_code=499)  # as nginx says of it; nobody reads it

    app.add_exception_handler(LeftError, left)
    for kind, _ in _TOLD:
        app.add_exception_handler(kind, told)
    app.add_exception_handler(Exception, fault)
