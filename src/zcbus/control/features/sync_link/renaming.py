"""Follows tables that were renamed in the source, where their links follow changes of structure.

The log goes on under the new name while the table stands still under the old one, so changes would be missing: the
table is published under its new name and loaded anew, beside the readers of the target, which keeps its name.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row

from zcbus.control.features.container import service as containers
from zcbus.control.features.publish import service as publish
from zcbus.control.features.subscribe import service as subscribe
from zcbus.control.features.subscribe import steering
from zcbus.control.features.subscribe.tables import current_tables
from zcbus.control.features.sync_link import repository
from zcbus.control.features.sync_link.schemas import LinkChoice
from zcbus.control.features.sync_link.service import find_link, services_of
from zcbus.control.platform import audit
from zcbus.control.platform.audit import AuditNote, Circumstances
from zcbus.control.platform.principal import local_principal
from zcbus.control.platform.services import Services
from zcbus.kit.ids import new_id
from zcbus.kit.logging import get_logger
from zcbus.model.states import DdlMode, DesiredState, LoadMode
from zcbus.protocol.base import TableRef
from zcbus.protocol.tasks import Begin

SECONDS = 5.0
_log = get_logger("renamed-tables")


def follow_renamed_tables(services: Services) -> None:
    """One look at the tables of every running link."""
    with services.database.read() as store:
        links = repository.select_links(store, local_principal(), None)
        found = [(link, row) for link in links if link.desired == DesiredState.RUNNING for row in _renamed(store, link)]
    for link, row in found:
        _follow(services, link, row)


def _renamed(store: StoreConnection, link: Row[Any]) -> list[Row[Any]]:
    """Tables of which publishing says so; not those that several links read, or that are never loaded."""
    once = publish.renamed_tables(store, link.node_id) & subscribe.tables_with_one_reader(store, [link.node_id])
    return [
        row
        for row in (current_tables(store, link.id) if once else ())
        if row.published_table_id in once and row.ddl_mode == DdlMode.FOLLOW and row.load_mode != LoadMode.INCREMENTAL
    ]


def _follow(services: Services, link: Row[Any], row: Row[Any]) -> None:
    facts = row.publish_reason["facts"]
    new = TableRef(schema_name=facts["new_schema"], table=facts["new_table"])
    old = TableRef(schema_name=row.source_schema, table=row.source_table)
    now = services.clock.now()
    with services.database.write() as store:
        if publish.is_published(store, link.node_id, new):
            return
        current = find_link(store, local_principal(), LinkChoice(id=link.id, name=None))
        document = {**current.document, "tables": _entries(current.document["tables"], row, old, new)}
        if not repository.change_document(store, link.id, current.version, document, now):
            return
        publish.rename_table(store, row.published_table_id, new)
        steering.begin_anew(store, [row], Begin(mode="full", beside=True), held=row.suspended)
        containers.announce_services(store, services_of(link))
        _note(store, services, link, old, new)


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


def _note(store: StoreConnection, services: Services, link: Row[Any], old: TableRef, new: TableRef) -> None:
    names = {"before": f"{old.schema_name}.{old.table}", "after": f"{new.schema_name}.{new.table}"}
    _log.info("renamed table followed", link=link.name, **names)
    where = Circumstances("sync-link.follow-renamed", "", "", new_id())
    before, after = {"table": names["before"]}, {"table": names["after"]}
    note = AuditNote(subject=link.name, before=before, after=after, tenant_id=link.tenant_id)
    audit.record(store, services.clock, local_principal(), where, note)
