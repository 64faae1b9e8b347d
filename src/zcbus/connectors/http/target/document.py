"""The part of a document that declares what is sent.

A target of `rows` has a request for each row, by its key; one of `webhook` an event for each change, of any table.
"""

import re
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from zcbus.connectors.http import paths
from zcbus.connectors.http.parts import ColumnPart, Header, Name, Part, PathOrUrl, Text, Texts

ALL_TABLES = "*"
_ROW_VALUE = re.compile(r"\$\{row\.([^}]+)\}")
_MAX_IN_FLIGHT = 64
Status = Annotated[int, Field(ge=200, le=499)]
TargetName = Annotated[str, Field(max_length=63, pattern=r"^(\*|[A-Za-z0-9_\u4e00-\u9fff][\w.-]*)$")]
Columns = Annotated[dict[Name, ColumnPart], Field(min_length=1, max_length=500)]


class CallPart(Part):
    """A request that writes. Path, query, headers and body may have `${row.COLUMN}`."""

    method: Literal["PUT", "POST", "PATCH", "DELETE"]
    path: PathOrUrl = ""
    query: Texts = {}
    headers: dict[Header, Text] = {}
    content: Literal["row", "key", "none"] = "row"
    """What the body has: all columns that are sent, those of the key, or nothing."""
    under: Name | None = None
    """Name of the member that has it; without one it is the body itself."""
    body: dict[str, Any] = {}
    """Further members of the body."""
    batch: Annotated[int, Field(ge=1, le=1000)] = 1
    """Up to so many rows go into one request, as an array."""

    @model_validator(mode="after")
    def _consistent(self) -> "CallPart":
        if self.batch > 1 and (_ROW_VALUE.search(self.path) or self.content == "none"):
            raise ValueError("batch: 1")
        if self.body and self.under is None and (self.batch > 1 or self.content == "none"):
            raise ValueError("body: under")
        return self

    def named(self) -> set[str]:
        """Columns that the request names."""
        texts = (self.path, *self.query.values(), *self.headers.values())
        return {name for text in texts for name in _ROW_VALUE.findall(text)}


class SendingPart(Part):
    """What all targets have."""

    name: TargetName
    success: Annotated[list[Status], Field(max_length=20)] = []
    """Statuses of accepted requests; without any all of 2xx."""
    in_flight: Annotated[int, Field(ge=1, le=_MAX_IN_FLIGHT)] = 8
    """Requests at the same time; those of one key follow each other."""


class RowsPart(SendingPart):
    """A request for each row, or for a few. The service has the table already."""

    type: Literal["rows"]
    key: Annotated[list[Name], Field(min_length=1, max_length=8)]
    columns: Columns
    put: CallPart
    """Makes the row, or replaces it whole."""
    patch: CallPart | None = None
    """Changes some columns; without it such changes are refused."""
    delete: CallPart | None = None
    """Without it deletions are refused."""
    absent: Annotated[list[Status], Field(max_length=20)] = [404, 410]
    """Statuses of a deletion that say that the row is gone already."""
    idempotency: Header | None = None
    """Header that bears the change's id."""

    @model_validator(mode="after")
    def _consistent(self) -> "RowsPart":
        if self.name == ALL_TABLES:
            raise ValueError("name")
        for name in self.key:
            if name not in self.columns:
                raise ValueError(f"key: {name}")
        for name, part in self.columns.items():
            steps = paths.steps(part.path) if part.path is not None else (name,)
            if part.parent is not None or not all(isinstance(step, str) for step in steps) or not steps:
                raise ValueError(f"columns: {name}")
        for call in filter(None, (self.put, self.patch, self.delete)):
            unknown = call.named() - set(self.columns)
            if unknown:
                raise ValueError(f"${{row.{min(unknown)}}}")
        if self.delete is not None and self.delete.named() - set(self.key):
            raise ValueError("delete: key")
        return self


class WebhookPart(SendingPart):
    """An event for each change: POST of JSON with id, table, operation, key, row and time."""

    type: Literal["webhook"]
    path: PathOrUrl = ""
    query: Texts = {}
    headers: dict[Header, Text] = {}
    batch: Annotated[int, Field(ge=1, le=1000)] = 1
    """Up to so many events go into one request, as an array."""
    signed: bool = True
    """By the connection's signing secret, as Standard Webhooks says."""


TargetPart = Annotated[RowsPart | WebhookPart, Field(discriminator="type")]
