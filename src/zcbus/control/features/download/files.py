"""Files that this installation has of its own version. Nothing is built or fetched for them but the ZIP of the
documentation."""

import hashlib
import io
import zipfile
from collections.abc import Iterator
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

import zcbus
import zcbus.control
from zcbus.control.features.download.errors import DownloadMissingError
from zcbus.control.features.download.schemas import Download, DownloadKind
from zcbus.control.features.help.documents import find_documents
from zcbus.control.features.help.errors import DocumentsMissingError
from zcbus.kit.settings import Settings

_BILL = Path(zcbus.__file__).parent / "sbom.cdx.json"
_PIECE = 1 << 20
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest time of a ZIP: the same pages are the same file on each control plane."""


def available(settings: Settings) -> list[Download]:
    """In a fixed order."""
    found = [_described("package", wheel) for wheel in _wheel(settings)]
    documents = _documents()
    if documents:
        digest = hashlib.sha256(documents).hexdigest()
        found.append(
            Download(kind="documents", name=f"zcbus-{version('zcbus')}-docs.zip", size=len(documents), sha256=digest)
        )
    if _BILL.is_file():
        found.append(_described("bill", _BILL))
    return found


def pieces(settings: Settings, kind: DownloadKind) -> tuple[Download, Iterator[bytes]]:
    """A file and its content. Raises DownloadMissingError."""
    chosen = next((one for one in available(settings) if one.kind == kind), None)
    if chosen is None:
        raise DownloadMissingError
    if kind == "documents":
        return chosen, iter((_documents(),))
    return chosen, _read(_BILL if kind == "bill" else _wheel(settings)[0])


def _wheel(settings: Settings) -> list[Path]:
    """The wheel of this version: in the folder for downloads, else of a checkout; empty or one."""
    name = f"zcbus-{version('zcbus')}-py3-none-any.whl"
    folders = (settings.data_dir / "downloads", Path(zcbus.control.__file__).parents[3] / "dist")
    return [folder / name for folder in folders if (folder / name).is_file()][:1]


def _described(kind: DownloadKind, path: Path) -> Download:
    found = path.stat()
    return Download(kind=kind, name=path.name, size=found.st_size, sha256=_digest(path, found.st_mtime_ns))


@lru_cache(maxsize=8)
def _digest(path: Path, changed_ns: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@lru_cache(maxsize=1)
def _documents() -> bytes:
    """The listed pages as a ZIP; empty where there are none."""
    try:
        documents = find_documents()
    except DocumentsMissingError:
        return b""
    names = sorted({name for section in documents.sections for name in section.names})
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            for path in (documents.folder / f"{name}.md", documents.folder / f"{name}.zh.md"):
                if path.is_file():
                    member = zipfile.ZipInfo(path.relative_to(documents.folder).as_posix(), _EPOCH)
                    archive.writestr(member, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _read(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece
