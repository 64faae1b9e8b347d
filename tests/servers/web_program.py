"""The program of a web server: files of a folder by Starlette and uvicorn. The first part of a path says how."""

import base64
import gzip
import itertools
import json
import sys
from pathlib import Path
from typing import Any

import uvicorn
from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.staticfiles import StaticFiles

SAID = json.loads(sys.argv[1])
ROOT = Path(SAID["folder"])
FILES = StaticFiles(directory=ROOT)
COUNTER = itertools.count()
BASIC = "Basic " + base64.b64encode(f"{SAID['user']}:{SAID['secret']}".encode()).decode()


def index(folder: Path) -> Response:
    """A page as web servers make it of a folder."""
    names = sorted(f"{one.name}/" if one.is_dir() else one.name for one in folder.iterdir())
    links = "".join(f'<a href="{name}">{name}</a> 27-Nov-2026 07:00 12\n' for name in ["../", "?C=N;O=D", *names])
    return HTMLResponse(f"<html><body><h1>Index</h1><pre>{links}</pre></body></html>")


async def app(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "http":
        request = Request(scope, receive)
        print(request.method, scope["raw_path"].decode(), json.dumps(dict(request.headers)), flush=True)
        response = await answered(request)
        await response(scope, receive, send)


def silent(request: Request, path: Path) -> Response:
    """Neither ETag nor Last-Modified."""
    return Response(path.read_bytes())


def restless(request: Request, path: Path) -> Response:
    """Another ETag with each response."""
    return Response(path.read_bytes(), headers={"etag": f'"{next(COUNTER)}"'})


def packed(request: Request, path: Path) -> Response:
    """Packed on its way, unasked."""
    about = FileResponse(path, stat_result=path.stat()).headers
    headers = {name: about[name] for name in ("etag", "last-modified")} | {"content-encoding": "gzip"}
    return Response(gzip.compress(path.read_bytes()), headers=headers)


def raw(request: Request, path: Path) -> Response:
    """A packed file, said to be the packed form of another."""
    return FileResponse(path, headers={"content-encoding": "x-gzip"})


def odd(request: Request, path: Path) -> Response:
    """In an encoding that was not asked for."""
    return Response(path.read_bytes(), headers={"content-encoding": "br"})


def whole(request: Request, path: Path) -> Response:
    """In no parts, and without its length."""
    headers = {"last-modified": FileResponse(path, stat_result=path.stat()).headers["last-modified"]}
    return StreamingResponse(iter([path.read_bytes()]), headers=headers)


WAYS = {one.__name__: one for one in (silent, restless, packed, raw, odd, whole)}


def led(how: str, rest: str) -> Response | None:
    """Elsewhere."""
    target = {"away": f"{SAID['elsewhere']}/files/{rest}", "moved": f"/files/{rest}", "round": f"/round/{rest}x"}.get(
        how
    )
    if target is not None:
        return RedirectResponse(target, 301 if how == "moved" else 307)
    return HTMLResponse("<html>sign in, please</html>") if how == "login" else None


def refused(how: str, request: Request) -> Response | None:
    """Whom it does not know."""
    signed = request.headers.get("authorization")
    if how == "basic" and signed != BASIC:
        return Response("who are you?", 401, {"www-authenticate": "Basic"})
    if how == "token" and signed != f"Bearer {SAID['secret']}":
        return Response("no", 403)
    return Response(status_code=405) if how == "get-only" and request.method != "GET" else None


async def answered(request: Request) -> Any:
    how, _, rest = request.url.path.lstrip("/").partition("/")
    path = ROOT / rest
    if (response := led(how, rest) or refused(how, request)) is not None:
        return response
    if not path.exists():
        return PlainTextResponse("not found", 404)
    if path.is_dir():
        return index(path)
    if how in WAYS:
        return WAYS[how](request, path)
    return await FILES.get_response(rest, request.scope)


config = {"ssl_certfile": SAID["certificate"]} if SAID["tls"] else {}
uvicorn.run(app, host=SAID["host"], port=SAID["port"], log_level="warning", **config)
