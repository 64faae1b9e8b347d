"""Handling of tables that were renamed in the source, where all their readers follow schema changes.

The log continues under the new name while the table is stopped under the old one, so changes would be missing. The
table is therefore published under its new name and loaded again into a shadow table; the target keeps its name.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row

from zcbus.control.features.publish import service as publish
from zcbus.control.features.subscribe import steering
from zcbus.control.features.subscribe.tables import readers_of
from zcbus.control.features.sync_link import repository
from zcbus.control.features.sync_link.schemas import LinkChoice
from zcbus.control.features.sync_link.service import find_link
from zcbus.control.platform import audit
from zcbus.control.platform.audit import AuditNote, Circumstances
from zcbus.control.platform.principal import local_principal
from zcbus.control.platform.services import Services
from zcbus.kit.ids import new_id
from zcbus.kit.logging import get_logger
from zcbus.model.states import DdlMode, LoadMode
from zcbus.protocol.base import TableRef
from zcbus.protocol.tasks import Begin

SECONDS = 5.0
_log = get_logger("renamed-tables")


def follow_renamed_tables(services: Services) -> None:
    """Check the reports of publish services that are to run once."""
    with services.database.read() as store:
        found = list(_renamed(store))
    for readers in found:
        _follow(services, readers)


def _renamed(store: StoreConnection) -> Iterator[list[Row[Any]]]:
    """The readers of each table that is reported as renamed, where all of them follow changes and load their rows: no
    reader may get an unwanted reload."""
    readers = readers_of(store, publish.renamed_tables(store))
    for _, group in groupby(readers, key=lambda row: row.published_table_id):
        rows = list(group)
        if all(row.ddl_mode == DdlMode.FOLLOW and row.load_mode != LoadMode.INCREMENTAL for row in rows):
            yield rows


def _follow(services: Services, readers: Sequence[Row[Any]]) -> None:
    first = readers[0]
    facts = first.publish_reason["facts"]
    new = TableRef(schema_name=facts["new_schema"], table=facts["new_table"])
    old = TableRef(schema_name=first.source_schema, table=first.source_table)
    with services.database.write() as store:
        if publish.is_published(store, first.node_id, new):
            return
        # At most one of them is a link's: a link has a node of its own.
        if not all(_changed(store, services, row, old, new) for row in readers if row.link_id is not None):
            return
        publish.rename_table(store, first.published_table_id, new)
        begin = Begin(mode="full", beside=True)
        for suspended in (False, True):
            steering.start_generation(
                store, [row for row in readers if row.suspended is suspended], begin, suspended=suspended
            )
        steering.notify_agents(store, readers)
        for row in readers:
            _note(store, services, row, old, new)


def _changed(store: StoreConnection, services: Services, row: Row[Any], old: TableRef, new: TableRef) -> bool:
    """Put the new name into the document of a reader's link; false: another user changed it meanwhile."""
    link = find_link(store, local_principal(), LinkChoice(id=row.link_id, name=None))
    document = {**link.document, "tables": _entries(link.document["tables"], row, old, new)}
    return repository.change_document(store, link.id, link.version, document, services.clock.now())


def _entries(entries: Sequence[Any], row: Row[Any], old: TableRef, new: TableRef) -> list[Any]:
    """The document's tables with the new name and the target that the table has."""
    mapping: dict[str, Any] = {
        "source": {"schema": new.schema_name, "table": new.table},
        "target": {"schema": row.target_schema, "table": row.target_table},
    }
    kept = []
    for entry in entries:
        if isinstance(entry, dict) and entry["source"] == {"schema": old.schema_name, "table": old.table}:
            mapping = {**entry, **mapping}
        elif entry != f"{old.schema_name}.{old.table}":
            kept.append(entry)
    return [*kept, mapping]


def _note(store: StoreConnection, services: Services, reader: Row[Any], old: TableRef, new: TableRef) -> None:
    names = {"before": f"{old.schema_name}.{old.table}", "after": f"{new.schema_name}.{new.table}"}
    _log.info("renamed table followed", reader=reader.link_name, **names)
    where = Circumstances("sync-link.follow-renamed", "", "", new_id())
    before, after = {"table": names["before"]}, {"table": names["after"]}
    note = AuditNote(subject=reader.link_name, before=before, after=after, tenant_id=reader.tenant_id)
    audit.record(store, services, local_principal(), where, note)
