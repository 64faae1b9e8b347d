"""Stored progress of a table's verification, kept on this host over restarts."""

from dataclasses import asdict, dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from zcbus.kit.files import write_durably

_OWN_FILES = 0o600
_MOMENTS = ("verified_until", "began_at", "finished_at", "turned_at")


@dataclass(frozen=True, slots=True)
class PassProgress:
    """Progress of verification passes over one generation of a table."""

    generation: int
    key: tuple[str, ...] = ()
    """Names of the key's columns, to which `behind` belongs."""
    behind: tuple[str, ...] = ()
    """The current pass has checked all rows up to this key (canonical text); (): none yet."""
    began_at: datetime | None = None
    """Start of the current pass; None: there is none."""
    finished_at: datetime | None = None
    """End of the last pass; None: a pass is under way, or there was none."""
    turned_at: datetime | None = None
    verified_until: datetime | None = None
    pass_rows: int = 0
    rows_total: int | None = None
    unsettled: int = 0
    pass_unsettled: int = 0
    pass_clean: bool = True
    """The current pass has found no row that differs."""
    serves: int = 0
    """Number of the request that the current pass fulfils."""
    asked: int = 0
    repair: int = 0
    repaired: int = 0


def folder_of(data_dir: Path, service: str) -> Path:
    """Folder of a service's stored progress."""
    return data_dir / "verification" / service


def write(folder: Path, table: str, progress: PassProgress) -> None:
    """Store progress, replacing older."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_durably(folder / f"{table}.json", orjson.dumps(asdict(progress)), _OWN_FILES)


def read(folder: Path, table: str) -> PassProgress | None:
    """The stored progress; None: there is none, or another version of this program wrote it."""
    try:
        kept = orjson.loads((folder / f"{table}.json").read_bytes())
    except FileNotFoundError:
        return None
    if set(kept) != {one.name for one in fields(PassProgress)}:
        return None
    return PassProgress(**{**kept, **_lists(kept), **{name: _moment(kept[name]) for name in _MOMENTS}})


def forget(folder: Path, existing: set[str]) -> None:
    """Remove the stored progress of all other tables."""
    for path in folder.glob("*.json"):
        if path.stem not in existing:
            path.unlink(missing_ok=True)


def _lists(kept: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(kept[name]) for name in ("key", "behind")}


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
