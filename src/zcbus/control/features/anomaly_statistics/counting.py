"""Anomalies counted together, by what the caller asks for."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.alert.kinds import Kind
from zcbus.control.features.alert.owners import PROCESS
from zcbus.control.features.alert.texts import facts_of
from zcbus.control.features.anomaly_statistics.schemas import AnomalyGrouping, AnomalyRecord
from zcbus.control.platform.call import Call
from zcbus.control.platform.reasons import ReasonTexts

_WITH_ROWS = frozenset({Kind.ROW_ERRORS, Kind.DIFFERENCES})

_KEYS: Mapping[AnomalyGrouping, Callable[[Row[Any]], tuple[str, ...]]] = {
    AnomalyGrouping.CLASS: lambda row: (row.kind,),
    AnomalyGrouping.CAUSE: lambda row: (row.kind, row.cause),
    AnomalyGrouping.OBJECT: lambda row: (row.kind, row.subject),
}


def count(call: Call, rows: Iterable[Row[Any]], by: AnomalyGrouping) -> list[AnomalyRecord]:
    """The records of a grouping, the most frequent first."""
    groups: dict[tuple[str, ...], list[Row[Any]]] = defaultdict(list)
    for row in rows:
        groups[_KEYS[by](row)].append(row)
    texts = ReasonTexts.of(call)
    records = [_record(call, texts, key, together, by) for key, together in groups.items()]
    return sorted(records, key=lambda record: (-record.occurrences, record.kind, record.id))


def _record(
    call: Call, texts: ReasonTexts, key: tuple[str, ...], rows: Sequence[Row[Any]], by: AnomalyGrouping
) -> AnomalyRecord:
    newest = max(rows, key=lambda row: row.last_at)
    facts = facts_of(newest)
    is_object = by is AnomalyGrouping.OBJECT
    has_cause = by is not AnomalyGrouping.CLASS
    return AnomalyRecord(
        id=" ".join(key),
        kind=newest.kind,
        kind_name=call.text(f"alert-kind.{newest.kind}"),
        cause=newest.cause if by is AnomalyGrouping.CAUSE else None,
        cause_text=texts.text(newest.cause, newest.reason["facts"]) if has_cause and newest.reason else "",
        object=_object(facts) if is_object else "",
        link_name=facts.get("link", "") if is_object else "",
        link_id=newest.link_id if is_object else None,
        task_id=newest.task_id if is_object else None,
        customer_id=newest.customer_id if is_object else None,
        client_type="databus" if facts["owner"] == PROCESS else "client",
        occurrences=sum(row.occurrences for row in rows),
        open=sum(row.open for row in rows),
        rows=sum(int(row.rows or 0) for row in rows) if newest.kind in _WITH_ROWS else None,
        first_at=min(row.first_at for row in rows),
        last_at=max(row.last_at for row in rows),
    )


def _object(facts: Mapping[str, str]) -> str:
    """The table, the tables, or the service that it happened to."""
    return facts.get("table") or facts.get("tables") or facts.get("service") or facts.get("link", "")
