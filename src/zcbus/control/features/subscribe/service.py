"""The rules of subscribing: a customer has masters, a master has channels, a channel applies tables to a target."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.container.service import create_service, remove_services
from zcbus.control.features.datasource import connections
from zcbus.control.features.subscribe import repository, table_repository
from zcbus.control.features.subscribe.errors import ChannelNameTakenError, MasterLimitError
from zcbus.control.platform.principal import Principal
from zcbus.control.store.tables.subscribe import master
from zcbus.model.services import SERVICE_OF_CLIENT, ClientType
from zcbus.model.states import CleanMode, DdlMode, LoadMode, LoadType
from zcbus.protocol.base import TableRef
from zcbus.protocol.requests import PlannedTable
from zcbus.protocol.tasks import Begin, ColumnMapping, SubscribedTable
from zcbus.protocol.transforms import NO_TRANSFORM, Transform

MASTERS_PER_NODE = 128


@dataclass(frozen=True, slots=True)
class TableSettings:
    """Where a subscribed table goes, and how."""

    target: TableRef
    columns: tuple[tuple[str, str], ...]
    key: tuple[str, ...]
    load: LoadMode
    clean: CleanMode
    ddl: DdlMode
    indexes: bool = False
    """Whether indexes that are no keys are carried too."""
    transform: Transform = NO_TRANSFORM
    append_only: bool = False
    """Rows have no identity; `key` is empty then."""

    def planned(self, source: TableRef) -> PlannedTable:
        """The settings as an agent pre-checks them."""
        return PlannedTable(
            source=source,
            target=self.target,
            columns=self.columns,
            key=self.key,
            append_only=self.append_only,
            transform=self.transform,
        )


@dataclass(frozen=True, slots=True)
class NewSubscription:
    """A table that a channel is to receive. `generation`: number of the snapshot that it begins with."""

    channel_id: str
    published_id: str
    settings: TableSettings
    generation: int
    begin: Begin | None = None


def create_customer(
    connection: Connection,
    *,
    tenant_id: str,
    name: str,
    data_source_id: str,
    now: datetime,
    client_type: ClientType = "client",
    database_name: str | None = None,
    load_type: LoadType = LoadType.BULK,
) -> str:
    """Create a receiver with its first target database, which has the same name by default."""
    customer_id = repository.insert_customer(
        connection,
        tenant_id=tenant_id,
        name=name,
        client_type=client_type,
        data_source_id=data_source_id,
        created_at=now,
    )
    repository.insert_database(
        connection,
        customer_id=customer_id,
        data_source_id=data_source_id,
        name=database_name or name,
        load_type=load_type,
        created_at=now,
    )
    return customer_id


def count_tables(connection: Connection, principal: Principal) -> int:
    """Subscribed tables that the caller may see."""
    return table_repository.count_tables_of(connection, principal)


def count_masters(connection: Connection, principal: Principal) -> int:
    """Masters that the caller may see."""
    return repository.count_masters_of(connection, principal)


def find_customers(connection: Connection, principal: Principal, ids: Iterable[str]) -> Sequence[Row[Any]]:
    """Those of the customers that exist and that the caller may see: id, tenant_id, name, client_type."""
    return repository.select_customers_of(connection, principal, ids)


def create_master(
    connection: Connection,
    *,
    customer_id: str,
    node_id: str,
    name: str,
    now: datetime,
    data_source_id: str | None = None,
) -> str:
    """An apply coordinator of a customer on a node. `data_source_id`: where it writes; None: to the customer's first
    database. Raises MasterLimitError."""
    if repository.count_masters(connection, node_id) >= MASTERS_PER_NODE:
        raise MasterLimitError(limit=MASTERS_PER_NODE)
    return repository.insert_master(
        connection,
        customer_id=customer_id,
        node_id=node_id,
        name=name,
        data_source_id=data_source_id,
        load_type=LoadType.BULK,
        created_at=now,
    )


def create_channel(
    connection: Connection,
    *,
    tenant_id: str,
    container_id: str,
    master_id: str,
    name: str,
    load_threads: int,
    apply_lanes: int,
    now: datetime,
    client_type: ClientType = "client",
) -> str:
    """Create a channel with its service, which is stopped at first. Raises ChannelNameTakenError."""
    if repository.channel_exists(connection, master_id, name):
        raise ChannelNameTakenError(name=name)
    kind = SERVICE_OF_CLIENT[client_type]
    service_id = create_service(
        connection, tenant_id=tenant_id, container_id=container_id, kind=kind, name=name, now=now
    )
    return repository.insert_channel(
        connection,
        master_id=master_id,
        name=name,
        service_id=service_id,
        load_threads=load_threads,
        apply_lanes=apply_lanes,
        created_at=now,
    )


def find_customer(connection: Connection, customer_id: str) -> Row[Any]:
    """A customer's row: data_source_id, name."""
    return repository.find_customer(connection, customer_id)


def service_of(connection: Connection, channel_id: str) -> str:
    """Id of a channel's service."""
    return repository.service_of(connection, channel_id)


def channels_of(connection: Connection, customer_id: str) -> Sequence[Row[Any]]:
    """A customer's channels: id, service_id, load_threads."""
    return repository.select_channels_of_customer(connection, customer_id)


def set_parallel(connection: Connection, channel_id: str, threads: int, lanes: int) -> None:
    """Set how many tables a channel loads at a time, and its number of parallel appliers."""
    repository.change_channel(connection, channel_id, load_threads=threads, apply_lanes=lanes)


def tables_of(connection: Connection, channel_id: str) -> Sequence[Row[Any]]:
    """A channel's tables with source_schema, source_table and published_generation, by source name."""
    return table_repository.select_tables(connection, [channel_id])


def settings_of(row: Row[Any]) -> TableSettings:
    """The settings in a row of `tables_of`."""
    return TableSettings(
        target=TableRef(schema_name=row.target_schema, table=row.target_table),
        columns=tuple((source, target) for source, target in row.columns),
        key=tuple(row.key_columns),
        load=LoadMode(row.load_mode),
        clean=CleanMode(row.clean_mode),
        ddl=DdlMode(row.ddl_mode),
        indexes=row.indexes,
        transform=Transform.model_validate(row.transform),
        append_only=row.append_only,
    )


def add_tables(connection: Connection, channel_id: str, tables: Mapping[str, TableSettings], now: datetime) -> None:
    """Subscribe further tables, by the id of the published table, each with a snapshot of its own."""
    subscribe_tables(
        connection,
        [NewSubscription(channel_id, published_id, settings, 1) for published_id, settings in tables.items()],
        now,
    )


def subscribe_tables(connection: Connection, subscriptions: Sequence[NewSubscription], now: datetime) -> list[str]:
    """Subscribe tables, beginning with a snapshot that may be there already; returns their ids."""
    rows = [
        table_repository.new_table_row(
            one.channel_id,
            now,
            published_table_id=one.published_id,
            generation=one.generation,
            begin=one.begin.model_dump(mode="json") if one.begin is not None else None,
            **_settings_row(one.settings),
        )
        for one in subscriptions
    ]
    table_repository.insert_tables(connection, rows)
    return [str(row["id"]) for row in rows]


def change_tables(connection: Connection, changes: Mapping[str, tuple[TableSettings, int]]) -> None:
    """Give tables (by id) other settings and a desired generation."""
    rows = [
        {
            "table_id": table_id,
            "new_generation": generation,
            **{f"new_{name}": value for name, value in _settings_row(settings).items()},
        }
        for table_id, (settings, generation) in changes.items()
    ]
    table_repository.change_tables(connection, rows)


def next_generation(row: Row[Any]) -> int:
    """The number of the next full load of a stored table; snapshot and load carry the same."""
    return max(int(row.generation), int(row.published_generation)) + 1


def take_newest_snapshot(connection: Connection, numbers: Mapping[str, int]) -> None:
    """Snapshots with these numbers, by published table, follow others: subscribed tables that have not loaded all of
    the one before load the new one."""
    table_repository.take_newest_snapshot(connection, numbers)


def start_generation(
    connection: Connection, generations: Mapping[str, int], begin: Begin | None, *, suspended: bool
) -> None:
    """Start a new generation of tables (by id). `begin` None: as their load mode says."""
    value = begin.model_dump(mode="json") if begin is not None else None
    table_repository.start_generation(connection, generations, value, suspended)


def begin_of(row: Row[Any]) -> Begin | None:
    """How a table's generation begins; None: as its load mode says."""
    return Begin.model_validate(row.begin) if row.begin is not None else None


def set_suspended(connection: Connection, table_ids: Iterable[str], suspended: bool) -> None:
    """Suspend tables, or resume them."""
    table_repository.set_suspended(connection, table_ids, suspended)


def retry(connection: Connection, table_ids: Iterable[str]) -> None:
    """Order a retry of failed tables."""
    table_repository.request_retry(connection, table_ids)


def set_error_limits(
    connection: Connection, table_ids: Iterable[str], *, error_limit: int, dml_skip: int, ddl_skip: int
) -> None:
    """How many refused changes tables may have open, and how many they skip, counted from now on."""
    table_repository.set_error_limits(
        connection, table_ids, error_limit=error_limit, dml_skip=dml_skip, ddl_skip=ddl_skip
    )


def set_modes(connection: Connection, table_ids: Iterable[str], **modes: str) -> None:
    """Set how tables are cleaned and how DDL is handled."""
    table_repository.set_modes(connection, table_ids, **modes)


def move_tables(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Move tables to another channel; see table_repository.move_tables."""
    table_repository.move_tables(connection, rows)


def remove_tables(connection: Connection, table_ids: Iterable[str]) -> None:
    """No longer subscribe tables; the target's data stays."""
    table_repository.delete_tables(connection, table_ids)


def remove_customer(connection: Connection, customer_id: str) -> None:
    """Forget a customer with its databases, masters, channels and subscribed tables."""
    databases = repository.data_sources_of(connection, customer_id)
    compared = repository.contrast_services(connection, master.c.customer_id == customer_id)
    repository.delete_customer(connection, customer_id)
    remove_services(connection, compared)
    for data_source_id in databases:
        connections.remove(connection, data_source_id)


def tables_of_channels(connection: Connection, channel_ids: Iterable[str]) -> dict[str, SubscribedTable]:
    """Subscribed tables by id, as agents take them."""
    return {row.id: wire_table(row) for row in table_repository.select_tables(connection, channel_ids)}


def wire_table(row: Row[Any], direct: bool = False) -> SubscribedTable:
    """A row of `tables_of` as agents take it. `direct`: its full load reads the rows from the source."""
    return SubscribedTable(
        id=row.id,
        published=row.published_table_id,
        source=TableRef(schema_name=row.source_schema, table=row.source_table),
        target=TableRef(schema_name=row.target_schema, table=row.target_table),
        columns=tuple(ColumnMapping(source=source, target=target) for source, target in row.columns),
        key=tuple(row.key_columns),
        append_only=row.append_only,
        transform=Transform.model_validate(row.transform) if row.transform else Transform(),
        load=LoadMode(row.load_mode),
        clean=CleanMode(row.clean_mode),
        ddl=DdlMode(row.ddl_mode),
        indexes=row.indexes,
        generation=row.generation,
        direct=direct,
        begin=begin_of(row),
        suspended=row.suspended,
        retry=row.retry,
        error_limit=row.error_limit,
        dml_skip=row.dml_skip,
        ddl_skip=row.ddl_skip,
        skip_revision=row.skip_revision,
        moves=row.moves,
        came_from=tuple(row.came_from),
    )


def _settings_row(settings: TableSettings) -> dict[str, Any]:
    return {
        "target_schema": settings.target.schema_name,
        "target_table": settings.target.table,
        "columns": [list(pair) for pair in settings.columns],
        "key_columns": list(settings.key),
        "append_only": settings.append_only,
        "load_mode": settings.load.value,
        "clean_mode": settings.clean.value,
        "ddl_mode": settings.ddl.value,
        "indexes": settings.indexes,
        "transform": settings.transform.model_dump(mode="json", exclude_defaults=True),
    }
