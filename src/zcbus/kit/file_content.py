"""What a file is by its content. Its name says nothing.

The functions run in a child process that loads this module and what it imports: it must stay light.
"""

import codecs
import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import orjson

from zcbus.kit.confined import Confined, Overrun

if TYPE_CHECKING:
    from PIL import Image

T = TypeVar("T")

UNKNOWN = "unknown"
PICTURES = ("png", "jpeg", "webp", "gif")
DATA = ("csv", "json", "jsonl", "parquet", "xlsx")

_MEMORY, _SECONDS = 512 << 20, 60
_PIECE = 1 << 20
_MAX_ENTRIES = 100_000
_MAX_UNPACKED = 1 << 30
_MAX_GROWTH, _ALWAYS_UNPACKED = 50, 16 << 20
"""Most bytes of a program's unpacked content, and how many times the file's size beyond what is always taken."""
_METADATA = re.compile(r"[^/]+\.dist-info/METADATA")
_METADATA_BYTES = 1 << 20
_MAX_PIXELS = 40_000_000
_SIDE = 128
"""Of an avatar, in pixels."""
_CONTROLS = frozenset("\t\n\f\r")
_DELIMITERS = ",;\t|"


class PictureInvalid(ValueError):
    """The file only begins like a picture, or it is too large."""


def recognised(path: Path) -> str:
    """One of PICTURES and DATA, `pdf`, `jar`, `wheel`, `text`, or UNKNOWN. Read in a child process with limits: the
    file is untrusted. Pictures are decoded. Raises PictureInvalid."""
    try:
        return _confined(_recognise, str(path))
    except Overrun:
        return UNKNOWN


def as_avatar(data: bytes) -> bytes:
    """A picture of any of PICTURES as a square one of WebP, without anything else that the file has. Raises
    PictureInvalid."""
    try:
        return _confined(_avatar, data)
    except Overrun as error:
        raise PictureInvalid(str(error)) from error


def wheel_of(path: Path) -> tuple[str, str] | None:
    """Name and version of a Python package as a wheel, by its metadata; None: it is none. Read in a child process with
    limits. Form: https://packaging.python.org/en/latest/specifications/core-metadata/"""
    try:
        return _confined(_wheel, str(path))
    except Overrun:
        return None


def _confined(function: Callable[..., T], *arguments: object) -> T:
    with closing(Confined(_MEMORY, _SECONDS)) as child:
        return child.call(function, *arguments)


def _recognise(name: str) -> str:
    path = Path(name)
    with path.open("rb") as file:
        head = file.read(16)
    for kind, is_it in (
        ("png", head.startswith(b"\x89PNG\r\n\x1a\n")),
        ("jpeg", head.startswith(b"\xff\xd8\xff")),
        ("webp", head[:4] == b"RIFF" and head[8:12] == b"WEBP"),
        ("gif", head.startswith((b"GIF87a", b"GIF89a"))),
        ("pdf", head.startswith(b"%PDF-")),
        ("parquet", head.startswith(b"PAR1") and _ends_with(path, b"PAR1")),
    ):
        if is_it:
            if kind in PICTURES:
                _decode(name, kind)
            return kind
    return _archive(path) if head.startswith(b"PK\x03\x04") else _text(path)


def _ends_with(path: Path, tail: bytes) -> bool:
    with path.open("rb") as file:
        file.seek(0, 2)
        size = file.tell()
        file.seek(max(0, size - len(tail)))
        return size > 2 * len(tail) and file.read() == tail


def _archive(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        return UNKNOWN
    if len(names) > _MAX_ENTRIES:
        return UNKNOWN
    if {"[Content_Types].xml", "xl/workbook.xml"} <= names:
        return "xlsx"
    if any(_METADATA.fullmatch(name) for name in names):
        return "wheel" if _is_whole(path) else UNKNOWN
    is_jar = "META-INF/MANIFEST.MF" in names and any(name.endswith(".class") for name in names)
    return "jar" if is_jar and _is_whole(path) else UNKNOWN


def _wheel(name: str) -> tuple[str, str] | None:
    from email.parser import HeaderParser

    with zipfile.ZipFile(name) as archive:
        found = [one for one in archive.namelist() if _METADATA.fullmatch(one)]
        if len(found) != 1:
            return None
        with archive.open(found[0]) as content:
            metadata = HeaderParser().parsestr(content.read(_METADATA_BYTES).decode(errors="replace"), headersonly=True)
    return str(metadata["Name"] or ""), str(metadata["Version"] or "")


def _is_whole(path: Path) -> bool:
    """Whether all entries can be unpacked with their checksums, into no more than what a program may load."""
    unpacked, most = 0, min(_MAX_UNPACKED, max(_ALWAYS_UNPACKED, _MAX_GROWTH * path.stat().st_size))
    try:
        with zipfile.ZipFile(path) as archive:
            for entry in archive.infolist():
                with archive.open(entry) as content:
                    # What an entry says about its size is not believed.
                    while piece := content.read(_PIECE):
                        unpacked += len(piece)
                        if unpacked > most:
                            return False
    except (zipfile.BadZipFile, zlib.error, ValueError, NotImplementedError, RuntimeError, EOFError, OSError):
        return False
    return True


def _text(path: Path) -> str:
    """Text without markup: a browser must not take it for a page."""
    head = ""
    try:
        for number, piece in enumerate(_decoded(path)):
            if any((one < " " and one not in _CONTROLS) or one == "\x7f" for one in set(piece)):
                return UNKNOWN
            head = piece if number == 0 else head
    except UnicodeError:
        return UNKNOWN
    begin = head.lstrip("\ufeff \t\r\n\f")
    if begin.startswith("<"):
        return UNKNOWN
    return _json(begin) or ("csv" if _is_delimited(head) else "text")


def _decoded(path: Path) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            yield decoder.decode(piece)
    decoder.decode(b"", final=True)


def _json(head: str) -> str:
    if not head.startswith(("{", "[")):
        return ""
    line, _, rest = head.partition("\n")
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError:
        return "json"
    return "jsonl" if rest.lstrip().startswith(("{", "[")) else "json"


def _is_delimited(head: str) -> bool:
    """Whether the first lines have the same delimiter, as often."""
    lines = [line for line in head.lstrip("\ufeff").splitlines()[:5] if line]
    return bool(lines) and any(
        lines[0].count(mark) and all(line.count(mark) >= lines[0].count(mark) for line in lines[:-1] or lines)
        for mark in _DELIMITERS
    )


def _opened(source: str | io.BytesIO, kinds: Sequence[str]) -> "Image.Image":
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = _MAX_PIXELS
    picture = Image.open(source, formats=[kind.upper() for kind in kinds])
    if picture.width * picture.height > _MAX_PIXELS:
        raise PictureInvalid(f"{picture.width} × {picture.height} pixels")
    return picture


def _decode(name: str, kind: str) -> None:
    try:
        with _opened(name, [kind]) as picture:
            picture.load()
    except Exception as error:
        raise PictureInvalid(str(error)[:200]) from error


def _avatar(data: bytes) -> bytes:
    from PIL import ImageOps

    try:
        with _opened(io.BytesIO(data), PICTURES) as picture:
            upright = ImageOps.exif_transpose(picture).convert("RGBA")
    except Exception as error:
        raise PictureInvalid(str(error)[:200]) from error
    out = io.BytesIO()
    ImageOps.fit(upright, (_SIDE, _SIDE)).save(out, "WEBP", quality=85)
    return out.getvalue()
