"""A declared column: its type in the catalog's spelling, and its character set."""

import re
from decimal import Context, Decimal

from zcbus.connectors.mysql.binlog.tables import ColumnLayout
from zcbus.connectors.mysql.catalog.types import DeclaredType, neutral_type
from zcbus.connectors.mysql.connection import quote
from zcbus.connectors.mysql.connection.session import ServerVersion
from zcbus.connectors.mysql.statements.actions import Definition
from zcbus.connectors.mysql.statements.tokens import NotUnderstood
from zcbus.model.defaults import plain_value
from zcbus.model.schema import Column
from zcbus.model.types import INTEGERS, DataType, Kind

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
_DATE, _CLOCK = r"\d{4}-\d\d-\d\d", r":\d\d:\d\d(?:\.\d{1,6})?"
_FORMS = {
    Kind.DATE: re.compile(_DATE),
    Kind.DURATION: re.compile(r"-?\d?\d\d" + _CLOCK),
    **dict.fromkeys((Kind.TIMESTAMP, Kind.TIMESTAMP_TZ), re.compile(rf"{_DATE}(?: \d\d{_CLOCK})?")),
}
"""How the server writes values; what else it takes for one, other databases take for another value."""
_EXACT = frozenset({*INTEGERS, Kind.DECIMAL})
_DECIMAL, _DIGITS_OF_SERVERS = re.compile(r"-?\d{1,65}(?:\.\d{0,65})?"), Context(prec=131)
_NEGATIVE_ZERO = re.compile(r"-0*\.?0*")
_WHOLE, _DIGITS = re.compile(r"0|-?[1-9]\d*"), re.compile(r"\(\d+,(\d+)\)")


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
    data_type = neutral_type(described)
    column = Column(
        name=definition.name,
        type=data_type,
        nullable=definition.nullable,
        default=stored_default(definition.default, data_type),
        generated=bool(definition.generated),
        identity=definition.auto_increment,
        collation=definition.collation,
        comment=definition.comment,
        initial_known=False if _is_implied(definition) or _is_stored_otherwise(definition.default, data_type) else None,
    )
    return ColumnLayout(column, charset, definition.generated == "virtual")


def stored_default(default: str | None, data_type: DataType) -> str | None:
    """The default as rows hold it: labels in the declared spelling, those of a SET in the declared order, years with
    four digits, numbers with the digits of their type, a CHAR without blanks at its end."""
    value = plain_value(default) if default is not None else None
    if default is None or value is None:
        return default
    if data_type.native.startswith("year"):
        return _year(value, is_text=default.startswith("'"))
    if data_type.kind in _EXACT:
        return _number(value, data_type) or default
    if data_type.kind is Kind.TEXT and data_type.fixed:
        return quote.text(value.rstrip(" "))
    if data_type.kind not in (Kind.ENUM, Kind.SET):
        return default
    given = [value] if data_type.kind is Kind.ENUM else value.split(",")
    labels = {_label(label, data_type.values) for label in given}
    return quote.text(",".join(label for label in data_type.values if label in labels)) if all(labels) else default


def _year(value: str, *, is_text: bool) -> str:
    """MySQL reference manual, "2-Digit Years in Dates": 1 to 69 are 2001 to 2069, 70 to 99 are 1970 to 1999; the text 0
    is 2000, the number 0000."""
    year = int(value) if value.isdigit() else 100
    if year > 99 or (year == 0 and not is_text):
        return value
    return str(year + (2000 if year < 70 else 1900))


def _number(value: str, data_type: DataType) -> str | None:
    """As the server writes it; None: it is stored otherwise."""
    if _DECIMAL.fullmatch(value) is None:
        return None
    number, scale = Decimal(value), (data_type.scale or 0) if data_type.kind is Kind.DECIMAL else 0
    rounded = number.quantize(Decimal(1).scaleb(-scale), context=_DIGITS_OF_SERVERS)
    return f"{rounded if rounded else abs(rounded):f}" if rounded == number else None


def _is_implied(definition: Definition) -> bool:
    """Whether a session's setting decides what old rows get: a bare TIMESTAMP is NOT NULL with a time as its default
    unless `explicit_defaults_for_timestamp` is on, which the log does not say."""
    return definition.type_name == "timestamp" and not definition.stated and not definition.generated


def _is_stored_otherwise(default: str | None, data_type: DataType) -> bool:
    """Whether rows may hold another text than the default's own: a time in another form than the server's, a fraction
    that it cuts or rounds, a number as a text or as bits, a zero whose sign not each way to write it keeps."""
    value = plain_value(default) if default is not None else None
    if default is None or value is None:
        return False
    form, fraction = _FORMS.get(data_type.kind), value.partition(".")[2].rstrip("0")
    if form is not None:
        return form.fullmatch(value) is None or len(fraction) > (data_type.precision or 0)
    if data_type.kind is Kind.TEXT:
        return not default.startswith("'") and _WHOLE.fullmatch(value) is None
    if data_type.kind in (Kind.FLOAT32, Kind.FLOAT64):
        digits = _DIGITS.search(data_type.native)
        return _NEGATIVE_ZERO.fullmatch(value) is not None or (digits is not None and len(fraction) > int(digits[1]))
    if data_type.kind is Kind.BIT:
        return default not in ("0", "1") or data_type.length != 1
    return data_type.kind in _EXACT and _number(value, data_type) is None


def _label(given: str, labels: tuple[str, ...]) -> str:
    """The declared label that the server takes it for; empty: none."""
    alike = [label for label in labels if label.casefold() == given.casefold()]
    return given if given in alike else next(iter(alike), "")


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
