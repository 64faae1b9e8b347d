"""Selection of the task's tables that can be captured, with reasons for the others."""

from collections.abc import Callable, Collection, Sequence

from zcbus.connectors.errors import TableMissing, TableRefused
from zcbus.connectors.roles import CapturedTable, Discoverer
from zcbus.engine.capture_history import CaptureHistory
from zcbus.engine.publish.table import PublishedRun
from zcbus.engine.reasons import CAPTURE_INTERRUPTED, TABLE_WITHOUT_KEY, reason_of
from zcbus.kit.errors import ZcbusError
from zcbus.model.position import Position
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.states import PublishState
from zcbus.protocol.base import Reason
from zcbus.protocol.tasks import PublishedTable, PublishTask


def describe(discoverer: Discoverer, runs: Sequence[PublishedRun]) -> None:
    """Set each run's schema and key, or the reason why it has none."""
    pending = list(runs)
    while pending:
        try:
            schemas = discoverer.describe([run.name for run in pending])
        except (TableMissing, TableRefused) as error:
            excluded = [run for run in pending if str(run.name) == str(error.facts.get("table"))]
            if not excluded:
                raise
            for run in excluded:
                fail(run, error)
                pending.remove(run)
            continue
        for run, schema in zip(pending, schemas, strict=True):
            _apply_schema(run, schema)
        return


def new_snapshots(old: PublishTask, new: PublishTask) -> list[PublishedTable] | None:
    """Tables for which the new task requests another snapshot; None: it also has other changes."""
    before = {table.id: table for table in old.tables}
    requested = {t.id: t for t in new.tables if t.id in before and t.generation > before[t.id].generation}
    restored = tuple(_with_request_of(before[t.id], t) if t.id in requested else t for t in new.tables)
    return list(requested.values()) if new.model_copy(update={"tables": restored}) == old else None


def _with_request_of(before: PublishedTable, table: PublishedTable) -> PublishedTable:
    return table.model_copy(update={"generation": before.generation, "direct": before.direct})


def _apply_schema(run: PublishedRun, schema: TableSchema) -> None:
    key = run.task.row_key(schema)
    missing = set(key) - set(schema.names)
    if missing or not (key or run.task.append_only):
        facts = {"table": str(run.name)}
        run.failure = (PublishState.NO_PRIMARY_KEY, Reason(code=TABLE_WITHOUT_KEY, facts=facts))
        return
    run.schema, run.key, run.failure = schema, key, None


def fail(run: PublishedRun, error: ZcbusError) -> None:
    """Mark a table as not capturable."""
    run.failure = (PublishState.PUBLISH_FAILED, reason_of(error))


def captured_tables(runs: Sequence[PublishedRun]) -> list[CapturedTable]:
    """The tables to capture, in a stable order."""
    return [CapturedTable(run.name, run.key) for run in sorted(runs, key=lambda run: run.name) if run.captured]


def prepare(
    runs: Sequence[PublishedRun],
    history: CaptureHistory,
    reached: Position | None,
    attempt: Callable[[Sequence[CapturedTable]], Position],
) -> Position:
    """Call `attempt` with the capturable tables, excluding those that the source refuses.

    `reached`: as in CaptureHistory.
    """
    while True:
        history.exclude({run.task.id for run in runs if run.failure is not None}, reached)
        try:
            return attempt(captured_tables(runs))
        except (TableMissing, TableRefused) as error:
            refused = find(runs, error)
            if refused is None:
                raise
            fail(refused, error)


def find(runs: Sequence[PublishedRun], error: ZcbusError) -> PublishedRun | None:
    """The captured table in an error's facts."""
    name = error.facts.get("table")
    return next((run for run in runs if run.captured and _same(run.name, name)), None)


def _same(name: TableName, fact: object) -> bool:
    return name == fact or str(name) == str(fact)


def refuse_interrupted(runs: Sequence[PublishedRun], history: CaptureHistory, begun: Collection[str]) -> None:
    """Exclude tables with changes missing since their snapshot; `begun`: ids with a begun snapshot."""
    for run in runs:
        if run.captured and history.interrupted(run.task, run.task.id in begun):
            reason = Reason(code=CAPTURE_INTERRUPTED, facts={"table": str(run.name)})
            run.failure = (PublishState.PUBLISH_FAILED, reason)
