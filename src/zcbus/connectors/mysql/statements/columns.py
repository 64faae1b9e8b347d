"""Definitions of columns in statements."""

from zcbus.connectors.mysql.statements.actions import Definition
from zcbus.connectors.mysql.statements.tokens import NotUnderstood, Reader, Token, TokenKind

_SYNONYMS = {
    "bool": "boolean",
    "integer": "int",
    "int1": "tinyint",
    "int2": "smallint",
    "int3": "mediumint",
    "int4": "int",
    "int8": "bigint",
    "middleint": "mediumint",
    "float4": "float",
    "float8": "double",
    "real": "double",
    "dec": "decimal",
    "numeric": "decimal",
    "fixed": "decimal",
    "character": "char",
    "nchar": "char",
    "varcharacter": "varchar",
    "nvarchar": "varchar",
    "varchar2": "varchar",
    "long": "mediumtext",
    "geomcollection": "geometrycollection",
}
_NATIONAL = frozenset({"nchar", "nvarchar", "national"})
_KNOWN = frozenset(
    [
        "boolean",
        "bit",
        "tinyint",
        "smallint",
        "mediumint",
        "int",
        "bigint",
        "decimal",
        "float",
        "double",
        "date",
        "time",
        "datetime",
        "timestamp",
        "year",
        "char",
        "varchar",
        "binary",
        "varbinary",
        "tinyblob",
        "blob",
        "mediumblob",
        "longblob",
        "tinytext",
        "text",
        "mediumtext",
        "longtext",
        "json",
        "enum",
        "set",
        "serial",
        "uuid",
        "inet4",
        "inet6",
        "vector",
        "geometry",
        "point",
        "linestring",
        "polygon",
        "multipoint",
        "multilinestring",
        "multipolygon",
        "geometrycollection",
        "xmltype",
    ]
)


def definition(reader: Reader, name: str) -> Definition:
    """Parse a column definition after the name, up to the comma, FIRST or AFTER. Raises NotUnderstood."""
    return _Definition(reader, name).read()


class _Definition:
    def __init__(self, reader: Reader, name: str) -> None:
        self._reader = reader
        self._found: dict[str, object] = {"name": name}

    def read(self) -> Definition:
        self._type()
        while self._reader.word() not in (",", "FIRST", "AFTER") and self._reader.token is not None:
            self._attribute()
        return Definition(**self._found)  # type: ignore[arg-type]

    def _type(self) -> None:
        reader, found = self._reader, self._found
        name = reader.take().value.lower()
        if name in _NATIONAL:
            found["charset"] = "utf8mb3"
        if name == "national":
            name = reader.take().value.lower()
        if name == "double":
            reader.skip("PRECISION")
        if name in ("character", "char", "nchar", "national", "varchar") and reader.skip("VARYING"):
            name = "varchar"
        if name == "long":
            name = "mediumblob" if reader.skip("VARBINARY") else "long"
            reader.one_of("VARCHAR", "VARCHARACTER") or reader.skip("CHAR", "VARYING")
        name = _SYNONYMS.get(name, name)
        if name not in _KNOWN:
            raise NotUnderstood(f"a column of type {name}")
        found["type_name"] = name
        if reader.word() == "(":
            found["arguments"] = _arguments(reader.group())
        if name == "serial":
            found |= {"type_name": "bigint", "unsigned": True, "nullable": False, "auto_increment": True}
            found["unique"] = True

    def _attribute(self) -> None:
        reader, found = self._reader, self._found
        word = reader.word()
        simple = _SIMPLE.get(word)
        if simple is not None:
            reader.take()
            found |= simple
        elif word in _READERS:
            reader.take()
            _READERS[word](self)
        else:
            raise NotUnderstood(f"a column with {reader.rest()[:40]!r}")

    def _not(self) -> None:
        if self._reader.one_of("NULL"):
            self._found |= {"nullable": False, "stated": True}
        else:
            self._reader.expect("SECONDARY")

    def _default(self) -> None:
        self._found |= {"default": default_expression(self._reader), "stated": True}

    def _on(self) -> None:
        self._reader.expect("UPDATE")
        default_expression(self._reader)

    def _comment(self) -> None:
        self._found["comment"] = self._reader.text()

    def _charset(self) -> None:
        self._found["charset"] = self._reader.name().lower()

    def _character(self) -> None:
        self._reader.expect("SET")
        self._charset()

    def _collate(self) -> None:
        self._reader.skip("=")
        self._found["collation"] = self._reader.name().lower()

    def _unique(self) -> None:
        self._reader.skip("KEY")
        self._found["unique"] = True

    def _primary(self) -> None:
        self._reader.expect("KEY")
        self._found |= {"primary": True, "nullable": False}

    def _key(self) -> None:
        self._found |= {"primary": True, "nullable": False}

    def _generated(self) -> None:
        self._reader.expect("ALWAYS")
        if self._reader.skip("AS", "ROW"):
            raise NotUnderstood("a table with versions")
        self._reader.expect("AS")
        self._as()

    def _as(self) -> None:
        self._reader.group()
        kind = self._reader.one_of("VIRTUAL", "STORED", "PERSISTENT")
        self._found["generated"] = "stored" if kind in ("STORED", "PERSISTENT") else "virtual"

    def _check(self) -> None:
        tokens = self._reader.group()
        if tokens and tokens[0].word == "JSON_VALID":
            self._found["is_json"] = True

    def _constraint(self) -> None:
        if self._reader.word() != "CHECK":
            self._reader.name()

    def _references(self) -> None:
        reader = self._reader
        reader.name()
        if reader.skip("."):
            reader.name()
        if reader.word() == "(":
            reader.group()
        if reader.skip("MATCH"):
            reader.take()
        while reader.skip("ON"):
            reader.take()
            if not reader.skip("SET", "NULL") and not reader.skip("SET", "DEFAULT") and not reader.skip("NO", "ACTION"):
                reader.take()

    def _value(self) -> None:
        self._reader.skip("=")
        self._reader.take()

    def _compressed(self) -> None:
        if self._reader.skip("="):
            self._reader.take()
        self._found["compressed"] = True

    def _system_versioning(self) -> None:
        self._reader.expect("SYSTEM", "VERSIONING")

    def _serial(self) -> None:
        self._reader.expect("DEFAULT", "VALUE")
        self._found |= {"nullable": False, "auto_increment": True, "unique": True}


_SIMPLE: dict[str, dict[str, object]] = {
    "NULL": {"nullable": True, "stated": True},
    "UNSIGNED": {"unsigned": True},
    "SIGNED": {},
    "ZEROFILL": {"zerofill": True, "unsigned": True},
    "AUTO_INCREMENT": {"auto_increment": True, "nullable": False},
    "ASCII": {"charset": "latin1"},
    "UNICODE": {"charset": "ucs2"},
    "BYTE": {"charset": "binary"},
    "BINARY": {},
    "VISIBLE": {},
    "INVISIBLE": {},
    "ENFORCED": {},
}
_READERS = {
    "NOT": _Definition._not,
    "DEFAULT": _Definition._default,
    "ON": _Definition._on,
    "COMMENT": _Definition._comment,
    "CHARSET": _Definition._charset,
    "CHARACTER": _Definition._character,
    "COLLATE": _Definition._collate,
    "UNIQUE": _Definition._unique,
    "PRIMARY": _Definition._primary,
    "KEY": _Definition._key,
    "GENERATED": _Definition._generated,
    "AS": _Definition._as,
    "CHECK": _Definition._check,
    "CONSTRAINT": _Definition._constraint,
    "REFERENCES": _Definition._references,
    "COLUMN_FORMAT": _Definition._value,
    "STORAGE": _Definition._value,
    "ENGINE_ATTRIBUTE": _Definition._value,
    "SECONDARY_ENGINE_ATTRIBUTE": _Definition._value,
    "SRID": _Definition._value,
    "REF_SYSTEM_ID": _Definition._value,
    "COMPRESSED": _Definition._compressed,
    "WITH": _Definition._system_versioning,
    "WITHOUT": _Definition._system_versioning,
    "SERIAL": _Definition._serial,
}


_WIDE = frozenset({"_UCS2", "_UTF16", "_UTF16LE", "_UTF32"})
"""Of character sets with several bytes for each of ASCII."""


def default_expression(reader: Reader) -> str | None:
    """The value after DEFAULT or ON UPDATE; None for NULL."""
    if reader.word() == "(":
        return f"({_raw(reader.group())})"
    sign = reader.one_of("-", "+")
    token = reader.take()
    if token.word == "NULL":
        return None
    if token.kind is TokenKind.TEXT:
        return _quoted(token.value)
    if token.word.startswith("_"):
        return _introduced(token.word, reader.text())
    if token.word in ("DATE", "TIME", "TIMESTAMP"):
        return _quoted(reader.text())
    if reader.word() == "(":
        return f"{token.value.lower()}({_raw(reader.group())})"
    if token.word in ("CURRENT_TIMESTAMP", "NOW", "LOCALTIME", "LOCALTIMESTAMP"):
        return "current_timestamp()"
    if token.word in ("TRUE", "FALSE"):
        return "1" if token.word == "TRUE" else "0"
    return sign.strip("+") + token.raw


def _introduced(charset: str, value: str) -> str:
    """A text whose bytes are those of a character set, whatever the session's is: no plain value, unless both have the
    same bytes for it (MySQL reference manual, "Character Set Introducers")."""
    return _quoted(value) if value.isascii() and charset not in _WIDE else f"{charset}{_quoted(value)}"


def _quoted(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'"


def _raw(tokens: list[Token]) -> str:
    return " ".join(token.raw for token in tokens)


def _arguments(tokens: list[Token]) -> tuple[str, ...]:
    return tuple(token.value for token in tokens if token.kind is not TokenKind.SIGN)
