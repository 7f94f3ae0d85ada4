"""What the pages load: by name with a digest in it, so that a browser may keep it for ever."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import Response

from serinus.web.problems import Problem

TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}
FOR_EVER: Final = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class Asset:
    """One file as it is sent; `name` is the one with the digest."""

    name: str
    kind: str
    content: bytes
    packed: bytes


class Statics:
    """All of them, read once. What was not fetched when this was built is missing, and pages go without."""

    def __init__(self) -> None:
        folder = files("serinus.web") / "static"
        assets = {file.name: _asset(file) for file in _files(folder)}
        self._addresses = {name: asset.name for name, asset in assets.items()}
        self._assets = {asset.name: asset for asset in assets.values()}

    def address(self, name: str) -> str:
        """The address of a file below the application's own; raises KeyError if there is none."""
        return f"/static/{self._addresses[name]}"

    def has(self, *names: str) -> bool:
        """Whether all of these are there."""
        return all(name in self._addresses for name in names)

    def answer(self, name: str, request: Request) -> Response:
        """The file of that name with its digest."""
        asset = self._assets.get(name)
        if asset is None:
            raise Problem(404, "There is no such file; the page may be of an older release: load it again.")
        headers = {"Cache-Control": FOR_EVER, "ETag": f'"{asset.name}"', "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(
                asset.packed, media_type=asset.kind, headers=headers | {"Content-Encoding": "gzip"}
            )
        return Response(asset.content, media_type=asset.kind, headers=headers)


def statics_router(statics: Statics) -> APIRouter:
    """The route that sends them."""
    router = APIRouter(include_in_schema=False)

    @router.get("/static/{name}")
    def static(name: str, request: Request) -> Response:
        return statics.answer(name, request)

    return router


def _files(folder: Traversable) -> Iterator[Traversable]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files(entry)
        elif _ending(entry.name) in TYPES:
            yield entry


def _ending(name: str) -> str:
    return name[name.rfind(".") :]


def _asset(file: Traversable) -> Asset:
    content = file.read_bytes()
    ending = _ending(file.name)
    digest = hashlib.sha256(content).hexdigest()[:12]
    name = f"{file.name.removesuffix(ending)}.{digest}{ending}"
    return Asset(name, TYPES[ending], content, gzip.compress(content, 9, mtime=0))
