"""Kinds of objects that the recycle bin takes: those whose rows, put back, are the whole object."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Column, Table

from zcbus.control.platform.authorisation import Access, authorise
from zcbus.control.platform.principal import Operation
from zcbus.control.store.tables.policy import strategy
from zcbus.control.store.tables.sql_management import sql_statement

RecycledKind = Literal["saved-sql", "policy"]

MissingObject = Literal["publish-node", "subscriber"]

MISSING: Mapping[str, MissingObject] = {
    "publish_node": "publish-node",
    "customer": "subscriber",
    "master": "subscriber",
    "channel": "subscriber",
    "subscribed_table": "subscriber",
}
"""Name columns of the rows that an object refers to, by table."""


@dataclass(frozen=True, slots=True)
class KindDefinition:
    """`table` has the object's row; rows that the store deletes with it (ON DELETE CASCADE) belong to the object."""

    menu_key: str
    table: Table
    name: Column[str]
    """Unique within a tenant."""

    @property
    def create(self) -> Access:
        """Who may restore it."""
        return authorise(self.menu_key, Operation.CREATE)

    @property
    def delete(self) -> Access:
        """Who may delete it for good."""
        return authorise(self.menu_key, Operation.DELETE)


KINDS: Mapping[RecycledKind, KindDefinition] = {
    "saved-sql": KindDefinition("resource/sqlManagement", sql_statement, sql_statement.c.description),
    "policy": KindDefinition("policy/define", strategy, strategy.c.product_name),
}
