"""Definitions of written tables: `TABLE/_table.json`, for readers too, and what followed which change of structure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.files.target.folder import WrittenFolder
from zcbus.connectors.folder_names import folder_of
from zcbus.connectors.formats.written.form import WrittenFormat
from zcbus.connectors.writing.definition import Reshaping
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.serial import schema_from_dict, schema_to_json

DEFINITION = "_table.json"
POINTER = "_latest.json"
"""File that names the files of a table's current rows."""


@dataclass(frozen=True, slots=True)
class Version:
    """Structure of a table from a file on, and how earlier rows follow: see Reshaping."""

    after: int
    """Number of the last file before."""
    schema: TableSchema
    renamed: tuple[tuple[str, str], ...] = ()
    filled: tuple[tuple[str, str], ...] = ()
    dropped: tuple[str, ...] = ()

    @property
    def reshaping(self) -> Reshaping:
        return Reshaping(self.schema, self.schema, self.renamed, self.filled, self.dropped)


@dataclass(frozen=True, slots=True)
class Definition:
    """A table. `owner`: id of the state that its files belong to."""

    owner: str
    versions: tuple[Version, ...]

    @property
    def schema(self) -> TableSchema:
        return self.versions[-1].schema

    def at(self, number: int) -> Version:
        """The structure of a file."""
        return [one for one in self.versions if one.after < number][-1]


class WrittenTables:
    """The tables of a folder. Errors as WrittenFolder's."""

    def __init__(self, folder: WrittenFolder, form: WrittenFormat, owner: Callable[[], str]) -> None:
        """`owner`: id of the state as it is now."""
        self._folder, self._form, self._owner = folder, form, owner

    def schemas(self, names: Sequence[TableName]) -> dict[TableName, TableSchema]:
        """Those that are there."""
        found = ((name, self.definition(name)) for name in sorted(names))
        return {name: one.schema for name, one in found if one is not None}

    def is_there(self, name: TableName) -> bool:
        return self.definition(name) is not None

    def definition(self, name: TableName) -> Definition | None:
        """None: there is none, or it belongs to another state."""
        data = self._folder.get(f"{folder_of(name.table)}/{DEFINITION}")
        found = None if data is None else _parsed(data)
        return found if found is not None and found.owner == self._owner() else None

    def define(self, wanted: TableSchema, last: int) -> None:
        """See Writer.define. `last`: number of the table's last file."""
        columns = tuple(replace(one, type=self._form.declared(one.type)) for one in wanted.columns)
        schema = replace(wanted, columns=columns)
        present = self.definition(wanted.name)
        if present is None:
            self._write(Definition(self._owner(), (Version(last, schema),)))
        elif present.schema != schema:
            self._write(replace(present, versions=(*present.versions, Version(last, schema))))

    def reshape(self, change: Reshaping, last: int) -> None:
        """Rows up to a file follow an alteration."""
        present = self.definition(change.after.name)
        if present is not None:
            columns = tuple(replace(one, type=self._form.declared(one.type)) for one in change.after.columns)
            schema = replace(change.after, columns=columns)
            version = Version(last, schema, change.renamed, change.filled, change.dropped)
            self._write(replace(present, versions=(*present.versions, version)))

    def begin(self, name: TableName) -> None:
        """No file has an earlier structure any more."""
        present = self.definition(name)
        if present is not None:
            self._write(replace(present, versions=(Version(0, present.schema),)))

    def drop(self, name: TableName) -> None:
        """Delete the folder, its definition first. Idempotent."""
        folder = folder_of(name.table)
        self._folder.delete(f"{folder}/{DEFINITION}")
        for file in self._folder.below(folder):
            self._folder.delete(file.name)

    def require_unused(self, name: TableName) -> None:
        """Raise TableRefused where others have written into the folder."""
        found = self._folder.below(folder_of(name.table))
        if found:
            raise TableRefused(table=str(name), column="", reason="folder-of-others", detail=found[0].name)

    def _write(self, definition: Definition) -> None:
        name = definition.schema.name
        self._folder.put(f"{folder_of(name.table)}/{DEFINITION}", _text(definition))


def _text(definition: Definition) -> bytes:
    versions = [
        {
            "after": one.after,
            "schema": orjson.loads(schema_to_json(one.schema)),
            "renamed": one.renamed,
            "filled": one.filled,
            "dropped": one.dropped,
        }
        for one in definition.versions
    ]
    return orjson.dumps({"owner": definition.owner, "versions": versions}, option=orjson.OPT_INDENT_2)


def _parsed(data: bytes) -> Definition | None:
    """None: others wrote it."""
    try:
        found: dict[str, Any] = orjson.loads(data)
        return Definition(found["owner"], tuple(_version(one) for one in found["versions"]))
    except (ValueError, KeyError, TypeError):
        return None


def _version(found: dict[str, Any]) -> Version:
    renamed, filled = (tuple((old, new) for old, new in found[name]) for name in ("renamed", "filled"))
    return Version(found["after"], schema_from_dict(found["schema"]), renamed, filled, tuple(found["dropped"]))
