"""Rows that differ, from the record of a comparison on this host."""

from pathlib import Path

from zcbus.engine.comparison import record as records
from zcbus.kit.errors import TerminalError
from zcbus.model.comparison import Difference
from zcbus.protocol.comparison_requests import DifferenceLines, ListDifferences


class ResultElsewhere(TerminalError):
    """This host does not have the comparison's result: it was made on another one, or is gone. No facts."""

    code = "comparison-elsewhere"


def list_differences(request: ListDifferences, data_dir: Path) -> DifferenceLines:
    """A page of the rows that differ, in the order of the key. Raises ResultElsewhere."""
    record = records.read(records.folder_of(data_dir, request.service), request.comparison)
    if record is None:
        raise ResultElsewhere
    found = [one for one in record.differences if _is_selected(one, request)]
    first = next(iter(record.differences), None)
    names = tuple((first.source or first.target or {}) if first is not None else ())
    part = found[request.offset : request.offset + request.limit]
    return DifferenceLines(columns=names, key=record.key_names, lines=tuple(part), total=len(found))


def _is_selected(one: Difference, request: ListDifferences) -> bool:
    if request.kinds and one.kind not in request.kinds:
        return False
    return any(request.search.lower() in value.lower() for value in one.key)
