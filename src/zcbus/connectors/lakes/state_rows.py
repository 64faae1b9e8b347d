"""State of a folder of tables as rows of a table of its own.

| part        | kind         | subscription, name   | version        | data                       |
|-------------|--------------|----------------------|----------------|----------------------------|
| `state`     | `checkpoint` | as Checkpoint's      | its version    | its data                   |
| `state`     | `hold`       | what is held         | its end (ms)   | who holds                  |
| `state`     | `sequence`   |                      | last part's    | number of the first part   |
| `pending`   | `part`       | name: the table's    | number         | Part.to_bytes              |
| `row_error` | `row_error`  | name: its id         |                | JSON                       |
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from zcbus.connectors.lakes.parts import Part
from zcbus.connectors.roles import Checkpoint
from zcbus.connectors.roles.writer import RowErrorChange
from zcbus.connectors.writing.decided import Hold, State
from zcbus.connectors.writing.row_errors import row_error_from_json, row_error_to_json
from zcbus.model.row_errors import RowError

STATE, PENDING, ROW_ERROR = "state", "pending", "row_error"
_COLUMNS: "list[pa.Field[Any]]" = [
    pa.field("part", pa.string()),
    pa.field("kind", pa.string()),
    pa.field("subscription", pa.string()),
    pa.field("name", pa.string()),
    pa.field("version", pa.int64()),
    pa.field("data", pa.binary()),
]
SCHEMA = pa.schema(_COLUMNS)
StateRow = tuple[str, str, str, str, int, bytes]
OwnedError = tuple[str, RowError]
"""A row error with its subscription."""


class NumberedParts:
    """Parts as rows, and the error that stopped them: a library would replace it by its own."""

    def __init__(self, parts: Iterable[Part], last: int) -> None:
        """`last`: number of the part before the first."""
        self._parts, self.last = parts, last
        self.failure: Exception | None = None

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        try:
            for part in self._parts:
                self.last += 1
                yield batch_of([(PENDING, "part", "", part.table, self.last, part.to_bytes())])
        except Exception as error:
            self.failure = error
            raise


def state_batch(state: State) -> pa.RecordBatch:
    """The rows of a state, without its parts."""
    rows: list[StateRow] = [(STATE, "sequence", "", "", state.last, str(state.first).encode())]
    for one in state.checkpoints.values():
        rows.append((STATE, "checkpoint", one.subscription, one.name, one.version, one.data.encode()))
    for subscription, hold in state.holds.items():
        rows.append((STATE, "hold", subscription, "", hold.until, hold.token.encode()))
    return batch_of(rows)


def state_of(rows: Iterable[tuple[str, str, str, int, bytes]], number: int) -> State:
    """Inverse of state_batch. `rows`: without the column `part`; `number`: of the commit."""
    checkpoints: dict[tuple[str, str], Checkpoint] = {}
    holds: dict[str, Hold] = {}
    first, last = 1, 0
    for kind, subscription, name, version, data in rows:
        text = data.decode()
        if kind == "checkpoint":
            checkpoints[subscription, name] = Checkpoint(subscription, name, version, text)
        elif kind == "hold":
            holds[subscription] = Hold(text, version)
        else:
            first, last = int(text), version
    return State(checkpoints, holds, first, last, number)


def error_batch(errors: Sequence[OwnedError]) -> pa.RecordBatch:
    """The rows of row errors."""
    return batch_of([(ROW_ERROR, "row_error", of, one.id, 0, row_error_to_json(one)) for of, one in errors])


def errors_of(rows: Iterable[tuple[str, bytes]]) -> list[OwnedError]:
    """Inverse of error_batch, of the columns `subscription` and `data`."""
    return [(of, row_error_from_json(data)) for of, data in rows]


def changed(before: Sequence[OwnedError], changes: Sequence[RowErrorChange]) -> list[OwnedError]:
    """Row errors after changes."""
    found = {(subscription, one.id): one for subscription, one in before}
    for change in changes:
        if change.error is None:
            found.pop((change.subscription, change.id), None)
        else:
            found[change.subscription, change.id] = change.error
    return [(subscription, one) for (subscription, _), one in found.items()]


def batch_of(rows: Sequence[StateRow]) -> pa.RecordBatch:
    """Rows as a batch."""
    arrays = [pa.array(list(values), one.type) for values, one in zip(zip(*rows, strict=True), SCHEMA, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)
