"""State of a namespace, in a table of its own there (`zcbus_state`).

| what                                       | where                                                             |
|--------------------------------------------|-------------------------------------------------------------------|
| number of the commit, checkpoints, holds   | property `zcbus.state`, as JSON                                   |
| pending parts: number, table, file         | property `zcbus.parts`; each part is a row of a file of its own   |
| row errors                                 | property `zcbus.errors` names their files                         |

The three change with the files in one commit that is never tried again: of two that begin at the same snapshot, the
catalogue refuses the second. So a transaction over several tables is decided by one commit here; the parts are applied
to each table at most once. Rows are those of lakes.state_rows.
"""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pyarrow as pa
from pyiceberg.manifest import DataFile
from pyiceberg.table import FileScanTask, Table

from zcbus.connectors.iceberg.catalogue import OWN, LakeCatalogue
from zcbus.connectors.iceberg.committing import read, replace_files, written
from zcbus.connectors.iceberg.tidying import tidy
from zcbus.connectors.lakes.parts import Part
from zcbus.connectors.lakes.state_rows import SCHEMA, OwnedError, batch_of, changed, error_batch, errors_of
from zcbus.connectors.roles import Checkpoint
from zcbus.connectors.roles.writer import RowErrorChange
from zcbus.connectors.writing.decided import ConcurrentCommit, Hold, State
from zcbus.model.row_errors import RowError

_ID, _STATE, _PARTS, _ERRORS = "zcbus.id", "zcbus.state", "zcbus.parts", "zcbus.errors"
_TIDY_EVERY = 200
"""Commits between two deletions of what no state needs any more."""
_KEPT = timedelta(hours=1)


class StateTable:
    """The table, as one session sees it; see LakeState. Raises as LakeCatalogue."""

    def __init__(self, catalogue: LakeCatalogue) -> None:
        self._catalogue = catalogue
        self._table: Table | None = None
        self._commits = 0

    def prepare(self) -> None:
        if self._catalogue.open(OWN) is None:
            self._catalogue.create(OWN, SCHEMA, {_ID: uuid.uuid4().hex})

    @property
    def id(self) -> str:
        return self._there().properties[_ID]

    def read(self) -> State:
        table = self._there()
        with self._catalogue.translated():
            table.refresh()
        return _state(table.properties.get(_STATE, ""))

    def part(self, number: int) -> Part:
        table = self._there()
        files = {one: (name, path) for one, name, path in _json(table.properties.get(_PARTS, ""))}
        name, path = files[number]
        with self._catalogue.translated():
            (task,) = (one for one in _tasks(table) if one.file.file_path == path)
            (data,) = _values(read(table, task, ["data"]), "data")
        return Part.of_bytes(name, data)

    def row_errors(self, subscription: str) -> list[RowError]:
        return [error for of, error in self._row_errors() if of == subscription]

    def write(self, state: State, parts: Iterable[Part] = (), errors: Sequence[RowErrorChange] | None = None) -> State:
        table = self._there()
        if _state(table.properties.get(_STATE, "")).number != state.number:
            raise ConcurrentCommit("the state is not the one that was read last")
        kept = None if errors is None else changed(self._row_errors(), errors)
        with self._catalogue.translated(), table.transaction() as transaction:
            before, error_paths = _tasks(table), set(_json(table.properties.get(_ERRORS, "")))
            gone = [one.file for one in before if kept is not None or one.file.file_path not in error_paths]
            added: list[DataFile] = []
            listed: list[tuple[int, str, str]] = []
            for number, part in enumerate(parts, state.last + 1):
                (file,) = written(transaction, table, _rows(batch_of([_row(part, number)])))
                listed.append((number, part.table, file.file_path))
                added.append(file)
            after = replace(state, first=state.last + 1, last=state.last + len(listed), number=state.number + 1)
            properties = {_STATE: _text(after), _PARTS: orjson.dumps(listed).decode()}
            if kept is not None:
                own = written(transaction, table, _rows(error_batch(kept))) if kept else []
                properties[_ERRORS] = orjson.dumps([one.file_path for one in own]).decode()
                added += own
            transaction.set_properties(properties)
            replace_files(transaction, table, gone, added)
        self._tidy(table)
        return after

    def _row_errors(self) -> list[OwnedError]:
        """All row errors."""
        table = self._there()
        paths = set(_json(table.properties.get(_ERRORS, "")))
        if not paths:
            return []
        with self._catalogue.translated():
            tasks = [one for one in _tasks(table) if one.file.file_path in paths]
            found = pa.concat_tables(read(table, one, ["subscription", "data"]) for one in tasks)
        return errors_of(zip(_values(found, "subscription"), _values(found, "data"), strict=True))

    def _there(self) -> Table:
        if self._table is None:
            self.prepare()
            self._table = self._catalogue.open(OWN)
            assert self._table is not None
        return self._table

    def _tidy(self, table: Table) -> None:
        """Remove old states, which no reader needs."""
        self._commits += 1
        if self._commits % _TIDY_EVERY == 0:
            with self._catalogue.translated():
                tidy(table, self._catalogue.files, datetime.now(UTC) - _KEPT)


def _tasks(table: Table) -> list[FileScanTask]:
    return list(table.scan().plan_files())


def _row(part: Part, number: int) -> tuple[str, str, str, str, int, bytes]:
    return "pending", "part", "", part.table, number, part.to_bytes()


def _values(rows: pa.Table, name: str) -> list[Any]:
    return rows.column(name).to_pylist()


def _rows(batch: pa.RecordBatch) -> pa.Table:
    return pa.Table.from_batches([batch])


def _text(state: State) -> str:
    document = {
        "number": state.number,
        "first": state.first,
        "last": state.last,
        "checkpoints": [[one.subscription, one.name, one.version, one.data] for one in state.checkpoints.values()],
        "holds": [[subscription, hold.token, hold.until] for subscription, hold in state.holds.items()],
    }
    return orjson.dumps(document).decode()


def _state(text: str) -> State:
    if not text:
        return State()
    found = orjson.loads(text)
    checkpoints = [Checkpoint(*one) for one in found["checkpoints"]]
    return State(
        {(one.subscription, one.name): one for one in checkpoints},
        {subscription: Hold(token, until) for subscription, token, until in found["holds"]},
        found["first"],
        found["last"],
        found["number"],
    )


def _json(text: str) -> Any:
    return orjson.loads(text) if text else []
