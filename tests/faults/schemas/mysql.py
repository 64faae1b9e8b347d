"""Schema changes of MySQL and MariaDB."""

import random

from tests.faults.schemas.catalog import Column, Table
from tests.faults.schemas.row_changes import RowChanges
from tests.faults.schemas.schema_changes import Change, SchemaChanges

TABLES = {
    "ta": ["CREATE TABLE {t} (id int PRIMARY KEY, a int, b varchar(20), c decimal(12,2), d datetime(6))"],
    "tb": ["CREATE TABLE {t} (id int PRIMARY KEY, a int, b varchar(20), c decimal(12,2), d datetime(6))"],
    "tk": [
        "CREATE TABLE {t} (code varchar(10), n smallint, a text, b enum('sad','ok','happy'), PRIMARY KEY (code, n))"
    ],
    "tu": ["CREATE TABLE {t} (id bigint NOT NULL, a datetime(6) NOT NULL, b int, PRIMARY KEY (id, a), UNIQUE (b))"],
    "tp": [
        "CREATE TABLE {t} (id int PRIMARY KEY, a int, b varchar(20)) PARTITION BY RANGE (id) "
        "(PARTITION p1 VALUES LESS THAN (20), PARTITION p2 VALUES LESS THAN (60))",
        "CREATE TABLE {t}_alone (id int PRIMARY KEY, a int, b varchar(20))",
    ],
}
BEFORE: list[str] = []
_WIDER = {
    "smallint": ["int", "bigint"],
    "int": ["bigint", "int unsigned", "varchar(20)"],
    "tinyint": ["smallint", "int"],
    "varchar(20)": ["varchar(40)", "text", "varchar(10)", "varchar(20) CHARACTER SET latin1"],
    "varchar(40)": ["varchar(300)", "varchar(20)"],
    "decimal(12,2)": ["decimal(14,2)", "decimal(12,1)"],
    "datetime(6)": ["datetime", "timestamp(6)", "date"],
    "enum": ["enum('sad','ok','happy','new')", "enum('happy','ok','sad')", "varchar(20)"],
    "text": ["mediumtext", "varchar(200)"],
}
_ALGORITHMS = ["", "", "", ", ALGORITHM=COPY", ", ALGORITHM=INSTANT", ", ALGORITHM=INPLACE"]
_ODD = {
    "varchar(9)": ["\"a''b\"", "'a\"\"b'", r"'a\%\_\q'", "1e2", "010", "x'41'", "_latin1'a'", "N'ä'", "'a  '"],
    "int": ["b'101'", "1.6", "'07'", "TRUE", "(1 + 1)"],
    "bigint": ["-9223372036854775808"],
    "double": ["-0.0", "'-0'", "1e300", ".5"],
    "double(7,2)": ["1.239", "1.25"],
    "decimal(7,2)": ["1.5", "1.255", "'1e2'", "-0"],
    "bit(8)": ["10", "b'101'"],
    "bit(1)": ["1"],
    "year": ["24", "'0'"],
    "date": ["'10/11/12'", "20240102"],
    "time": ["'1011'", "'1 10:00:00'"],
    "datetime": ["'2024-01-02T03:04:05'"],
    "datetime(2)": ["'2024-01-02 03:04:05.678'"],
    "enum('x','Y')": ["'y'"],
    "set('x','y')": ["'y,x'"],
    "char(9)": ["'a  '"],
    "binary(4)": ["'ab'"],
    "varbinary(9)": ["'ab'"],
    "int INVISIBLE": ["5"],
    "int(5) ZEROFILL": ["7"],
    "text": ["'x y'"],
}
"""Defaults that are spelt otherwise than rows hold them, by type."""
_IMPLIED = ["timestamp", "date NOT NULL", "varchar(9) NOT NULL", "enum('x','y') NOT NULL"]
_SLOPPY, _STRICT = "SET sql_mode = ''", "SET sql_mode = DEFAULT"


class MySQLChanges(SchemaChanges):
    kind = "mysql"

    def __init__(self, chance: random.Random) -> None:
        super().__init__(chance)
        self._rows = RowChanges(chance, self.kind)
        self.some(4, self._add, self._drop, self._rename, self._modify)
        self.some(3, self._replace, self._swap_columns, self._many_clauses, self._migration)
        self.some(2, self._nullability, self._index, self._default, self._truncate, self._charset, self._move)
        self.some(1, self._key, self._volatile, self._computed, self._drop_index, self._rebuild, self._sloppy)
        self.some(1, self._rename_table, self._swap_tables, self._make_again, self._ignoring, self._exchanged)
        self.some(2, self._odd_default, self._expression)
        self.some(1, self._client_charset, self._two_phases)

    def changes(self, table: Table) -> Change:
        if table.partitions and self.chance.random() < 0.5:
            return self._partition(table)
        return super().changes(table)

    def _alter(self, table: Table, *clauses: str) -> str:
        return f"ALTER TABLE {table.name} {', '.join(clauses)}{self.chance.choice(_ALGORITHMS)}"

    def _place(self, table: Table) -> str:
        return self.chance.choice(["", "", " FIRST", f" AFTER {self.chance.choice(table.columns).name}"])

    def _added(self, table: Table) -> str:
        declared, name = self.new_type(), self.name(table)
        takes_default = not declared.startswith(("text", "blob", "json"))
        default = f" DEFAULT {self.default(declared)}" if takes_default and self.chance.random() < 0.6 else ""
        needed = " NOT NULL" if self.chance.random() < 0.3 and "NULL" not in declared else ""
        return f"ADD COLUMN {name} {declared}{needed}{default}{self._place(table)}"

    def _add(self, table: Table) -> Change:
        return [self._alter(table, self._added(table))]

    def _drop(self, table: Table) -> Change:
        return [self._alter(table, f"DROP COLUMN {self.name(table, True)}")]

    def _rename(self, table: Table) -> Change:
        columns = [table.column(name) for name in (*table.key, self.plain(table).name)]
        column, name = self.chance.choice(columns), self.name(table)
        if self.chance.random() < 0.5:
            return [self._alter(table, f"CHANGE {column.name} {name} {column.type}{self._place(table)}")]
        return [self._alter(table, f"RENAME COLUMN {column.name} TO {name}")]

    def _swap_columns(self, table: Table) -> Change:
        one, other = self.name(table, True), self.name(table, True)
        if self.chance.random() < 0.5:
            return [self._alter(table, f"RENAME COLUMN {one} TO {other}", f"RENAME COLUMN {other} TO {one}")]
        renames = [(one, "swapped"), (other, one), ("swapped", other)]
        return [self._alter(table, f"RENAME COLUMN {a} TO {b}") for a, b in renames]

    def _replace(self, table: Table) -> Change:
        column = self.plain(table)
        declared = column.type if self.chance.random() < 0.6 else self.new_type()
        drop, add = f"DROP COLUMN {column.name}", f"ADD COLUMN {column.name} {declared}{self._place(table)}"
        if self.chance.random() < 0.3:
            return [self._alter(table, drop, add)]
        return [self._alter(table, drop), self._rows.statement(table), self._alter(table, add)]

    def _modify(self, table: Table) -> Change:
        column = self.chance.choice(table.written)
        known = next((wider for name, wider in _WIDER.items() if column.type.split("(")[0] == name), ["text"])
        wanted = self.chance.choice(_WIDER.get(column.type, known))
        return [self._alter(table, f"MODIFY {column.name} {wanted}{self._place(table)}")]

    def _many_clauses(self, table: Table) -> Change:
        column = self.plain(table)
        ways = [
            self._added(table),
            f"DROP COLUMN {self.name(table, True)}",
            f"MODIFY {column.name} {column.type} NULL{self._place(table)}",
            f"ADD INDEX {self.index_name()} ({self.columns(table)})",
            f"COMMENT = 'c{self.chance.randrange(9)}'",
            f"CHANGE {column.name} {self.name(table)} {column.type}",
        ]
        return [self._alter(table, *self.chance.sample(ways, self.chance.randrange(2, 5)))]

    def _migration(self, table: Table) -> Change:
        name = self.name(table)
        added = f"ADD COLUMN {name} int NOT NULL DEFAULT {self.chance.randrange(9)}"
        return [self._alter(table, added), f"ALTER TABLE {table.name} ALTER COLUMN {name} DROP DEFAULT"]

    def _nullability(self, table: Table) -> Change:
        column = self.plain(table)
        if column.nullable:
            fill = f"UPDATE {table.name} SET {column.name} = {self.default(column.type)} WHERE {column.name} IS NULL"
            return [fill, self._alter(table, f"MODIFY {column.name} {column.type} NOT NULL")]
        return [self._alter(table, f"MODIFY {column.name} {column.type} NULL")]

    def _sloppy(self, table: Table) -> Change:
        """Without the strict mode the server changes values that do not fit."""
        column = self.plain(table)
        ways = [f"MODIFY {column.name} {column.type} NOT NULL", "CONVERT TO CHARACTER SET latin1"]
        narrow = f"MODIFY {column.name} varchar(2)"
        return [_SLOPPY, f"ALTER TABLE {table.name} {self.chance.choice([*ways, narrow])}", _STRICT]

    def _default(self, table: Table) -> Change:
        column = self.plain(table)
        ways = [f"SET DEFAULT {self.default(column.type)}", "DROP DEFAULT"]
        return [self._alter(table, f"ALTER COLUMN {column.name} {self.chance.choice(ways)}")]

    def _volatile(self, table: Table) -> Change:
        ways = ["datetime(6) DEFAULT CURRENT_TIMESTAMP(6)", "varchar(40) DEFAULT (uuid())", "int AUTO_INCREMENT UNIQUE"]
        return [self._alter(table, f"ADD COLUMN {self.name(table)} {self.chance.choice(ways)}")]

    def _computed(self, table: Table) -> Change:
        stored = self.chance.choice(["VIRTUAL", "STORED"])
        return [self._alter(table, f"ADD COLUMN {self.name(table)} varchar(9) AS ('x') {stored}{self._place(table)}")]

    def _odd_default(self, table: Table) -> Change:
        """The value of old rows is spelt otherwise than rows hold it."""
        odd = [f"{declared} DEFAULT {value}" for declared, values in _ODD.items() for value in values]
        added = self.chance.choice([*odd, *_IMPLIED])
        return [self._alter(table, f"ADD COLUMN {self.name(table)} {added}{self._place(table)}")]

    def _expression(self, table: Table) -> Change:
        """Columns computed of others, defined, defined again, made ordinary ones."""
        computed = [one for one in table.columns if one.computed]
        stored, plain = self.chance.choice(["VIRTUAL", "STORED", "STORED"]), self.plain(table)
        ways = [f"concat({plain.name}, '!')", f"length({plain.name})", f"coalesce({plain.name}, 'none')"]
        expression = f"varchar(60) AS ({self.chance.choice(ways)})"
        if not computed or self.chance.random() < 0.5:
            return [self._alter(table, f"ADD COLUMN {self.name(table)} {expression} {stored}{self._place(table)}")]
        one = self.chance.choice(computed)
        declared = self.chance.choice(["varchar(60)", f"{expression} STORED", f"{expression} VIRTUAL"])
        return [self._alter(table, f"MODIFY {one.name} {declared}")]

    def _client_charset(self, table: Table) -> Change:
        """The statement is in the log in another character set, and so are texts that it has."""
        name, charset = self.name(table), self.chance.choice(["latin1", "latin1", "utf8mb3"])
        ways = [
            f"ALTER TABLE {table.name} ADD COLUMN {name} varchar(20) DEFAULT 'äß'",
            f"ALTER TABLE {table.name} ADD COLUMN {name} enum('ä','b') DEFAULT 'ä'",
            f"ALTER TABLE {table.name} ADD COLUMN ü varchar(9) DEFAULT 'é'",
            f"ALTER TABLE {table.name} DROP COLUMN ü",
            f"ALTER TABLE {table.name} COMMENT = 'Größe'",
        ]
        return [f"SET NAMES {charset}", self.chance.choice(ways), self._rows.statement(table), "SET NAMES utf8mb4"]

    def _two_phases(self, table: Table) -> Change:
        """MariaDB logs that an ALTER begins, and later whether it took effect."""
        failing = f"ALTER TABLE {table.name} {self._added(table)}, ADD UNIQUE ({self.columns(table)})"
        ways = [self._alter(table, self._added(table)), failing, *self._replace(table)]
        ends = "SET binlog_alter_two_phase = OFF"
        return ["SET binlog_alter_two_phase = ON", self.chance.choice(ways), ends]

    def _charset(self, table: Table) -> Change:
        ways = [
            *(f"CONVERT TO CHARACTER SET {name}" for name in ("latin1", "utf8mb4", "utf8mb4 COLLATE utf8mb4_bin")),
            *(f"CHARACTER SET {name}" for name in ("latin1", "utf8mb4")),
            "COLLATE utf8mb4_general_ci",
        ]
        return [f"ALTER TABLE {table.name} {self.chance.choice(ways)}"]

    def _move(self, table: Table) -> Change:
        column = self.plain(table)
        return [self._alter(table, f"MODIFY {column.name} {column.type}{self._place(table) or ' FIRST'}")]

    def _key(self, table: Table) -> Change:
        columns = self.chance.choice([self.columns(table), ", ".join(table.key) or "id"])
        drop, add = "DROP PRIMARY KEY", f"ADD PRIMARY KEY ({columns})"
        return self.chance.choice(
            [[self._alter(table, drop)], [self._alter(table, drop, add)], [self._alter(table, add)]]
        )

    def _index(self, table: Table) -> Change:
        unique = "UNIQUE " if self.chance.random() < 0.4 else ""
        if self.chance.random() < 0.5:
            return [f"CREATE {unique}INDEX {self.index_name()} ON {table.name} ({self.columns(table)})"]
        return [self._alter(table, f"ADD {unique}INDEX ({self.columns(table)})")]

    def _drop_index(self, table: Table) -> Change:
        return (
            [f"DROP INDEX {self.chance.choice(table.indexes)} ON {table.name}"] if table.indexes else self._index(table)
        )

    def _truncate(self, table: Table) -> Change:
        return [f"TRUNCATE TABLE {table.name}"]

    def _rebuild(self, table: Table) -> Change:
        ways = [
            "ENGINE = InnoDB",
            "FORCE",
            f"ORDER BY {self.plain(table).name}",
            "AUTO_INCREMENT = 100",
            "ENGINE = MyISAM",
        ]
        return [f"ALTER TABLE {table.name} {self.chance.choice(ways)}"]

    def _rename_table(self, table: Table) -> Change:
        renamed = f"RENAME TABLE {table.name} TO {table.name}_old"
        back = f"ALTER TABLE {table.name}_old RENAME TO {table.name}"
        return self.chance.choice([[renamed], [renamed, back]])

    def _swap_tables(self, _table: Table) -> Change:
        renames = [("ta", "tx"), ("tb", "ta"), ("tx", "tb")]
        if self.chance.random() < 0.5:
            return ["RENAME TABLE " + ", ".join(f"{one} TO {other}" for one, other in renames)]
        return [f"RENAME TABLE {one} TO {other}" for one, other in renames]

    def _make_again(self, table: Table) -> Change:
        like = [f"CREATE TABLE copied LIKE {table.name}", f"INSERT INTO copied SELECT * FROM {table.name}"]
        ends = [f"DROP TABLE {table.name}", f"RENAME TABLE copied TO {table.name}"]
        return ["DROP TABLE IF EXISTS copied", *like[: self.chance.randrange(1, 3)], *ends]

    def _exchanged(self, table: Table) -> Change:
        """As gh-ost does."""
        ghost, gone, name = f"_{table.name}_gho", f"_{table.name}_del", self.name(table)
        if any(one.computed or one.name == name for one in table.columns):
            return self._truncate(table)
        return [
            f"DROP TABLE IF EXISTS {ghost}, {gone}",
            f"CREATE TABLE {ghost} LIKE {table.name}",
            f"ALTER TABLE {ghost} ADD COLUMN {name} int DEFAULT 5",
            f"INSERT INTO {ghost} SELECT *, 5 FROM {table.name}",
            f"RENAME TABLE {table.name} TO {gone}, {ghost} TO {table.name}",
        ]

    def _ignoring(self, table: Table) -> Change:
        return [f"ALTER IGNORE TABLE {table.name} ADD UNIQUE {self.index_name()} ({self.columns(table)})"]

    def _partition(self, table: Table) -> Change:
        part, number = self.chance.choice(table.partitions), self.chance.randrange(3, 9)
        halves = ["PARTITION q1 VALUES LESS THAN (10)", "PARTITION p1 VALUES LESS THAN (20)"]
        low = "p1" if "p1" in table.partitions else part
        ways = [
            f"ADD PARTITION (PARTITION p{number} VALUES LESS THAN ({number * 30}))",
            f"DROP PARTITION {part}",
            f"TRUNCATE PARTITION {part}",
            f"EXCHANGE PARTITION {part} WITH TABLE {table.name}_alone",
            f"REORGANIZE PARTITION {low} INTO ({', '.join(halves)})",
            f"REBUILD PARTITION {part}",
            f"OPTIMIZE PARTITION {part}",
            "REMOVE PARTITIONING",
            "PARTITION BY HASH (id) PARTITIONS 3",
            "COALESCE PARTITION 1",
        ]
        fill = f"INSERT INTO {table.name}_alone (id) VALUES ({self.chance.randrange(1, 20)})"
        return [*[fill] * self.chance.randrange(2), f"ALTER TABLE {table.name} {self.chance.choice(ways)}"]


def needs_text(column: Column) -> str:
    """The column as the oracle reads it."""
    declared, name = column.type, f"`{column.name}`"
    if "blob" in declared or "binary" in declared:
        return f"lower(hex({name}))"
    if declared.startswith("float") or "zerofill" in declared:
        return f"CAST({name} + 0e0 AS char)"
    if declared.startswith("bit("):
        return f"lpad(bin({name} + 0), {declared[4:-1]}, '0')"
    return f"CAST({name} AS char CHARACTER SET utf8mb4)"
