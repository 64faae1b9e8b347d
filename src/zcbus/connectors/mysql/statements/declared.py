"""A declared column: its type in the catalog's spelling, and its character set."""

from zcbus.connectors.mysql.catalog.layout import ColumnLayout
from zcbus.connectors.mysql.catalog.types import DeclaredType, neutral_type
from zcbus.connectors.mysql.connection.session import ServerVersion
from zcbus.connectors.mysql.statements.actions import Definition
from zcbus.connectors.mysql.statements.tokens import NotUnderstood
from zcbus.model.schema import Column

_WIDTHS = {"tinyint": (4, 3), "smallint": (6, 5), "mediumint": (9, 8), "int": (11, 10), "bigint": (20, 20)}
"""Display widths that servers print by default: with a sign, without one."""
_TEXTS = frozenset({"char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "set"})
_AS_BINARY = {
    "char": "binary",
    "varchar": "varbinary",
    "tinytext": "tinyblob",
    "text": "blob",
    "mediumtext": "mediumblob",
    "longtext": "longblob",
}
_SIZES = (("tiny", 1 << 8), ("", 1 << 16), ("medium", 1 << 24), ("long", 1 << 62))
_BYTES_PER_CHARACTER = {"utf8mb4": 4, "utf8mb3": 3, "utf8": 3, "utf16": 4, "utf32": 4, "ucs2": 2}
_ONE = frozenset({"char", "binary", "bit"})
"""Types whose default length is 1."""


def declared(definition: Definition, table_charset: str, version: ServerVersion) -> ColumnLayout:
    """The column of a table with that character set. Raises NotUnderstood."""
    charset = _charset(definition, table_charset, version)
    name, arguments = _type(definition, charset)
    if charset == "binary":
        charset = None
    column_type = _spelt(name, arguments, definition, version)
    integral = [int(argument) for argument in arguments if argument.isdigit()]
    # MariaDB's JSON is a text column with a check.
    is_json = name == "json" or (definition.is_json and version.mariadb)
    described = DeclaredType(
        column_type=column_type,
        data_type=name,
        length=integral[0] if integral else None,
        precision=integral[0] if integral else None,
        scale=integral[1] if len(integral) > 1 else 0,
        fraction=integral[0] if integral else 0,
        charset=charset,
        is_json=is_json,
    )
    column = Column(
        name=definition.name,
        type=neutral_type(described),
        nullable=definition.nullable,
        default=definition.default,
        generated=bool(definition.generated),
        identity=definition.auto_increment,
        collation=definition.collation,
        comment=definition.comment,
    )
    return ColumnLayout(column, charset, definition.generated == "virtual")


def charset_of(collation: str, known: str) -> str:
    """The character set that a collation belongs to; MariaDB has some that go with any (`known`)."""
    return known if collation.startswith("uca1400") else collation.partition("_")[0]


def canonical_charset(charset: str) -> str:
    """One name for servers' different names of a type."""
    return "utf8mb3" if charset == "utf8" else charset


def _charset(definition: Definition, table_charset: str, version: ServerVersion) -> str | None:
    if definition.type_name == "json":
        return "utf8mb4" if version.mariadb else None
    if definition.type_name not in _TEXTS:
        return None
    if definition.charset:
        return definition.charset
    if definition.collation:
        return charset_of(definition.collation, table_charset)
    if not table_charset:
        raise NotUnderstood("the table's character set is not known")
    return table_charset


def _type(definition: Definition, charset: str | None) -> tuple[str, tuple[str, ...]]:
    """Name and arguments as the catalogue has them."""
    name, arguments = definition.type_name, definition.arguments
    if name == "boolean":
        return "tinyint", ("1",)
    if charset == "binary":
        name = _AS_BINARY.get(name, name)
    if name in _ONE and not arguments:
        return name, ("1",)
    if name == "decimal":
        return name, (*(arguments or ("10",)), *(() if len(arguments) > 1 else ("0",)))
    if name in ("text", "blob") and arguments:
        bytes_needed = int(arguments[0]) * _BYTES_PER_CHARACTER.get(charset or "", 1)
        return next(size for size, limit in _SIZES if bytes_needed < limit) + name, ()
    if name == "float" and len(arguments) == 1:
        return ("float" if int(arguments[0]) <= 24 else "double"), ()
    return name, arguments


def _spelt(name: str, arguments: tuple[str, ...], definition: Definition, version: ServerVersion) -> str:
    if name in ("enum", "set"):
        labels = ",".join("'" + label.replace("'", "''") + "'" for label in arguments)
        return f"{name}({labels})"
    text = f"{name}({','.join(_width(name, arguments, definition, version))})".replace("()", "")
    text += " unsigned" * definition.unsigned + " zerofill" * definition.zerofill
    return text + " /*M!100301 COMPRESSED*/" * definition.compressed


def _width(name: str, arguments: tuple[str, ...], definition: Definition, version: ServerVersion) -> tuple[str, ...]:
    if name == "year":
        return ("4",) if version.mariadb or version.number < (8, 0, 19) else ()
    if name not in _WIDTHS:
        return () if arguments == ("0",) and name in ("time", "datetime", "timestamp") else arguments
    shown = version.mariadb or version.number < (8, 0, 19) or definition.zerofill
    if not shown and (name, arguments) != ("tinyint", ("1",)):
        return ()
    return arguments or (str(_WIDTHS[name][definition.unsigned]),)
