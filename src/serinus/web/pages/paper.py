"""Pages are written on this: templates whose every text is inert, and what all of them share."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from typing import Any, Final
from urllib.parse import quote, urlencode

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape

from serinus.core import explain
from serinus.core.durations import format_duration
from serinus.core.instants import format_instant
from serinus.service.storage import FindingRow
from serinus.text.inert import inert
from serinus.web.access import NOBODY, Caller
from serinus.web.office import Office
from serinus.web.pages.bars import bar
from serinus.web.pages.hostile import exact, passage, shown
from serinus.web.pages.marks import mark
from serinus.web.pages.statics import Statics

LIMIT: Final = 600  # characters of any one text
THEME: Final = "serinus_theme"
THEMES: Final = ("light", "dark")
SMALL: Final = 1024  # bytes that are not worth packing
PLACES: Final = (
    ("Overview", "/"),
    ("Decisions", "/decisions"),
    ("Exclusions", "/exclusions"),
    ("Reports", "/reports"),
    ("Compare", "/compare"),
    ("Observe", "/observe"),
    ("Plan", "/plan"),
)
LIVE: Final = ("htmx.js", "hx-sse.js")


class Paper:
    """Renders pages for one office."""

    def __init__(self, office: Office, statics: Statics | None = None) -> None:
        self.office = office
        self.statics = statics or Statics()
        self.environment = _environment()
        self.environment.globals.update(
            base=office.site.base_path, static=self._static, has=self.statics.has, url=self.url
        )

    def url(self, path: str, **query: object) -> Markup:
        """An address of ours, with its query; what is None is left out."""
        return escape(f"{self.office.site.base_path}{quote(path, errors='backslashreplace')}{_asked(query)}")

    def page(self, request: Request, template: str, values: Mapping[str, Any], status: int = 200) -> Response:
        """A page of this template, packed where the browser takes that."""
        caller: Caller = getattr(request.state, "caller", None) or NOBODY
        theme = request.cookies.get(THEME)
        text = self.environment.get_template(template).render(
            {
                "caller": caller,
                "known": caller is not NOBODY,
                "csrf": caller.csrf,
                "theme": theme if theme in THEMES else None,
                "here": here(request),
                "live": self.statics.has(*LIVE),
                "now": self.office.desk.at,
                "places": PLACES,
                **values,
            }
        )
        return _packed(text.encode("utf-8", "backslashreplace"), request, status)

    def to(self, path: str, **query: object) -> Response:
        """Go on to another page of ours, after a form."""
        return RedirectResponse(f"{self.office.site.base_path}{path}{_asked(query)}", 303)

    def _static(self, name: str) -> str:
        return f"{self.office.site.base_path}{self.statics.address(name)}"


def _asked(query: Mapping[str, object]) -> str:
    given = {name: value for name, value in query.items() if value is not None}
    return f"?{urlencode(given, doseq=True, quote_via=quote, errors='backslashreplace')}" if given else ""


def here(request: Request) -> str:
    """The address that was asked for, below the application's own."""
    return f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path


def _packed(content: bytes, request: Request, status: int) -> Response:
    headers = {"Vary": "Accept-Encoding, Cookie"}
    if len(content) > SMALL and "gzip" in request.headers.get("accept-encoding", ""):
        content = gzip.compress(content, 5, mtime=0)
        headers["Content-Encoding"] = "gzip"
    return HTMLResponse(content, status, headers)


def _environment() -> Environment:
    templates = files("serinus.web") / "templates"
    environment = Environment(
        loader=FunctionLoader(lambda name: (templates / name).read_text("utf-8")),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=False,
        finalize=_harmless,
    )
    environment.filters.update(
        shown=shown,
        passage=passage,
        exact=exact,
        mark=mark,
        when=when,
        moment=explain.moment,
        iso=format_instant,
        lasting=lambda length: explain.lasting(explain.rounded(length)),
        duration=format_duration,
        counted=explain.counted,
        until=explain.of_span,
        ago=explain.of_past,
        sentence=sentence,
        spoken=lambda name: name.replace("_", " "),
    )
    environment.globals.update(bar=bar, explain=explain, minute=timedelta(minutes=1))
    return environment


def _harmless(value: Any) -> Any:
    """Every text of a template passes here, so that none can be forgotten."""
    return inert(value, LIMIT) if type(value) is str else value


def sentence(found: FindingRow) -> str:
    """A finding as one sentence."""
    return explain.of_finding(found.contract, found.word, found.reason, found.detail)


def when(at: datetime | None) -> Markup:
    """An instant in a table: short to look at, whole to a program and at rest."""
    if at is None:
        return Markup("–")
    utc = at.astimezone(UTC)
    exact = format_instant(utc)
    return Markup('<time datetime="{}" title="{}">{}</time>').format(
        exact, explain.moment(utc), f"{utc:%d %b %H:%M}"
    )
