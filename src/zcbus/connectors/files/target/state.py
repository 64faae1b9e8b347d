"""State of a folder: one new file for each commit, `.zcbus/state/NUMBER.json`.

The next number is created only if it is new, so of two commits that follow one state the second is refused. A
commit names the files of its transaction, which lie hidden in `.zcbus/pending` by then; they get their places behind
it, and a session that finds them hidden later gives them the same places.

Where tables are kept as their current rows, a commit also names the files that it replaces. They stay for as long as
readers may need them, and a later commit deletes them.

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
from zcbus.connectors.roles.writer import Key, RowErrorChange, Value
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
class Span:
    """What a file of current rows holds."""

    folder: str
    """Of its partition, within the table's: see Partitions."""
    first: Key
    last: Key
    rows: int
    bytes: int
    """Before encoding and compression."""


@dataclass(slots=True)
class FilePart:
    """A file of a transaction. `place`: its name without the number, which stands for `{}`; `span`: of current rows."""

    table: str
    place: str
    data: bytes
    span: Span | None = None
    number: int = 0
    """Set once it lies hidden."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """A file of current rows that counts no more, from an earlier commit or a part before this one."""

    table: str
    number: int


Part = FilePart | Replacement


@dataclass(frozen=True, slots=True)
class CurrentFile:
    """A file of a table's current rows."""

    number: int
    place: str
    span: Span


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
    current: Mapping[str, tuple[CurrentFile, ...]] = field(default_factory=dict)
    """By table: the files of its current rows."""
    retired: tuple[tuple[str, float], ...] = ()
    """Places of files that were replaced, and since when (seconds since 1970 by the store's clock)."""
    changed: tuple[str, ...] = ()
    """Tables whose current rows the commit has changed."""


@dataclass(slots=True)
class _Changes:
    """What one commit does to files."""

    tables: dict[str, Range]
    current: dict[str, dict[int, CurrentFile]]
    pending: list[Pending] = field(default_factory=list)
    retired: list[str] = field(default_factory=list)
    changed: set[str] = field(default_factory=set)


class FolderState:
    """See StateStore: as one session sees it. Errors as WrittenFolder's."""

    def __init__(self, folder: WrittenFolder, retention: float) -> None:
        """`retention`: seconds for which replaced files stay."""
        self._folder, self._retention = folder, retention
        self._now = _Document()
        self._hidden: list[Pending] = []
        """Of the commit that is being made."""
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

    def current(self, table: str) -> tuple[CurrentFile, ...]:
        """The files of a table's current rows, as the state that was read last has them."""
        return self._now.current.get(table, ())

    @property
    def changed(self) -> Collection[str]:
        """Tables whose current rows the last commit has changed."""
        return self._now.changed

    def read_hidden(self, number: int, table: str) -> bytes:
        """A file of the commit that is being made. Raises TargetUnavailable."""
        hidden = next(one.hidden for one in self._hidden if (one.table, one.number) == (table, number))
        data = self._folder.get(hidden)
        if data is None:
            raise self._folder.unavailable(f"{hidden} is gone")
        return data

    def is_newest(self) -> bool:
        """Whether no state follows the one that was read last."""
        names = self._names()
        return not names or _number(names[-1]) == self._now.state.number

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

    def write(self, state: State, parts: Iterable[Part] = (), errors: Sequence[RowErrorChange] | None = None) -> State:
        if not state.number:
            self.prepare()
            raise ConcurrentCommit("the state was made")
        now = self._now
        if state.number != now.state.number:
            raise ConcurrentCommit("the state was read again")
        kept = now.errors if errors is None else tuple(changed(now.errors, errors))
        current = {table: {one.number: one for one in files} for table, files in now.current.items()}
        changes = _Changes(dict(now.tables), current)
        self._hidden = changes.pending
        try:
            for part in parts:
                if isinstance(part, Replacement):
                    self._replace(part, changes)
                else:
                    self._hide(part, changes)
        except BaseException:
            self._discard(changes.pending)
            raise
        # A commit whose answer is lost may still be done later, so its files stay: see _tidy.
        self._create(
            _Document(
                replace(state, number=self.next_number),
                tuple(changes.pending),
                changes.tables,
                kept,
                now.id,
                {table: tuple(files.values()) for table, files in changes.current.items()},
                self._still_retired(changes.retired),
                tuple(sorted(changes.changed)),
            )
        )
        self._tidy()
        return self._now.state

    def begin(self, table: str) -> None:
        """The table is known, and has none of the files that it has. Raises ConcurrentCommit."""
        if not self._now.state.number:
            self.prepare()
        now, before = self._now, self.range(table)
        tables = {**now.tables, table: Range(before.last + 1, before.last)}
        state = replace(now.state, number=self.next_number)
        retired = self._still_retired([one.place for one in self.current(table)])
        current = {**now.current, table: ()}
        document = replace(now, state=state, pending=(), tables=tables, current=current, retired=retired)
        self._create(replace(document, changed=(table,)))

    def row_errors(self, subscription: str) -> list[RowError]:
        return [error for of, error in self._now.errors if of == subscription]

    def _hide(self, part: FilePart, changes: _Changes) -> None:
        before = changes.tables.get(part.table, Range())
        part.number = before.last + 1
        hidden = f"{_PENDING}/{self.next_number:020}-{uuid.uuid4().hex}"
        self._folder.put(hidden, part.data)
        changes.tables[part.table] = Range(before.first, part.number)
        place = part.place.format(f"{part.number:012}")
        changes.pending.append(Pending(part.table, part.number, hidden, place))
        if part.span is not None:
            changes.current.setdefault(part.table, {})[part.number] = CurrentFile(part.number, place, part.span)
            changes.changed.add(part.table)

    def _replace(self, part: Replacement, changes: _Changes) -> None:
        gone = changes.current[part.table].pop(part.number)
        changes.changed.add(part.table)
        own = [one for one in changes.pending if (one.table, one.number) == (part.table, part.number)]
        self._discard(own)
        changes.pending[:] = [one for one in changes.pending if one not in own]
        if not own:
            changes.retired.append(gone.place)

    def _still_retired(self, more: Sequence[str]) -> tuple[tuple[str, float], ...]:
        """Deletes what no reader needs any more. A file that is deleted is not in the state that follows; where there
        comes none, its deletion is tried again."""
        if not (self._now.retired or more):
            return ()
        now = self._folder.now()
        kept = []
        for place, since in self._now.retired:
            if since + self._retention < now:
                self._folder.delete(place)
            else:
                kept.append((place, since))
        return (*kept, *((place, now) for place in more))

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
        "current": {table: [_file_to_json(one) for one in files] for table, files in document.current.items()},
        "retired": document.retired,
        "changed": document.changed,
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
        {table: tuple(_file(one) for one in files) for table, files in found.get("current", {}).items()},
        tuple((place, since) for place, since in found.get("retired", ())),
        tuple(found.get("changed", ())),
    )


def _file_to_json(file: CurrentFile) -> list[object]:
    span = file.span
    keys = [[plain_value(one) for one in key] for key in (span.first, span.last)]
    return [file.number, file.place, span.folder, *keys, span.rows, span.bytes]


def _file(found: list[Any]) -> CurrentFile:
    number, place, folder, first, last, rows, size = found
    first, last = (tuple(value_of(one) for one in key) for key in (first, last))
    return CurrentFile(number, place, Span(folder, first, last, rows, size))


def plain_value(value: Value) -> object:
    """A value for JSON, which has no bytes: they are a list of their digits."""
    return [value.hex()] if isinstance(value, bytes) else value


def value_of(found: object) -> Any:
    """Inverse of plain_value."""
    return bytes.fromhex(found[0]) if isinstance(found, list) else found
