"""Requests and answers of the recycle bin."""

from datetime import datetime

from pydantic import AwareDatetime, Field

from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.features.recycle_bin.kinds import MissingObject, RecycledKind
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.schema import Schema


class RecycledPageRequest(PageRequest):
    """`search`: a part of a name or of the name of who deleted it. `kind`: only that kind."""

    search: str = Field("", max_length=100)
    kind: RecycledKind | None = None


class RecycledChoice(Schema):
    id: str = Field(min_length=1, max_length=32)


class RecycledDeletion(DeletionProof):
    id: str = Field(min_length=1, max_length=32)


class RecycleBinEmptying(DeletionProof):
    """`deleted_until`: what was deleted later stays in the bin."""

    deleted_until: AwareDatetime


class RecycleBinEmptied(Schema):
    deleted: int


class RestorePreview(Schema):
    """Obstacles to restoring an object. It is refused while `name_taken`, or while objects that it needs are gone
    (`blocking`). It comes back without what is `missing`: objects that it refers to and that were deleted meanwhile."""

    name_taken: bool
    missing: list[MissingObject]
    blocking: list[MissingObject]


class RecycledRecord(Schema):
    """A deleted object. It is deleted for good at `expires_at`."""

    id: str
    kind: RecycledKind
    name: str
    deleted_by: str
    deleted_at: datetime
    expires_at: datetime


RECYCLED = ListDefinition[RecycledRecord](
    RecycledRecord,
    {
        "name": "name",
        "kind": "kind",
        "deletedBy": "deleted_by",
        "deletedAt": "deleted_at",
        "expiresAt": "expires_at",
    },
)
