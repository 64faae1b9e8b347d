"""Application of actions to a table's layout, in steps that identify every column.

Between two steps a renamed column carries its `former` name, and a name that exists before and after is the same
column: actions that drop a column and add one, or reuse a name, take several steps.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from zcbus.connectors.mysql.binlog.tables import ColumnLayout
from zcbus.connectors.mysql.catalog.layout import PRIMARY, IndexLayout, TableLayout, assembled
from zcbus.connectors.mysql.connection.session import ServerVersion
from zcbus.connectors.mysql.statements.actions import (
    Action,
    AddColumn,
    AddKey,
    ChangeColumn,
    ColumnPosition,
    Definition,
    DropColumn,
    DropKey,
    RenameColumn,
    RenameKey,
    SetCharset,
    SetComment,
    SetDefault,
)
from zcbus.connectors.mysql.statements.declared import charset_of, declared, stored_default
from zcbus.connectors.mysql.statements.tokens import NotUnderstood
from zcbus.model.schema import IndexPart
from zcbus.model.types import Kind


@dataclass(frozen=True, slots=True)
class Step:
    """A table's layout, and the columns by which its rows are known."""

    layout: TableLayout
    key: tuple[str, ...]


def steps(before: Step, actions: Sequence[Action], version: ServerVersion) -> list[Step]:
    """The layouts in order; the last one is the statement's result. Raises NotUnderstood."""
    table = _Table(before, version)
    for action in actions:
        table.apply(action)
    return table.finished()


class _Table:
    def __init__(self, before: Step, version: ServerVersion) -> None:
        self._before, self._version = before, version
        self._comment, self._charset = before.layout.schema.comment, before.layout.charset
        self._indexes = list(before.layout.indexes)
        self._key = before.key
        self._steps: list[Step] = []
        self._begin(before.layout.columns)

    def apply(self, action: Action) -> None:
        _EFFECTS[type(action)](self, action)

    def finished(self) -> list[Step]:
        """All steps."""
        self._close()
        return self._steps

    def _begin(self, columns: Iterable[ColumnLayout]) -> None:
        self._columns = [_with(one, former="") for one in columns]
        self._names = {one.column.name.lower() for one in self._columns}
        """At the start of the step, with all columns added or removed in it."""
        self._added = self._dropped = False

    def _close(self) -> None:
        name = self._before.layout.schema.name
        layout = assembled(name, self._columns, self._indexes, self._charset, self._comment)
        self._steps.append(Step(layout, self._key))
        self._begin(self._columns)

    def _index_of(self, name: str) -> int:
        for place, one in enumerate(self._columns):
            if one.column.name.lower() == name.lower():
                return place
        return -1

    def _existing(self, name: str, if_exists: bool) -> int:
        place = self._index_of(name)
        if place < 0 and not if_exists:
            raise NotUnderstood(f"no column {name} is known")
        return place

    def _add(self, action: AddColumn) -> None:
        definition = action.definition
        if self._index_of(definition.name) >= 0:
            if action.if_missing:
                return
            raise NotUnderstood(f"a column {definition.name} is known already")
        if self._dropped or definition.name.lower() in self._names:
            self._close()
        column = declared(definition, self._charset, self._version)
        self._columns.insert(self._destination(action.place, len(self._columns)), column)
        self._names.add(definition.name.lower())
        self._added = True
        self._keys_of(definition)

    def _drop(self, action: DropColumn) -> None:
        place = self._existing(action.name, action.if_exists)
        if place < 0:
            return
        if self._added:
            self._close()
        name = self._columns.pop(place).column.name
        self._dropped = True
        if name in self._key:
            raise NotUnderstood(f"the key's column {name} is dropped")
        parts = [replace(i, parts=tuple(part for part in i.parts if part.column != name)) for i in self._indexes]
        self._indexes = [index for index in parts if index.columns]

    def _change(self, action: ChangeColumn) -> None:
        place = self._existing(action.name, action.if_exists)
        if place < 0:
            return
        definition = action.definition
        old = self._columns[place].column.name
        if definition.name.lower() != old.lower():
            place = self._renamed(place, definition.name)
        former = self._columns[place].column.former
        column = _with(declared(definition, self._charset, self._version), former=former)
        if any(definition.name in index.columns for index in self._indexes if index.name == PRIMARY):
            column = _with(column, nullable=False)
        del self._columns[place]
        self._columns.insert(self._destination(action.place, place), column)
        self._keys_of(definition)

    def _rename(self, action: RenameColumn) -> None:
        place = self._existing(action.name, action.if_exists)
        if place >= 0:
            self._renamed(place, action.new)

    def _renamed(self, place: int, new: str) -> int:
        old = self._columns[place].column.name
        if self._index_of(new) >= 0 and self._index_of(new) != place:
            raise NotUnderstood(f"columns exchange the name {new}")
        if self._columns[place].column.former or new.lower() in self._names:
            self._close()
        self._columns[place] = _with(self._columns[place], name=new, former=old)
        self._names.add(new.lower())
        self._key = tuple(new if name == old else name for name in self._key)
        self._indexes = [
            replace(i, parts=tuple(replace(p, column=new) if p.column == old else p for p in i.parts))
            for i in self._indexes
        ]
        return place

    def _set_default(self, action: SetDefault) -> None:
        place = self._existing(action.name, action.if_exists)
        if place >= 0:
            default = stored_default(action.default, self._columns[place].column.type)
            self._columns[place] = _with(self._columns[place], default=default)

    def _destination(self, place: ColumnPosition | None, otherwise: int) -> int:
        if place is None:
            return otherwise
        return self._existing(place.after, False) + 1 if place.after else 0

    def _keys_of(self, definition: Definition) -> None:
        if definition.primary:
            self._add_key(AddKey(PRIMARY, (IndexPart(definition.name),)))
        if definition.unique:
            self._add_key(AddKey("", (IndexPart(definition.name),)))

    def _add_key(self, action: AddKey) -> None:
        parts = tuple(self._part(part) for part in action.parts)
        columns = tuple(part.column for part in parts)
        name = action.name or self._free_name(columns[0] if columns else "index")
        existing = [index for index in self._indexes if index.name.lower() == name.lower()]
        if existing and action.if_missing:
            return
        if any(index.unique for index in existing):
            raise NotUnderstood(f"an index {name} is known already")
        # One that is not unique may have vanished by itself: the server created it for a foreign key.
        self._indexes = [index for index in self._indexes if index not in existing]
        self._indexes.append(IndexLayout(name, parts, action.unique, action.computed))
        if name == PRIMARY:
            for column in columns:
                place = self._index_of(column)
                self._columns[place] = _with(self._columns[place], nullable=False)

    def _part(self, part: IndexPart) -> IndexPart:
        """With the column's name as the table spells it, and no length if it covers the complete value."""
        column = self._columns[self._existing(part.column, False)].column
        sized = column.type.kind in (Kind.TEXT, Kind.BINARY) and column.type.length
        length = None if part.length is not None and part.length == sized else part.length
        return replace(part, column=column.name, length=length)

    def _free_name(self, first: str) -> str:
        taken = {index.name.lower() for index in self._indexes}
        names = (first if number == 1 else f"{first}_{number}" for number in range(1, len(taken) + 3))
        return next(name for name in names if name.lower() not in taken)

    def _drop_key(self, action: DropKey) -> None:
        """Not all indexes are known (full text, foreign keys' own): their going changes nothing."""
        self._indexes = [index for index in self._indexes if index.name.lower() != action.name.lower()]

    def _rename_key(self, action: RenameKey) -> None:
        self._indexes = [
            replace(index, name=action.new) if index.name.lower() == action.name.lower() else index
            for index in self._indexes
        ]

    def _set_comment(self, action: SetComment) -> None:
        self._comment = action.text

    def _set_charset(self, action: SetCharset) -> None:
        charset = action.charset or (charset_of(action.collation, self._charset) if action.collation else "")
        if not charset or (action.convert and charset == "binary"):
            raise NotUnderstood("a character set that the statement does not name")
        self._charset = charset
        if action.convert:
            self._columns = [
                replace(_with(one, collation=action.collation), charset=charset) if one.charset else one
                for one in self._columns
            ]


_EFFECTS: dict[type[Action], Callable[..., None]] = {
    AddColumn: _Table._add,
    DropColumn: _Table._drop,
    ChangeColumn: _Table._change,
    RenameColumn: _Table._rename,
    SetDefault: _Table._set_default,
    AddKey: _Table._add_key,
    DropKey: _Table._drop_key,
    RenameKey: _Table._rename_key,
    SetComment: _Table._set_comment,
    SetCharset: _Table._set_charset,
}


def _with(layout: ColumnLayout, **fields: object) -> ColumnLayout:
    return replace(layout, column=replace(layout.column, **fields))  # type: ignore[arg-type]
