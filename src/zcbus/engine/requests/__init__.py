"""Answers to the requests of zcbus.protocol.requests, on the agent that reaches database and bus."""

from contextlib import closing
from pathlib import Path

from zcbus.bus.open import open_bus
from zcbus.engine.connections import Connectors, registered
from zcbus.engine.requests.bus_records import read_record, read_records
from zcbus.engine.requests.bus_topics import delete_topic, list_bus_topics, measure_topics
from zcbus.engine.requests.databases import (
    describe_tables,
    list_schemas,
    list_tables,
    test_connection,
)
from zcbus.engine.requests.differences import list_differences
from zcbus.engine.requests.document_import import import_document
from zcbus.engine.requests.drop import drop_source, drop_target
from zcbus.engine.requests.patterns import resolve_tables
from zcbus.engine.requests.precheck import precheck
from zcbus.engine.requests.preview import preview_table
from zcbus.engine.requests.repair_preview import preview_repair
from zcbus.engine.requests.retained_log import watch_held_log
from zcbus.engine.requests.route import test_route
from zcbus.engine.requests.row_errors import answer_about_row_errors
from zcbus.engine.requests.run_statement import run_statement
from zcbus.engine.requests.schema_versions import list_versions
from zcbus.engine.requests.start import resolve_start
from zcbus.engine.requests.stream_queries import check_stream_query, drop_stream_query
from zcbus.engine.requests.topics import list_topics
from zcbus.engine.requests.try_query import try_query
from zcbus.engine.requests.watch import Watch
from zcbus.kit.bus_settings import BusSettings
from zcbus.protocol.base import Message
from zcbus.protocol.bus_inspection import (
    BusInspection,
    DeleteTopic,
    ListBusTopics,
    MeasureTopics,
    ReadRecord,
    ReadRecords,
)
from zcbus.protocol.bus_requests import ListTopics, ListVersions
from zcbus.protocol.comparison_requests import ListDifferences, PreviewRepair
from zcbus.protocol.data_service import TryQuery
from zcbus.protocol.document_import import ImportDocument
from zcbus.protocol.preview import PreviewTable
from zcbus.protocol.requests import (
    DataRequest,
    DecideRowErrors,
    DescribeTables,
    DropSource,
    DropTarget,
    ListRowErrorCauses,
    ListRowErrors,
    ListSchemas,
    ListTables,
    Precheck,
    ResolveStart,
    ResolveTables,
    TestConnection,
    TestRoute,
    WatchHeldLog,
)
from zcbus.protocol.statements import RunStatement
from zcbus.protocol.stream_query_requests import CheckStreamQuery, DropStreamQuery


def answer(
    request: DataRequest,
    data_dir: Path,
    bus: BusSettings,
    connectors: Connectors = registered,
    watch: Watch | None = None,
) -> Message:
    """The answer that the request's docstring names. Blocks; safe in several threads. `watch`: progress and
    withdrawal of a long request. Raises ZcbusError."""
    match request:
        case TestConnection():
            return test_connection(request, connectors)
        case (
            ListSchemas()
            | ListTables()
            | DescribeTables()
            | PreviewTable()
            | ImportDocument()
            | TestRoute()
            | TryQuery()
            | RunStatement()
        ):
            return _answer_about_database(request, connectors, watch or Watch())
        case ResolveTables():
            return resolve_tables(request, connectors)
        case Precheck():
            return precheck(request, connectors, bus, watch or Watch())
        case (
            ResolveStart()
            | ListTopics()
            | ListVersions()
            | DropSource()
            | WatchHeldLog()
            | ListBusTopics()
            | MeasureTopics()
            | ReadRecords()
            | ReadRecord()
            | DeleteTopic()
        ):
            return _answer_about_bus(request, connectors, data_dir, bus)
        case CheckStreamQuery() | DropStreamQuery():
            return _answer_about_stream_query(request, connectors, data_dir, bus)
        case DropTarget():
            return drop_target(request, connectors)
        case ListDifferences() | PreviewRepair():
            return _answer_about_comparison(request, connectors, data_dir)
        case ListRowErrors() | ListRowErrorCauses() | DecideRowErrors():
            return answer_about_row_errors(request, connectors)


def _answer_about_comparison(
    request: ListDifferences | PreviewRepair, connectors: Connectors, data_dir: Path
) -> Message:
    if isinstance(request, ListDifferences):
        return list_differences(request, data_dir)
    return preview_repair(request, data_dir, connectors)


def _answer_about_stream_query(
    request: CheckStreamQuery | DropStreamQuery, connectors: Connectors, data_dir: Path, bus: BusSettings
) -> Message:
    if isinstance(request, CheckStreamQuery):
        return check_stream_query(request, connectors, data_dir, bus)
    return drop_stream_query(request, connectors, data_dir)


def _answer_about_database(
    request: ListSchemas
    | ListTables
    | DescribeTables
    | PreviewTable
    | ImportDocument
    | TestRoute
    | TryQuery
    | RunStatement,
    connectors: Connectors,
    watch: Watch,
) -> Message:
    match request:
        case ListSchemas():
            return list_schemas(request, connectors)
        case ListTables():
            return list_tables(request, connectors)
        case DescribeTables():
            return describe_tables(request, connectors)
        case PreviewTable():
            return preview_table(request, connectors)
        case ImportDocument():
            return import_document(request, connectors)
        case TestRoute():
            return test_route(request)
        case TryQuery():
            return try_query(request, connectors)
        case RunStatement():
            return run_statement(request, connectors, watch)


def _answer_about_bus(
    request: ResolveStart | ListTopics | ListVersions | DropSource | WatchHeldLog | BusInspection,
    connectors: Connectors,
    data_dir: Path,
    bus: BusSettings,
) -> Message:
    match request:
        case ResolveStart():
            return resolve_start(request, data_dir, bus)
        case ListTopics():
            return list_topics(request, data_dir, bus)
        case ListVersions():
            return list_versions(request, data_dir, bus)
        case DropSource():
            return drop_source(request, connectors, data_dir, bus)
        case WatchHeldLog():
            return watch_held_log(request, connectors, data_dir, bus)
        case ListBusTopics() | MeasureTopics() | ReadRecords() | ReadRecord() | DeleteTopic():
            return _inspect_bus(request, data_dir, bus)


def _inspect_bus(request: BusInspection, data_dir: Path, bus: BusSettings) -> Message:
    with closing(open_bus(bus, data_dir)) as opened:
        match request:
            case ListBusTopics():
                return list_bus_topics(request, opened)
            case MeasureTopics():
                return measure_topics(request, opened)
            case ReadRecords():
                return read_records(request, opened)
            case ReadRecord():
                return read_record(request, opened)
            case DeleteTopic():
                return delete_topic(request, opened)
