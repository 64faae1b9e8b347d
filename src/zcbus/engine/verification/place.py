"""How far the verification of a table is, as this host keeps it over restarts."""

from dataclasses import asdict, dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from zcbus.kit.files import write_durably

_OWN_FILES = 0o600
_MOMENTS = ("verified_until", "began_at", "finished_at", "turned_at")


@dataclass(frozen=True, slots=True)
class Place:
    """Of one generation of a table."""

    generation: int
    key: tuple[str, ...] = ()
    """Names of the key's columns, by which `behind` is a place."""
    behind: tuple[str, ...] = ()
    """The pass under way has proved all rows up to this key (canonical text); (): none yet."""
    began_at: datetime | None = None
    """Of the pass under way; None: none is."""
    finished_at: datetime | None = None
    """End of the last pass; None: one is under way, or there was none."""
    turned_at: datetime | None = None
    verified_until: datetime | None = None
    pass_rows: int = 0
    rows_total: int | None = None
    unsettled: int = 0
    pass_unsettled: int = 0
    pass_clean: bool = True
    """No row differed that the pass under way looked at."""
    serves: int = 0
    """Number of the request that the pass under way is to fulfil."""
    asked: int = 0
    repair: int = 0
    repaired: int = 0


def folder_of(data_dir: Path, service: str) -> Path:
    """Where a service keeps its places."""
    return data_dir / "verification" / service


def write(folder: Path, table: str, place: Place) -> None:
    """Keep a place instead of an older one."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_durably(folder / f"{table}.json", orjson.dumps(asdict(place)), _OWN_FILES)


def read(folder: Path, table: str) -> Place | None:
    """The place as it was kept; None: there is none, or one of another version of this program."""
    try:
        kept = orjson.loads((folder / f"{table}.json").read_bytes())
    except FileNotFoundError:
        return None
    if set(kept) != {one.name for one in fields(Place)}:
        return None
    return Place(**{**kept, **_lists(kept), **{name: _moment(kept[name]) for name in _MOMENTS}})


def forget(folder: Path, wanted: set[str]) -> None:
    """Remove the places of all other tables."""
    for path in folder.glob("*.json"):
        if path.stem not in wanted:
            path.unlink(missing_ok=True)


def _lists(kept: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(kept[name]) for name in ("key", "behind")}


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
