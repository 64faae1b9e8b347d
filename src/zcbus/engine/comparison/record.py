"""Stored record of a comparison on its host: the result, and the rows that differ."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from zcbus.kit.files import write_durably
from zcbus.model.comparison import ComparisonState, Difference, DifferenceKind, RepairState
from zcbus.protocol.base import Reason
from zcbus.protocol.reports import ComparisonReport

MAX_DIFFERENCES = 1_000
"""Rows stored with both sides' values; the others are only counted."""
_MAX_BYTES = 32 << 20
_OWN_FILES = 0o600


@dataclass(frozen=True, slots=True)
class Record:
    """Progress and result of a comparison and of its repair."""

    number: int
    state: ComparisonState = ComparisonState.ALLOWED
    reason: Reason | None = None
    rows_total: int | None = None
    rows_compared: int = 0
    missing: int = 0
    extra: int = 0
    different: int = 0
    unsettled: int = 0
    not_checked: int = 0
    repair: int = 0
    repair_state: RepairState = RepairState.NONE
    repair_reason: Reason | None = None
    repaired: int = 0
    started_at: datetime | None = None
    finished_at: datetime | None = None
    key_names: tuple[str, ...] = ()
    """Columns of the key."""
    keys: tuple[tuple[str, ...], ...] = ()
    """Keys of all rows that differ and were rechecked."""
    differences: tuple[Difference, ...] = ()

    def report(self, identifier: str, at: datetime) -> ComparisonReport:
        """The record as it is reported."""
        fields = {name: getattr(self, name) for name in ComparisonReport.model_fields if hasattr(self, name)}
        return ComparisonReport(table=identifier, at=at, **fields)

    def with_differences(self, found: Mapping[tuple[str, ...], Difference]) -> "Record":
        """With these rows that differ, and no others."""
        kinds = [one.kind for one in found.values()]
        return replace(
            self,
            missing=kinds.count(DifferenceKind.MISSING),
            extra=kinds.count(DifferenceKind.EXTRA),
            different=kinds.count(DifferenceKind.DIFFERENT),
            keys=tuple(found),
            differences=_bounded(found),
        )


def _bounded(found: Mapping[tuple[str, ...], Difference]) -> tuple[Difference, ...]:
    kept: list[Difference] = []
    size = 0
    for one in found.values():
        size += sum(len(value or "") for row in (one.source, one.target) for value in (row or {}).values())
        if len(kept) >= MAX_DIFFERENCES or (kept and size > _MAX_BYTES):
            break
        kept.append(one)
    return tuple(kept)


def folder_of(data_dir: Path, service: str) -> Path:
    """Folder of a service's records."""
    return data_dir / "contrast" / service


def write(folder: Path, identifier: str, record: Record) -> None:
    """Store a record, replacing an older one."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    fields = {**asdict(record), **{name: _plain(getattr(record, name)) for name in ("reason", "repair_reason")}}
    write_durably(folder / f"{identifier}.json", orjson.dumps(fields), _OWN_FILES)


def read(folder: Path, identifier: str) -> Record | None:
    """The stored record; None: there is none."""
    try:
        fields = orjson.loads((folder / f"{identifier}.json").read_bytes())
    except FileNotFoundError:
        return None
    return Record(
        **{
            **fields,
            "state": ComparisonState(fields["state"]),
            "repair_state": RepairState(fields["repair_state"]),
            "reason": _reason(fields["reason"]),
            "repair_reason": _reason(fields["repair_reason"]),
            "started_at": _moment(fields["started_at"]),
            "finished_at": _moment(fields["finished_at"]),
            "key_names": tuple(fields["key_names"]),
            "keys": tuple(tuple(key) for key in fields["keys"]),
            "differences": tuple(_difference(one) for one in fields["differences"]),
        }
    )


def forget(folder: Path, existing: set[str]) -> None:
    """Remove the records of all other comparisons."""
    for path in folder.glob("*.json"):
        if path.stem not in existing:
            path.unlink(missing_ok=True)


def _difference(fields: dict[str, Any]) -> Difference:
    return Difference(
        DifferenceKind(fields["kind"]),
        tuple(fields["key"]),
        fields["source"],
        fields["target"],
        tuple(fields["columns"]),
    )


def _plain(reason: Reason | None) -> object:
    return None if reason is None else reason.model_dump()


def _reason(fields: dict[str, Any] | None) -> Reason | None:
    return None if fields is None else Reason(**fields)


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
