"""The data sheet of a policy: the tables of its draft and of its versions."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, Row, select

from zcbus.control.features.policy.contents import PolicyContents, PolicyTable
from zcbus.control.features.policy.errors import PolicyNodeGoneError, PolicyTablesUnknownError
from zcbus.control.features.policy.policies import change_draft, contents_of
from zcbus.control.features.policy.schemas import (
    CANDIDATES,
    SHEET,
    PolicyCandidate,
    PolicyCandidateRequest,
    PolicySheetRequest,
    PolicyTableRecord,
)
from zcbus.control.features.publish import service as publish
from zcbus.control.features.sync_link.schemas import SourceTable
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Listing, Page, page_of
from zcbus.control.store.among import among
from zcbus.control.store.search import any_named
from zcbus.control.store.tables.publish import published_table

_NAMED = 5


def page(call: Call, row: Row[Any], request: PolicySheetRequest) -> Page[PolicyTableRecord]:
    """Tables of a draft or a version, by name."""
    published = set(published_names(call.connection, row.node_id))
    wanted = request.search.strip().lower()
    found = [
        PolicyTableRecord(name=table.name, table=table, published=table.name in published)
        for table in contents_of(call.connection, row, request.version).tables
        if wanted in table.name.lower() or wanted in f"{table.target_schema}.{table.target_table}".lower()
    ]
    return page_of(sorted(found, key=lambda one: one.name), request, SHEET)


def candidates(row: Row[Any], request: PolicyCandidateRequest) -> Listing[PolicyCandidate]:
    """Published tables of the policy's node that its draft does not have."""
    name = published_table.c.schema_name + "." + published_table.c.table_name
    known = [table.name for table in contents_tables(row)]
    statement = select(published_table.c.id, name.label("name")).where(published_table.c.node_id == (row.node_id or ""))
    if known:
        statement = statement.where(~among(name, known))
    if request.search.strip():
        statement = statement.where(any_named([name], request.search.strip()))
    return Listing(CANDIDATES, statement, [name, published_table.c.id], PolicyCandidate.of_row)


def contents_tables(row: Row[Any]) -> Sequence[PolicyTable]:
    """Of the draft in a policy's row."""
    return PolicyContents.model_validate(row.draft).tables


def add(call: Call, row: Row[Any], names: Collection[str]) -> None:
    """Add published tables to the draft; its present ones stay unchanged. Raises PolicyTablesUnknownError,
    PolicyNodeGoneError."""
    if row.node_id is None:
        raise PolicyNodeGoneError(name=row.product_name)
    published = published_names(call.connection, row.node_id)
    unknown = [name for name in names if name not in published]
    if unknown:
        raise PolicyTablesUnknownError(tables=", ".join(unknown[:_NAMED]))

    def change(draft: PolicyContents) -> PolicyContents:
        known = {table.name for table in draft.tables}
        fresh = [PolicyTable(source=published[name]) for name in dict.fromkeys(names) if name not in known]
        return _with_tables(draft, [*draft.tables, *fresh])

    change_draft(call, row.id, change)


def save(call: Call, row: Row[Any], table: PolicyTable) -> PolicyTable:
    """Replace a table of the draft; returns the old one. Raises PolicyTablesUnknownError."""
    before = list[PolicyTable]()

    def change(draft: PolicyContents) -> PolicyContents:
        before.extend(one for one in draft.tables if one.name == table.name)
        if not before:
            raise PolicyTablesUnknownError(tables=table.name)
        return _with_tables(draft, [table if one.name == table.name else one for one in draft.tables])

    change_draft(call, row.id, change)
    return before[0]


def remove(call: Call, row: Row[Any], names: Collection[str]) -> None:
    """Take tables out of the draft. Raises PolicyTablesUnknownError."""

    def change(draft: PolicyContents) -> PolicyContents:
        unknown = set(names) - {table.name for table in draft.tables}
        if unknown:
            raise PolicyTablesUnknownError(tables=", ".join(sorted(unknown)[:_NAMED]))
        return _with_tables(draft, [table for table in draft.tables if table.name not in names])

    change_draft(call, row.id, change)


def published_names(store: Connection, node_id: str | None) -> dict[str, SourceTable]:
    """A node's published tables, by `schema.table`."""
    if node_id is None:
        return {}
    return {
        f"{row.schema_name}.{row.table_name}": SourceTable(schema=row.schema_name, table=row.table_name)
        for row in publish.tables_of(store, node_id)
    }


def _with_tables(draft: PolicyContents, tables: Sequence[PolicyTable]) -> PolicyContents:
    # Checked as a whole again: limits, and no table twice.
    return PolicyContents.model_validate({**draft.model_dump(), "tables": [table.model_dump() for table in tables]})
