"""Requests and answers of the search."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from zcbus.control.platform.schema import Schema

HitKind = Literal[
    "link",
    "published-table",
    "subscribed-table",
    "column",
    "node",
    "topic",
    "customer",
    "policy",
    "service",
    "container",
    "api",
    "plan",
    "sql",
    "user",
    "article",
    "operation",
]


class SearchRequest(Schema):
    """`text`: a part of a name, in either case. `kinds`: only these; empty: all. `limit`: hits of each kind."""

    text: str = Field(min_length=1, max_length=100, pattern=r"\S")
    kinds: list[HitKind] = Field(default_factory=list, max_length=20)
    limit: int = Field(8, ge=1, le=100)


class SearchHit(Schema):
    """An object. `within`: what it belongs to; `details`: what the address of its page is made of, and the result of an
    operation; `at`: the time of an operation."""

    id: str
    name: str
    within: str
    details: dict[str, str]
    at: datetime | None = None


class SearchGroup(Schema):
    """The hits of one kind: exact names first, then names that begin with the text; operations newest first. `more`:
    there are further hits."""

    kind: HitKind
    hits: list[SearchHit]
    more: bool
