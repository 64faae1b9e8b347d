"""Check of a stream query before it is created, and cleanup after it."""

import shutil
from collections.abc import Mapping
from pathlib import Path

from zcbus.bus.open import open_bus
from zcbus.engine.connections import Connectors, options_of
from zcbus.engine.publish.schema_versions import read_schema_versions
from zcbus.engine.reasons import COLUMN_NOT_IN_TARGET, INPUT_NOT_CAPTURED, STREAM_QUERY_INVALID, TableStopped
from zcbus.engine.transform.confinement import run_confined
from zcbus.kit.bus_settings import BusSettings
from zcbus.kit.confined import Overrun
from zcbus.model.schema import TableName, TableSchema
from zcbus.protocol.answers import Done
from zcbus.protocol.base import Reason
from zcbus.protocol.stream_query_requests import CheckStreamQuery, DropStreamQuery, ResultColumn, StreamQueryCheck


def check_stream_query(
    request: CheckStreamQuery, connectors: Connectors, data_dir: Path, bus: BusSettings
) -> StreamQueryCheck:
    """The result's columns over the inputs' newest schemas, or the reason why not. Raises what the target raises."""
    # The library that computes is large: it is loaded on the first request.
    from zcbus.engine.stream.trial import result_or_reason

    try:
        schema = run_confined(result_or_reason, request, _newest_schemas(request, data_dir, bus))
    except TableStopped as stopped:
        return StreamQueryCheck(reason=stopped.reason)
    except Overrun as error:
        return StreamQueryCheck(reason=TableStopped(STREAM_QUERY_INVALID, detail=str(error)).reason)
    if isinstance(schema, Reason):
        return StreamQueryCheck(reason=schema)
    target = connectors(request.target.kind).target(options_of(request.target))
    notes = {note.column: note for note in target.map_columns(schema, request.key)}
    columns = tuple(
        ResultColumn(name=column.name, type=notes[column.name].target_type if column.name in notes else "")
        for column in schema.columns
    )
    with target.open() as session:
        existing = session.describe([schema.name]).get(schema.name)
    missing = [name for name in schema.names if existing is not None and name not in existing.names]
    reason = TableStopped(COLUMN_NOT_IN_TARGET, table=schema.name, columns=", ".join(missing)).reason
    return StreamQueryCheck(columns=columns, reason=reason if missing else None, exists=existing is not None)


def _newest_schemas(request: CheckStreamQuery, data_dir: Path, settings: BusSettings) -> Mapping[str, TableSchema]:
    """The newest captured schema of each input, by the input's name. Raises TableStopped."""
    bus, newest = open_bus(settings, data_dir), {}
    try:
        for node in {one.node for one in request.inputs}:
            newest.update({version.table: version.schema for version in read_schema_versions(bus, node)})
    finally:
        bus.close()
    for one in request.inputs:
        if one.published not in newest:
            raise TableStopped(INPUT_NOT_CAPTURED, table=TableName(one.source.schema_name, one.source.table))
    return {one.name: newest[one.published] for one in request.inputs}


def drop_stream_query(request: DropStreamQuery, connectors: Connectors, data_dir: Path) -> Done:
    """Drop the data on this host and the checkpoint in the target; the target table stays."""
    shutil.rmtree(data_dir / "stream" / request.service, ignore_errors=True)
    with connectors(request.target.kind).target(options_of(request.target)).open() as session:
        session.prepare_store()
        session.delete_checkpoints(request.computation)
    return Done()
