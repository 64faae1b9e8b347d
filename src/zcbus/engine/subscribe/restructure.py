"""Making a target table fit the structure of the changes that come next."""

from dataclasses import replace

from zcbus.connectors.roles import TargetSession
from zcbus.engine.subscribe.lanes import TableLane
from zcbus.engine.subscribe.mapping import columns_of, evolve, map_table, spelled_by
from zcbus.engine.subscribe.table import SyncRun
from zcbus.model.schema import TableSchema
from zcbus.model.states import CleanMode


def restructure(session: TargetSession, run: SyncRun, schema: TableSchema, key: tuple[str, ...]) -> TableLane:
    """Create the table, or give it the columns it lacks; returns the lane to store. Nothing may be open in the session.

    Raises TableStopped where the table may not follow its source.
    """
    lane = run.lane
    assert lane is not None
    if not lane.columns:
        target = map_table(run.task, schema, key).table
        existing = session.describe(target.name)
        spelled = spelled_by(target, existing, run.task.transform.exact_names)
        session.create_table(map_table(run.task, schema, key, spelled=spelled).table, CleanMode.NONE)
        created = lane.created or existing is None
        return replace(lane, columns=columns_of(schema), key=key, spelled=spelled, created=created)
    evolution = evolve(run.task, lane.columns, lane.key, schema, key)
    if evolution.added:
        target = map_table(run.task, schema, key, evolution.columns, lane.spelled).table
        session.add_columns(target, [column for column in target.columns if column.source in evolution.added])
    return replace(lane, columns=evolution.columns)
