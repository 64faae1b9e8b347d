"""Serves the built console under /zcbus; every path that is not a file leads to its one page (history routing)."""

from mimetypes import guess_type
from pathlib import Path

from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse, RedirectResponse
from starlette.exceptions import HTTPException

import zcbus.control
from zcbus.control.platform.errors import HttpError

BASE_PATH = "/zcbus"

_INDEX = "index.html"
# The build puts a hash into the names below this folder, so that what a name holds never changes.
_HASHED_FOLDER = "assets/"
# Compressed files of the build by encoding name, the smallest first. Browsers accept brotli over TLS and from this host
# only.
_COMPRESSED = {"br": ".br", "gzip": ".gz"}
_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_EACH_TIME = "no-cache"


class ConsoleMissingError(HttpError):
    """Neither the package nor the checkout holds a built console."""

    code = "console-missing"
    status = 404
    wire_code = 404


def find_console() -> Path | None:
    """The folder of the built console: inside the package (wheel), else in the checkout; None when neither is built."""
    package = Path(zcbus.control.__file__).parent
    candidates = (package / "static", package.parents[2] / "console" / "dist")
    return next((folder for folder in candidates if (folder / _INDEX).is_file()), None)


def console_router(folder: Path | None) -> APIRouter:
    """The routes of the console over a folder of built files."""
    router = APIRouter(include_in_schema=False)

    @router.api_route("/", methods=["GET", "HEAD"])
    def root() -> Response:
        return RedirectResponse(f"{BASE_PATH}/")

    @router.api_route(BASE_PATH, methods=["GET", "HEAD"])
    def base() -> Response:
        return RedirectResponse(f"{BASE_PATH}/")

    @router.api_route(BASE_PATH + "/{path:path}", methods=["GET", "HEAD"])
    def page_or_file(request: Request, path: str) -> Response:
        if folder is None:
            raise ConsoleMissingError
        return _answer(folder.resolve(), path, _encodings(request))

    return router


def _answer(folder: Path, path: str, accepted_encodings: set[str]) -> Response:
    file = _file_inside(folder, path)
    if file is None:
        # A missing file must not come back as a page, or a browser runs HTML as a script.
        if path.startswith(_HASHED_FOLDER) or "." in path.rsplit("/", 1)[-1]:
            raise HTTPException(404)
        file, path = folder / _INDEX, _INDEX
    headers = {
        "Cache-Control": _FOR_EVER if path.startswith(_HASHED_FOLDER) else _ASK_EACH_TIME,
        "Vary": "Accept-Encoding",
    }
    media_type = guess_type(file.name)[0] or "application/octet-stream"
    for encoding, ending in _COMPRESSED.items():
        compressed = file.with_name(file.name + ending)
        if encoding in accepted_encodings and compressed.is_file():
            headers["Content-Encoding"] = encoding
            return FileResponse(compressed, headers=headers, media_type=media_type)
    return FileResponse(file, headers=headers, media_type=media_type)


def _encodings(request: Request) -> set[str]:
    """Encodings that the browser accepts; none with a weight of zero."""
    parts = (part.replace(" ", "").split(";") for part in request.headers.get("accept-encoding", "").lower().split(","))
    return {name for name, *weight in parts if weight not in (["q=0"], ["q=0.0"])}


def _file_inside(folder: Path, path: str) -> Path | None:
    file = (folder / path).resolve()
    return file if path and file.is_file() and file.is_relative_to(folder) else None
