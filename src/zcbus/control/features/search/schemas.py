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
    "service",
    "container",
    "api",
    "plan",
    "sql",
    "user",
    "operation",
]


class SearchRequest(Schema):
    """`text`: a part of a name, whatever its case. `kinds`: only these; none: all. `limit`: hits of each kind."""

    text: str = Field(min_length=1, max_length=100, pattern=r"\S")
    kinds: list[HitKind] = Field(default_factory=list, max_length=20)
    limit: int = Field(8, ge=1, le=100)


class SearchHit(Schema):
    """Something that was found. `within`: what it belongs to; `of`: what the address of its page is made of; `at`: when
    an operation was made."""

    id: str
    name: str
    within: str
    of: dict[str, str]
    at: datetime | None = None


class SearchGroup(Schema):
    """What was found of one kind: first what is called so, then what begins so; operations from the newest on. `more`:
    there are further ones."""

    kind: HitKind
    hits: list[SearchHit]
    more: bool
