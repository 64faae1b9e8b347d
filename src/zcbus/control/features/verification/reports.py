"""Reports of subscribe services about the verification of their tables."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.verification import repository
from zcbus.protocol.reports import SyncTableReport

_NAMES = ("verified_until", "pass_rows", "rows_total", "missing", "extra", "different", "capped", "unsettled")


def save_reports(
    connection: Connection, own_services: Iterable[str], reports: Mapping[str, Sequence[SyncTableReport]]
) -> None:
    """Store reports of services (by id) about their tables, where something changed."""
    own = [service for service in own_services if service in reports]
    newest = {one.table: one for service in own for one in reports[service] if one.verification is not None}
    if not newest:
        return
    known = repository.select_reported(connection, newest.keys())
    changed = {table: _values(report, known.get(table)) for table, report in newest.items()}
    changed = {table: values for table, values in changed.items() if values and _differs(values, known.get(table))}
    if not changed:
        return
    known_ids = repository.tables_of_services(connection, own, changed.keys())
    fresh = [{"table_id": table, **values} for table, values in changed.items() if table in known_ids - known.keys()]
    repository.insert(connection, fresh)
    for table in sorted(changed.keys() & known.keys() & known_ids):
        repository.change(connection, table, changed[table])
    repository.mark(connection, changed.keys() & known_ids)


def _values(report: SyncTableReport, known: Row[Any] | None) -> dict[str, Any]:
    reported = report.verification
    assert reported is not None
    values = {
        **{name: getattr(reported, name) for name in _NAMES},
        "asked": reported.asked,
        "reported_repair": reported.repair,
        "repaired": reported.repaired,
        "reason": reported.reason.model_dump() if reported.reason else None,
        "generation": report.generation,
        "differences": reported.missing + reported.extra + reported.different,
    }
    if known is not None and known.generation == report.generation:
        values = _with_what_holds(values, known)
    since = known.differences_since if known is not None else None
    values["differences_since"] = (since or report.at) if values["differences"] else None
    return {**values, "reported_at": report.at}


def _with_what_holds(values: dict[str, Any], known: Row[Any]) -> dict[str, Any]:
    """A host that has just begun knows neither until when the table was verified nor what differed. Both values stay
    until it has read the complete table."""
    begun = values["rows_total"] is None and known.rows_total is not None
    kept: dict[str, Any] = {}
    if values["verified_until"] is None:
        kept["verified_until"] = known.verified_until
    if begun and not values["differences"]:
        kept |= {name: getattr(known, name) for name in ("missing", "extra", "different", "differences")}
    return {**values, **kept}


def _differs(values: Mapping[str, Any], known: Row[Any] | None) -> bool:
    reported = {name: value for name, value in values.items() if name != "reported_at"}
    return known is None or any(getattr(known, name) != value for name, value in reported.items())
