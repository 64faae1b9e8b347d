"""Requests and answers of uploads."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from zcbus.connectors.options import PLAIN_TEXT
from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.platform.faults import field_fault
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.schema import Schema
from zcbus.control.store.columns import ID_LENGTH

Purpose = Literal["file", "picture", "data", "driver"]
"""data: for a table; driver: for agents. Both are their uploader's only, and in no list."""
Listed = Literal["file", "picture"]
PART_BYTES = 4 << 20
"""Most of a part."""
SHA256 = r"^[0-9a-f]{64}$"
_MOST = 1 << 50

Id = Annotated[str, Field(min_length=1, max_length=ID_LENGTH)]


def _file_name(value: str) -> str:
    if not value.strip() or value in (".", "..") or any(one in value for one in "/\\"):
        raise field_fault("file-name")
    return value


class UploadBegin(Schema):
    """The file to be uploaded. `size`: bytes; `sha256`: of the whole file, empty: only its parts are checked."""

    name: Annotated[str, Field(max_length=200, pattern=PLAIN_TEXT), AfterValidator(_file_name)]
    size: int = Field(ge=0, le=_MOST)
    sha256: str = Field("", pattern=rf"^$|{SHA256}")


class UploadChoice(Schema):
    id: Id


class UploadDeletion(UploadChoice, DeletionProof):
    """The file to delete."""


class UploadRecord(Schema):
    """`purpose`: file, picture, data, driver; `kind`: what the content is, empty while it is received; `received`:
    bytes so far; `state`: receiving, ready, removing; `store`: local, object; `partBytes`: most of a part."""

    id: str
    name: str
    purpose: Purpose
    kind: str
    size: int
    received: int
    sha256: str
    state: Literal["receiving", "ready", "removing"]
    store: Literal["local", "object"]
    user_name: str
    created_at: datetime
    part_bytes: int = PART_BYTES


class UploadPageRequest(PageRequest):
    """`search`: a part of the name or the uploader; `purpose`, `kind`: only these."""

    search: str = Field("", max_length=100)
    purpose: Listed | None = None
    kind: str = Field("", max_length=10)


class UploadLimits(Schema):
    """In bytes. `used`: by the caller's tenant; `objectStore`: whether files can be kept in one; `scanned`: whether a
    scanner checks each file."""

    file: int
    tenant: int
    used: int
    part: int
    object_store: bool
    scanned: bool


class Avatar(Schema):
    """`picture`: as an address with its data; empty: none."""

    picture: str


UPLOADS = ListDefinition[UploadRecord](
    UploadRecord,
    columns={
        "name": "name",
        "kind": "kind",
        "size": "size",
        "userName": "user_name",
        "createdAt": "created_at",
    },
)
