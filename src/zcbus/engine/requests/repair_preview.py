"""What a repair would write now, as statements: the repair's own reads without its writes."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow as pa

from zcbus.connectors.roles import RowStatements, TargetSession
from zcbus.engine.comparison import record as records
from zcbus.engine.comparison.ends import Ends, source_of
from zcbus.engine.comparison.recheck import find_differences
from zcbus.engine.comparison.repair import LOADED, quarantined_keys
from zcbus.engine.comparison.rows import Key
from zcbus.engine.comparison.sides import Plan, SourceSide, TargetSide, key_rows
from zcbus.engine.comparison.watermark import applied_up_to
from zcbus.engine.connections import Connectors
from zcbus.engine.reasons import TABLE_NOT_LOADED, TableStopped
from zcbus.engine.requests.differences import ResultElsewhere
from zcbus.engine.subscribe.checkpoints.records import TableCheckpoint
from zcbus.engine.transform.shapes import Shapes
from zcbus.kit.errors import TerminalError
from zcbus.model.comparison import DifferenceKind
from zcbus.protocol.comparison_requests import PreviewRepair, RepairPreview, RepairStatement
from zcbus.protocol.tasks import WantedComparison

_MAX_CHARACTERS = 4 << 20


class StatementsUnknown(TerminalError):
    """This kind of target spells no statements of its rows. Facts: kind."""

    code = "repair-statements-unknown"


def preview_repair(request: PreviewRepair, data_dir: Path, connectors: Connectors) -> RepairPreview:
    """Raises ResultElsewhere, StatementsUnknown, TableStopped, RowRefused, TransientError."""
    task = request.task
    (requested,) = task.comparisons
    record = records.read(records.folder_of(data_dir, task.service), requested.id)
    if record is None or record.number != requested.number:
        raise ResultElsewhere
    ends = Ends.of(connectors, task.source, task.target, Shapes(task.mask_key.get_secret_value()))
    target = ends.target()
    if not isinstance(target, RowStatements):
        raise StatementsUnknown(kind=task.target.kind)
    keys = record.keys[: request.limit]
    with target.open() as session:
        session.prepare_store()
        checkpoint = _checkpoint(session, requested)
        plan = ends.plan(requested.table, checkpoint)
        quarantined = quarantined_keys(plan, session, requested.subscription, requested.table.id)
        session.rollback()
    writable = [key for key in keys if key not in quarantined]
    with ends.source_reader() as source, ends.target_reader() as existing:
        found = _statements(target, plan, SourceSide(plan, source), TargetSide(plan, existing), writable)
    kept = _bounded(found)
    return RepairPreview(
        settings=target.statement_settings,
        statements=tuple(kept),
        examined=len(keys),
        total=len(record.keys),
        cut=len(kept) < len(found),
    )


def _checkpoint(session: TargetSession, requested: WantedComparison) -> TableCheckpoint:
    checkpoints = {one.name: one.data for one in session.checkpoints(requested.subscription)}
    checkpoint, _ = applied_up_to(checkpoints, requested.table.id)
    if checkpoint is None or checkpoint.phase not in LOADED:
        raise TableStopped(TABLE_NOT_LOADED, table=source_of(requested.table))
    return checkpoint


def _statements(
    target: RowStatements, plan: Plan, source: SourceSide, existing: TargetSide, keys: Sequence[Key]
) -> list[RepairStatement]:
    """In the order of Repair: deletions first, so that no unique value is in the way."""
    if not keys:
        return []
    table, rows = plan.mapped.table, source.find(keys)
    differences = find_differences(plan, rows, existing.find(keys), keys)
    by_kind = {kind: [key for key, one in differences.items() if one.kind is kind] for kind in DifferenceKind}
    at = {rows.key(index): index for index in range(len(rows))}

    def taken(kind: DifferenceKind) -> pa.RecordBatch:
        return rows.rows.take(pa.array([at[key] for key in by_kind[kind]], pa.int64()))

    spell: dict[DifferenceKind, Callable[[], list[str]]] = {
        DifferenceKind.EXTRA: lambda: target.delete_statements(
            table, plan.target, key_rows(plan, by_kind[DifferenceKind.EXTRA])
        ),
        DifferenceKind.DIFFERENT: lambda: target.update_statements(table, plan.target, taken(DifferenceKind.DIFFERENT)),
        DifferenceKind.MISSING: lambda: target.insert_statements(table, plan.target, taken(DifferenceKind.MISSING)),
    }
    return [
        RepairStatement(kind=kind, key=key, statement=statement)
        for kind, statements in spell.items()
        if by_kind[kind]
        for key, statement in zip(by_kind[kind], statements(), strict=True)
    ]


def _bounded(statements: Sequence[RepairStatement]) -> list[RepairStatement]:
    kept, size = list[RepairStatement](), 0
    for one in statements:
        size += len(one.statement)
        if size > _MAX_CHARACTERS and kept:
            break
        kept.append(one)
    return kept
