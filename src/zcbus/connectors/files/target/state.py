"""State of a folder: one new file for each commit, `.zcbus/state/NUMBER.json`.

The next number is created only if it is new, so of two commits that follow one state the second is refused. A
commit names the files of its transaction, which lie hidden in `.zcbus/pending` by then; they get their places behind
it, and a session that finds them hidden later gives them the same places.

Old states are deleted from the oldest on. So a session that has created a number, and still finds the one before, was
the first to create it.
"""

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from zcbus.connectors.files.target.folder import OWN, WrittenFolder
from zcbus.connectors.lakes.state_rows import OwnedError, changed
from zcbus.connectors.roles import Checkpoint
from zcbus.connectors.roles.writer import RowErrorChange
from zcbus.connectors.stores.store import UNFINISHED
from zcbus.connectors.writing.decided import ConcurrentCommit, Hold, State
from zcbus.connectors.writing.row_errors import row_error_from_json, row_error_to_json
from zcbus.model.row_errors import RowError

_STATES, _PENDING = f"{OWN}/state", f"{OWN}/pending"
_KEPT = 20
"""States before the newest that are kept."""
_TIDY_EVERY = 100
"""Commits between two looks for what kills have left."""
_ABANDONED_SECONDS = 86_400.0


@dataclass(frozen=True, slots=True)
class FilePart:
    """A file of a transaction. `place`: its name without the number, which stands for `{}`."""

    table: str
    place: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Pending:
    """A file that is decided: where it lies hidden, and its place."""

    table: str
    number: int
    hidden: str
    place: str


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers of a table's files, of which each has one. `last` is less than `first` where it has none."""

    first: int = 1
    last: int = 0


@dataclass(frozen=True, slots=True)
class _Document:
    """A file of the state."""

    state: State = field(default_factory=State)
    pending: tuple[Pending, ...] = ()
    tables: Mapping[str, Range] = field(default_factory=dict)
    errors: tuple[OwnedError, ...] = ()
    id: str = ""
    """Unique id of the state."""


class FolderState:
    """See StateStore: as one session sees it. Errors as WrittenFolder's."""

    def __init__(self, folder: WrittenFolder) -> None:
        self._folder = folder
        self._now = _Document()
        self._commits = 0

    @property
    def pending(self) -> tuple[Pending, ...]:
        """The files of the last transaction, as the state that was read last has them."""
        return self._now.pending

    @property
    def id(self) -> str:
        """Unique id; empty: there is no state yet."""
        return self._now.id

    @property
    def next_number(self) -> int:
        """Number of the next commit."""
        return self._now.state.number + 1

    @property
    def tables(self) -> Collection[str]:
        """Names of tables that were defined once, as the state that was read last has them."""
        return self._now.tables.keys()

    def range(self, table: str) -> Range:
        """A table's files, as the state that was read last has them."""
        return self._now.tables.get(table, Range())

    def prepare(self) -> None:
        if self.read().number:
            return
        self._folder.require_exclusive()
        try:
            self._create(_Document(State(number=1), id=uuid.uuid4().hex))
        except ConcurrentCommit:
            self.read()

    def read(self) -> State:
        while True:
            names = self._names()
            if not names:
                self._now = _Document()
            elif _number(names[-1]) != self._now.state.number:
                data = self._folder.get(names[-1])
                if data is None:
                    continue  # others have committed, and tidied up, meanwhile
                self._now = _parsed(data)
            return self._now.state

    def write(
        self, state: State, parts: Iterable[FilePart] = (), errors: Sequence[RowErrorChange] | None = None
    ) -> State:
        if not state.number:
            self.prepare()
            raise ConcurrentCommit("the state was made")
        now = self._now
        if state.number != now.state.number:
            raise ConcurrentCommit("the state was read again")
        kept = now.errors if errors is None else tuple(changed(now.errors, errors))
        tables, pending = dict(now.tables), list[Pending]()
        try:
            for part in parts:
                pending.append(self._hide(part, tables))
        except BaseException:
            self._discard(pending)
            raise
        # A commit whose answer is lost may still be done later, so its files stay: see _tidy.
        self._create(_Document(replace(state, number=self.next_number), tuple(pending), tables, kept, now.id))
        self._tidy()
        return self._now.state

    def begin(self, table: str) -> None:
        """The table is known, and has none of the files that it has. Raises ConcurrentCommit."""
        if not self._now.state.number:
            self.prepare()
        now, before = self._now, self.range(table)
        tables = {**now.tables, table: Range(before.last + 1, before.last)}
        state = replace(now.state, number=self.next_number)
        self._create(replace(now, state=state, pending=(), tables=tables))

    def row_errors(self, subscription: str) -> list[RowError]:
        return [error for of, error in self._now.errors if of == subscription]

    def _hide(self, part: FilePart, tables: dict[str, Range]) -> Pending:
        before = tables.get(part.table, Range())
        number = before.last + 1
        hidden = f"{_PENDING}/{self.next_number:020}-{uuid.uuid4().hex}"
        self._folder.put(hidden, part.data)
        tables[part.table] = Range(before.first, number)
        return Pending(part.table, number, hidden, part.place.format(f"{number:012}"))

    def _create(self, document: _Document) -> None:
        """Commit. Raises ConcurrentCommit."""
        number = document.state.number
        try:
            self._folder.put(_name(number), _written(document), only_new=True)
        except FileExistsError as error:
            raise ConcurrentCommit(_name(number)) from error
        if number > 1 and self._folder.get(_name(number - 1)) is None:
            self._folder.delete(_name(number))
            raise self._folder.unavailable("others have committed meanwhile")
        self._now = document

    def _names(self) -> list[str]:
        return [one.name for one in self._folder.below(_STATES)]

    def _discard(self, pending: Sequence[Pending]) -> None:
        for one in pending:
            self._folder.delete(one.hidden)

    def _tidy(self) -> None:
        """Delete what no session needs: old states, and files of transactions that can not be decided any more."""
        number = self._now.state.number
        self._commits += 1
        if self._commits % _KEPT == 0:
            for name in self._names():
                if _number(name) < number - _KEPT:
                    self._folder.delete(name)
        if self._commits % _TIDY_EVERY:
            return
        needed = {one.hidden for one in self._now.pending}
        for one in self._folder.below(_PENDING):
            if one.name not in needed and int(one.name.rpartition("/")[2].partition("-")[0]) <= number:
                self._folder.delete(one.name)
        for one in self._folder.below(UNFINISHED):
            if one.changed_at < self._folder.now() - _ABANDONED_SECONDS:
                self._folder.delete(one.name)


def _name(number: int) -> str:
    return f"{_STATES}/{number:020}.json"


def _number(name: str) -> int:
    return int(name.rpartition("/")[2].removesuffix(".json"))


def _written(document: _Document) -> bytes:
    state = document.state
    checkpoints = [[one.subscription, one.name, one.version, one.data] for one in state.checkpoints.values()]
    found = {
        "id": document.id,
        "number": state.number,
        "checkpoints": checkpoints,
        "holds": {name: [one.token, one.until] for name, one in state.holds.items()},
        "pending": [[one.table, one.number, one.hidden, one.place] for one in document.pending],
        "tables": {name: [one.first, one.last] for name, one in document.tables.items()},
        "errors": [[of, row_error_to_json(one).decode()] for of, one in document.errors],
    }
    return orjson.dumps(found)


def _parsed(data: bytes) -> _Document:
    found: dict[str, Any] = orjson.loads(data)
    checkpoints = [Checkpoint(*values) for values in found["checkpoints"]]
    state = State(
        {(one.subscription, one.name): one for one in checkpoints},
        {name: Hold(*values) for name, values in found["holds"].items()},
        number=found["number"],
    )
    return _Document(
        state,
        tuple(Pending(*values) for values in found["pending"]),
        {name: Range(*values) for name, values in found["tables"].items()},
        tuple((of, row_error_from_json(text.encode())) for of, text in found["errors"]),
        found["id"],
    )
