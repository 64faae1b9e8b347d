"""Actions of a statement on tables, step by step."""

from dataclasses import dataclass

from zcbus.model.schema import IndexPart, TableName


@dataclass(frozen=True, slots=True)
class Definition:
    """A column as a statement declares it; missing parts are None or False."""

    name: str
    type_name: str
    """In lower case, synonyms replaced (`int`, `varchar`, `double`)."""
    arguments: tuple[str, ...] = ()
    """Length, digits or labels."""
    unsigned: bool = False
    zerofill: bool = False
    charset: str | None = None
    collation: str | None = None
    nullable: bool = True
    stated: bool = False
    """Whether NULL, NOT NULL or a default is written."""
    default: str | None = None
    """As an expression; None: none, or NULL."""
    auto_increment: bool = False
    generated: str = ""
    """`virtual` or `stored`; empty: an ordinary column."""
    comment: str = ""
    compressed: bool = False
    is_json: bool = False
    """A check restricts it to JSON."""
    unique: bool = False
    primary: bool = False


@dataclass(frozen=True, slots=True)
class ColumnPosition:
    """Position of a column. `after` empty: first."""

    after: str = ""


@dataclass(frozen=True, slots=True)
class AddColumn:
    definition: Definition
    place: ColumnPosition | None = None
    """None: last."""
    if_missing: bool = False


@dataclass(frozen=True, slots=True)
class DropColumn:
    name: str
    if_exists: bool = False


@dataclass(frozen=True, slots=True)
class ChangeColumn:
    name: str
    definition: Definition
    place: ColumnPosition | None = None
    """None: where it is."""
    if_exists: bool = False


@dataclass(frozen=True, slots=True)
class RenameColumn:
    name: str
    new: str
    if_exists: bool = False


@dataclass(frozen=True, slots=True)
class SetDefault:
    name: str
    default: str | None
    if_exists: bool = False


@dataclass(frozen=True, slots=True)
class AddKey:
    """A primary key (`name` is PRIMARY) or another index (empty: the server finds a name)."""

    name: str
    parts: tuple[IndexPart, ...]
    unique: bool = True
    computed: bool = False
    """A part of it is an expression, which is left out of `parts`."""
    if_missing: bool = False


@dataclass(frozen=True, slots=True)
class DropKey:
    name: str


@dataclass(frozen=True, slots=True)
class RenameKey:
    name: str
    new: str


@dataclass(frozen=True, slots=True)
class SetComment:
    text: str


@dataclass(frozen=True, slots=True)
class SetCharset:
    """Character set of future columns, and with `convert` of existing ones. None: the database's."""

    charset: str | None
    collation: str | None
    convert: bool = False


Action = (
    AddColumn
    | DropColumn
    | ChangeColumn
    | RenameColumn
    | SetDefault
    | AddKey
    | DropKey
    | RenameKey
    | SetComment
    | SetCharset
)


@dataclass(frozen=True, slots=True)
class Altered:
    """The table's columns, keys or options change."""

    table: TableName
    actions: tuple[Action, ...]
    ignoring: bool = False
    """Values that do not fit are changed in any SQL mode (`ALTER IGNORE`)."""


@dataclass(frozen=True, slots=True)
class Renamed:
    table: TableName
    new: TableName


@dataclass(frozen=True, slots=True)
class Created:
    """A table of that name exists from now on; `if_missing`: unless it existed before."""

    table: TableName
    if_missing: bool


@dataclass(frozen=True, slots=True)
class Dropped:
    table: TableName


@dataclass(frozen=True, slots=True)
class DatabaseDropped:
    schema: str


@dataclass(frozen=True, slots=True)
class Emptied:
    table: TableName


@dataclass(frozen=True, slots=True)
class RowsMoved:
    """Rows were removed or added without row events (partitions)."""

    table: TableName


Event = Altered | Renamed | Created | Dropped | DatabaseDropped | Emptied | RowsMoved
