"""Answers about downloads."""

from typing import Literal

from zcbus.control.platform.schema import Schema

DownloadKind = Literal["package", "documents", "bill"]


class Download(Schema):
    """`kind`: package (agent, command line and control plane as one wheel), documents (Markdown in a ZIP), bill (of
    materials, CycloneDX); `size`: bytes; `sha256`: of the file."""

    kind: DownloadKind
    name: str
    size: int
    sha256: str


class Downloads(Schema):
    """What this installation has of its own version."""

    version: str
    files: list[Download]
