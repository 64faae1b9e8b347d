"""Which of the task's tables can be captured, and why the others cannot."""

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
    """Give each run its schema and key, or the reason why it has none."""
    wanted = list(runs)
    while wanted:
        try:
            schemas = discoverer.describe([run.name for run in wanted])
        except (TableMissing, TableRefused) as error:
            left_out = [run for run in wanted if str(run.name) == str(error.facts.get("table"))]
            if not left_out:
                raise
            for run in left_out:
                fail(run, error)
                wanted.remove(run)
            continue
        for run, schema in zip(wanted, schemas, strict=True):
            _settle(run, schema)
        return


def asking_anew(old: PublishTask, new: PublishTask) -> list[PublishedTable] | None:
    """The tables of which the new task wants another snapshot; None: it wants something else as well."""
    before = {table.id: table for table in old.tables}
    anew = {t.id: t for t in new.tables if t.id in before and t.generation > before[t.id].generation}
    restored = tuple(_asked_as(before[t.id], t) if t.id in anew else t for t in new.tables)
    return list(anew.values()) if new.model_copy(update={"tables": restored}) == old else None


def _asked_as(before: PublishedTable, table: PublishedTable) -> PublishedTable:
    return table.model_copy(update={"generation": before.generation, "direct": before.direct})


def _settle(run: PublishedRun, schema: TableSchema) -> None:
    key = run.task.row_key(schema)
    missing = set(key) - set(schema.names)
    if missing or not (key or run.task.append_only):
        facts = {"table": str(run.name)}
        run.failure = (PublishState.NO_PRIMARY_KEY, Reason(code=TABLE_WITHOUT_KEY, facts=facts))
        return
    run.schema, run.key, run.failure = schema, key, None


def fail(run: PublishedRun, error: ZcbusError) -> None:
    """The table cannot be captured."""
    run.failure = (PublishState.PUBLISH_FAILED, reason_of(error))


def captured_tables(runs: Sequence[PublishedRun]) -> list[CapturedTable]:
    """The tables to capture, in a steady order."""
    return [CapturedTable(run.name, run.key) for run in sorted(runs, key=lambda run: run.name) if run.captured]


def prepare(
    runs: Sequence[PublishedRun],
    book: CaptureHistory,
    reached: Position | None,
    attempt: Callable[[Sequence[CapturedTable]], Position],
) -> Position:
    """Call `attempt` with the tables that can be captured, leaving out one after the other that the source refuses.
    `reached`: as CaptureHistory asks for it."""
    while True:
        book.left_out({run.task.id for run in runs if run.failure is not None}, reached)
        try:
            return attempt(captured_tables(runs))
        except (TableMissing, TableRefused) as error:
            refused = find(runs, error)
            if refused is None:
                raise
            fail(refused, error)


def find(runs: Sequence[PublishedRun], error: ZcbusError) -> PublishedRun | None:
    """The captured table that an error speaks of."""
    name = error.facts.get("table")
    return next((run for run in runs if run.captured and _same(run.name, name)), None)


def _same(name: TableName, fact: object) -> bool:
    return name == fact or str(name) == str(fact)


def refuse_interrupted(runs: Sequence[PublishedRun], book: CaptureHistory, begun: Collection[str]) -> None:
    """Leave out tables of which changes are missing since their snapshot began; `begun`: whose snapshot has, by id."""
    for run in runs:
        if run.captured and book.interrupted(run.task, run.task.id in begun):
            reason = Reason(code=CAPTURE_INTERRUPTED, facts={"table": str(run.name)})
            run.failure = (PublishState.PUBLISH_FAILED, reason)
