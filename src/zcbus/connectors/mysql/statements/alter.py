"""The clauses of ALTER TABLE."""

from collections.abc import Callable
from dataclasses import dataclass, field

from zcbus.connectors.mysql.statements.actions import (
    Action,
    AddColumn,
    AddKey,
    ChangeColumn,
    ColumnPosition,
    DropColumn,
    DropKey,
    RenameColumn,
    RenameKey,
    SetCharset,
    SetComment,
    SetDefault,
)
from zcbus.connectors.mysql.statements.columns import default_expression, definition
from zcbus.connectors.mysql.statements.tokens import NotUnderstood, Reader, Token, TokenKind, clauses
from zcbus.model.schema import IndexPart, TableName

ENGINES_WITHOUT_ROWS = frozenset({"FEDERATED", "MRG_MYISAM", "MERGE", "BLACKHOLE", "CONNECT", "SPIDER", "OQGRAPH"})
"""Storage engines whose tables have no rows, or rows of other tables."""
_PARTITION_WORDS = frozenset({"PARTITION", "PARTITIONING", "TABLESPACE", "TABLE"})
_MOVING = frozenset({"DROP", "TRUNCATE", "EXCHANGE", "DISCARD", "IMPORT", "CONVERT"})
_STAYING = frozenset(["ADD", "COALESCE", "REORGANIZE", "ANALYZE", "CHECK", "OPTIMIZE", "REBUILD", "REPAIR", "REMOVE"])
_OPTIONS = frozenset(
    [
        "ENGINE",
        "TYPE",
        "AUTO_INCREMENT",
        "AVG_ROW_LENGTH",
        "ROW_FORMAT",
        "CHECKSUM",
        "TABLE_CHECKSUM",
        "PAGE_CHECKSUM",
        "COMPRESSION",
        "CONNECTION",
        "DELAY_KEY_WRITE",
        "ENCRYPTION",
        "ENCRYPTED",
        "ENCRYPTION_KEY_ID",
        "ENGINE_ATTRIBUTE",
        "SECONDARY_ENGINE_ATTRIBUTE",
        "INSERT_METHOD",
        "KEY_BLOCK_SIZE",
        "MAX_ROWS",
        "MIN_ROWS",
        "PACK_KEYS",
        "PAGE_COMPRESSED",
        "PAGE_COMPRESSION_LEVEL",
        "PASSWORD",
        "SECONDARY_ENGINE",
        "STATS_AUTO_RECALC",
        "STATS_PERSISTENT",
        "STATS_SAMPLE_PAGES",
        "TRANSACTIONAL",
        "SEQUENCE",
        "IETF_QUOTES",
        "ALGORITHM",
        "LOCK",
        "AUTOEXTEND_SIZE",
        "UNION",
        "DATA",
    ]
)
"""Options of a table that change neither its rows nor its columns."""
_ALONE = frozenset({"FORCE", "NOWAIT", "WAIT"})


@dataclass
class AlterClauses:
    """Parses the part after the table's name."""

    reader: Reader
    table: Callable[[], TableName]
    actions: list[Action] = field(default_factory=list)
    new_name: TableName | None = None
    rows_moved: bool = False
    exchanged: TableName | None = None
    """The table that a partition exchanges its rows with."""
    made: TableName | None = None
    """The table that a partition becomes."""
    taken: TableName | None = None
    """The table that becomes a partition."""

    def read(self) -> "AlterClauses":
        """All clauses. Raises NotUnderstood."""
        while self.reader.token is not None:
            self._clause()
            self.reader.skip(",")
        return self

    def _clause(self) -> None:
        reader, word = self.reader, self.reader.word()
        if self._is_partition(word):
            self.rows_moved = self.rows_moved or word in _MOVING
            self._other_table(word)
            reader.clause()
            while reader.skip(","):  # partitions are listed with commas, and nothing else may follow
                reader.clause()
            return
        handler = _CLAUSES.get(word)
        if handler is not None:
            reader.take()
            handler(self)
        elif word in _OPTIONS:
            self._option()
        elif word in _ALONE:
            reader.take()
        else:
            raise NotUnderstood(reader.rest()[:60])

    def _is_partition(self, word: str) -> bool:
        reader = self.reader
        if word == "PARTITION":
            return True
        if word == "CONVERT":
            return reader.word(1) in ("PARTITION", "TABLE")
        return word in _MOVING | _STAYING and reader.word(1) in _PARTITION_WORDS

    def _other_table(self, word: str) -> None:
        """The table that exchanges rows with a partition."""
        reader = self.reader
        if word == "EXCHANGE":
            reader.expect("EXCHANGE", "PARTITION")
            reader.name()
            reader.expect("WITH", "TABLE")
            self.exchanged = self.table()
        elif reader.skip("CONVERT", "PARTITION"):
            reader.name()
            reader.expect("TO", "TABLE")
            self.made = self.table()
        elif reader.skip("CONVERT", "TABLE"):
            self.taken = self.table()

    def _option(self) -> None:
        reader = self.reader
        option = reader.take().word
        if option == "DATA":
            reader.expect("DIRECTORY")
        reader.skip("=")
        if option in ("ENGINE", "TYPE") and reader.token is not None:
            self.rows_moved = self.rows_moved or reader.token.value.upper() in ENGINES_WITHOUT_ROWS
        if reader.word() == "(":
            reader.group()
        else:
            reader.take()

    def _add(self) -> None:
        reader = self.reader
        if self._added_key():
            return
        reader.skip("COLUMN")
        missing = reader.skip("IF", "NOT", "EXISTS")
        if reader.word() != "(":
            self.actions.append(AddColumn(definition(reader, reader.name()), self._position(), missing))
            return
        for part in clauses(reader.group()):
            inner = AlterClauses(Reader(part), self.table, self.actions)
            if not inner._added_key():
                self.actions.append(AddColumn(definition(inner.reader, inner.reader.name()), None, missing))

    def _added_key(self) -> bool:
        """Whether it is an index, key or constraint that is added."""
        reader = self.reader
        constraint = ""
        if reader.skip("CONSTRAINT"):
            reader.skip("IF", "NOT", "EXISTS")
            if reader.word() not in ("PRIMARY", "UNIQUE", "FOREIGN", "CHECK"):
                constraint = reader.name()
        if reader.skip("PRIMARY", "KEY"):
            reader.skip("IF", "NOT", "EXISTS")
            self._key("PRIMARY")
        elif reader.skip("UNIQUE"):
            reader.one_of("INDEX", "KEY")
            missing = reader.skip("IF", "NOT", "EXISTS")
            self._key(constraint, missing)
        elif reader.one_of("INDEX", "KEY"):
            missing = reader.skip("IF", "NOT", "EXISTS")
            self._key("", missing, unique=False)
        elif reader.word() in ("FOREIGN", "CHECK") or self._is_other_index():
            reader.clause()
        elif reader.word() in ("PERIOD", "SYSTEM") and reader.word(1) in ("FOR", "VERSIONING"):
            raise NotUnderstood("a table with versions")
        else:
            return False
        return True

    def _is_other_index(self) -> bool:
        reader = self.reader
        if reader.word() in ("FULLTEXT", "SPATIAL"):
            return True
        return reader.word() == "VECTOR" and reader.word(1) in ("INDEX", "KEY", "(")

    def _key(self, name: str, missing: bool = False, unique: bool = True) -> None:
        reader = self.reader
        if reader.word() not in ("(", "USING"):
            given = reader.name()
            name = name if name == "PRIMARY" else given
        if reader.skip("USING"):
            reader.take()
        parts, computed = index_parts(reader.group())
        reader.clause()
        self.actions.append(AddKey(name, parts, unique, computed, missing))

    def _drop(self) -> None:
        reader = self.reader
        if reader.skip("PRIMARY", "KEY"):
            self.actions.append(DropKey("PRIMARY"))
        elif reader.one_of("INDEX", "KEY"):
            reader.skip("IF", "EXISTS")
            self.actions.append(DropKey(reader.name()))
        elif reader.skip("FOREIGN", "KEY") or reader.one_of("CHECK"):
            reader.clause()
        elif reader.one_of("CONSTRAINT"):
            # A unique key is a constraint too, and its index has the same name.
            reader.skip("IF", "EXISTS")
            self.actions.append(DropKey(reader.name()))
        elif reader.word() in ("PERIOD", "SYSTEM") and reader.word(1) in ("FOR", "VERSIONING"):
            raise NotUnderstood("a table with versions")
        else:
            reader.skip("COLUMN")
            existing = reader.skip("IF", "EXISTS")
            self.actions.append(DropColumn(reader.name(), existing))
            reader.one_of("RESTRICT", "CASCADE")

    def _modify(self) -> None:
        reader = self.reader
        reader.skip("COLUMN")
        existing = reader.skip("IF", "EXISTS")
        name = reader.name()
        self.actions.append(ChangeColumn(name, definition(reader, name), self._position(), existing))

    def _change(self) -> None:
        reader = self.reader
        reader.skip("COLUMN")
        existing = reader.skip("IF", "EXISTS")
        name = reader.name()
        self.actions.append(ChangeColumn(name, definition(reader, reader.name()), self._position(), existing))

    def _position(self) -> ColumnPosition | None:
        if self.reader.skip("FIRST"):
            return ColumnPosition()
        return ColumnPosition(self.reader.name()) if self.reader.skip("AFTER") else None

    def _alter(self) -> None:
        reader = self.reader
        if reader.word() in ("INDEX", "KEY", "CHECK", "CONSTRAINT") and reader.word(1) not in ("SET", "DROP"):
            reader.clause()
            return
        reader.skip("COLUMN")
        existing = reader.skip("IF", "EXISTS")
        name = reader.name()
        if reader.skip("DROP", "DEFAULT"):
            self.actions.append(SetDefault(name, None, existing))
        elif reader.skip("SET", "DEFAULT"):
            self.actions.append(SetDefault(name, default_expression(reader), existing))
        else:
            reader.expect("SET")
            if not reader.one_of("VISIBLE", "INVISIBLE"):
                raise NotUnderstood(reader.rest()[:60])

    def _rename(self) -> None:
        reader = self.reader
        if reader.skip("COLUMN"):
            existing = reader.skip("IF", "EXISTS")
            name = reader.name()
            reader.expect("TO")
            self.actions.append(RenameColumn(name, reader.name(), existing))
        elif reader.one_of("INDEX", "KEY"):
            reader.skip("IF", "EXISTS")
            name = reader.name()
            reader.expect("TO")
            self.actions.append(RenameKey(name, reader.name()))
        else:
            reader.one_of("TO", "AS", "=")
            self.new_name = self.table()

    def _comment(self) -> None:
        self.reader.skip("=")
        self.actions.append(SetComment(self.reader.text()))

    def _default(self) -> None:
        reader = self.reader
        if reader.skip("COLLATE"):
            self._collate()
        elif reader.skip("CHARACTER"):
            self._character()
        else:
            reader.expect("CHARSET")
            self._charset()

    def _character(self) -> None:
        self.reader.expect("SET")
        self._charset()

    def _charset(self, convert: bool = False) -> None:
        reader = self.reader
        reader.skip("=")
        charset = reader.name().lower()
        collation = None
        if reader.skip("COLLATE"):
            reader.skip("=")
            collation = reader.name().lower()
        self.actions.append(SetCharset(None if charset == "default" else charset, collation, convert))

    def _collate(self) -> None:
        self.reader.skip("=")
        self.actions.append(SetCharset(None, self.reader.name().lower()))

    def _convert(self) -> None:
        self.reader.expect("TO")
        if not self.reader.one_of("CHARSET"):
            self.reader.expect("CHARACTER", "SET")
        self._charset(convert=True)

    def _order(self) -> None:
        self.reader.expect("BY")
        self.reader.clause()
        while self.reader.skip(","):
            self.reader.clause()

    def _keys_on_or_off(self) -> None:
        self.reader.expect("KEYS")

    def _validation(self) -> None:
        self.reader.expect("VALIDATION")


_CLAUSES = {
    "ADD": AlterClauses._add,
    "DROP": AlterClauses._drop,
    "MODIFY": AlterClauses._modify,
    "CHANGE": AlterClauses._change,
    "ALTER": AlterClauses._alter,
    "RENAME": AlterClauses._rename,
    "COMMENT": AlterClauses._comment,
    "DEFAULT": AlterClauses._default,
    "CHARACTER": AlterClauses._character,
    "CHARSET": AlterClauses._charset,
    "COLLATE": AlterClauses._collate,
    "CONVERT": AlterClauses._convert,
    "ORDER": AlterClauses._order,
    "ENABLE": AlterClauses._keys_on_or_off,
    "DISABLE": AlterClauses._keys_on_or_off,
    "WITH": AlterClauses._validation,
    "WITHOUT": AlterClauses._validation,
}


def index_parts(tokens: list[Token]) -> tuple[tuple[IndexPart, ...], bool]:
    """The columns in an index's parentheses, and whether there are expressions among them, which are skipped."""
    parts = []
    found = clauses(tokens)
    for part in found:
        if part[0].kind in (TokenKind.WORD, TokenKind.NAME):
            length = int(part[2].value) if len(part) > 2 and part[1].value == "(" else None
            parts.append(IndexPart(part[0].value, length, part[-1].word == "DESC"))
    return tuple(parts), len(parts) < len(found)
