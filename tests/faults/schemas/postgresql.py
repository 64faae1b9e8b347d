"""Schema changes of PostgreSQL."""

import random

from tests.faults.schemas.catalog import Column, Table
from tests.faults.schemas.row_changes import RowChanges
from tests.faults.schemas.schema_changes import Change, SchemaChanges

TABLES = {
    "ta": ["CREATE TABLE {t} (id integer PRIMARY KEY, a integer, b varchar(20), c numeric(12,2), d timestamp)"],
    "tb": ["CREATE TABLE {t} (id integer PRIMARY KEY, a integer, b varchar(20), c numeric(12,2), d timestamp)"],
    "tk": ["CREATE TABLE {t} (code varchar(10), n smallint, a text, b mood, PRIMARY KEY (code, n))"],
    "tu": ["CREATE TABLE {t} (id bigint NOT NULL, a timestamp NOT NULL, b integer, PRIMARY KEY (id, a), UNIQUE (b))"],
    "tp": [
        "CREATE TABLE {t} (id integer PRIMARY KEY, a integer, b varchar(20)) PARTITION BY RANGE (id)",
        "CREATE TABLE {t}_1 PARTITION OF {t} FOR VALUES FROM (MINVALUE) TO (20)",
        "CREATE TABLE {t}_2 PARTITION OF {t} FOR VALUES FROM (20) TO (60)",
    ],
}
BEFORE = ["CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')", "CREATE TYPE place AS (x integer, name text)"]
_ODD = {
    "timestamptz": ["'2024-01-02 03:04:05+05'", "now()"],
    "timestamp": ["'2024-01-02 03:04:05.100'"],
    "date": ["'infinity'"],
    "time": ["'24:00:00'"],
    "timetz": ["'10:00:00+03'"],
    "double precision": ["5e-324", "'-0'"],
    "numeric": ["1.10", "'NaN'"],
    "numeric(5,-2)": ["1234"],
    "bit(5)": ["b'10101'"],
    "text": [r"E'it''s \\ \n x'", "''", "current_user"],
    "uuid": ["'00000000-0000-0000-0000-00000000000A'"],
    "jsonb": ["""'{"b":1, "a": 1.0}'"""],
    "json": ["'null'"],
    "bytea": [r"'\x00ff'"],
    "interval": ["'1 mon 2 days'"],
    "inet": ["'10.0.0.1/8'"],
}
"""Defaults that are spelt otherwise than rows hold them, by type."""
_WIDER = {
    "smallint": ["integer", "bigint"],
    "integer": ["bigint", "numeric(12,2)", "text"],
    "character varying(20)": ["varchar(40)", "text"],
    "character varying(40)": ["varchar(80)", "text", "varchar(20)"],
    "numeric(12,2)": ["numeric(14,2)", "numeric", "numeric(12,1)"],
    "timestamp without time zone": ["timestamptz", "timestamp(3)", "text"],
    "date": ["timestamp"],
    "text": ["varchar(200)"],
}


class PostgreSQLChanges(SchemaChanges):
    kind = "postgresql"

    def __init__(self, chance: random.Random) -> None:
        super().__init__(chance)
        self._rows = RowChanges(chance, self.kind)
        self.some(4, self._add, self._drop, self._rename, self._retype)
        self.some(3, self._replace, self._swap_columns, self._in_transaction, self._migration)
        self.some(2, self._many_clauses, self._nullability, self._index, self._default, self._truncate)
        self.some(1, self._key, self._identity, self._volatile, self._computed, self._using, self._drop_index)
        self.some(1, self._rename_table, self._swap_tables, self._make_again, self._label, self._rewrite)
        self.some(2, self._odd_default, self._expression)
        self.some(1, self._composite, self._publication)

    def changes(self, table: Table) -> Change:
        if table.partitions and self.chance.random() < 0.5:
            return self._partition(table)
        return super().changes(table)

    def _alter(self, table: Table, *clauses: str) -> str:
        return f"ALTER TABLE {table.name} {', '.join(clauses)}"

    def _added(self, table: Table) -> str:
        declared, name = self.new_type(), self.name(table)
        default = f" DEFAULT {self.default(declared)}" if self.chance.random() < 0.6 else ""
        needed = " NOT NULL" if default and self.chance.random() < 0.4 else ""
        return f"ADD COLUMN {name} {declared}{default}{needed}"

    def _add(self, table: Table) -> Change:
        return [self._alter(table, self._added(table))]

    def _drop(self, table: Table) -> Change:
        return [self._alter(table, f"DROP COLUMN {self.name(table, True)}")]

    def _rename(self, table: Table) -> Change:
        columns = [self.name(table, True), *table.key]
        return [self._alter(table, f"RENAME COLUMN {self.chance.choice(columns)} TO {self.name(table)}")]

    def _swap_columns(self, table: Table) -> Change:
        one, other, third = self.name(table, True), self.name(table, True), "swapped"
        renames = [(one, third), (other, one), (third, other)]
        return self._perhaps_together([self._alter(table, f"RENAME COLUMN {a} TO {b}") for a, b in renames])

    def _replace(self, table: Table) -> Change:
        """Drop a column and add one of the same name, in one statement or several, with rows in between or not."""
        column = self.plain(table)
        declared = column.type if self.chance.random() < 0.6 else self.new_type()
        added = f"ADD COLUMN {column.name} {declared} DEFAULT {self.default(declared)}"
        if self.chance.random() < 0.3:
            return [self._alter(table, f"DROP COLUMN {column.name}", added)]
        parts = [
            self._alter(table, f"DROP COLUMN {column.name}"),
            self._rows.statement(table),
            self._alter(table, added),
        ]
        return self._perhaps_together(parts if self.chance.random() < 0.5 else [parts[0], parts[2]])

    def _retype(self, table: Table) -> Change:
        column = self.chance.choice(table.written)
        wanted = _WIDER.get(column.type, ["text"])
        return [self._alter(table, f"ALTER COLUMN {column.name} TYPE {self.chance.choice(wanted)}")]

    def _using(self, table: Table) -> Change:
        column = self.plain(table)
        way = self.chance.choice(["{c}::text || 'x'", "upper({c}::text)", "NULL", "reverse({c}::text)"])
        used = way.format(c=column.name)
        declared = column.type if self.chance.random() < 0.5 else "text"
        return [self._alter(table, f"ALTER COLUMN {column.name} TYPE {declared} USING ({used})::{declared}")]

    def _in_transaction(self, table: Table) -> Change:
        """Several changes and rows, which hold or are taken back together."""
        parts: Change = []
        for _ in range(self.chance.randrange(2, 5)):
            ways = [
                self._add,
                self._drop,
                self._rename,
                self._replace,
                self._nullability,
                self._default,
                self._truncate,
            ]
            flat = [one for one in self.chance.choice(ways)(table) if one not in ("BEGIN", "COMMIT")]
            parts += [self._rows.statement(table), *flat] if self.chance.random() < 0.6 else flat
        if self.chance.random() < 0.25:
            parts.insert(self.chance.randrange(len(parts)), "SAVEPOINT s")
            parts.append("ROLLBACK TO s")
        return ["BEGIN", *parts, self.chance.choice(["COMMIT", "COMMIT", "COMMIT", "ROLLBACK"])]

    def _migration(self, table: Table) -> Change:
        """As frameworks do: a column with a default for the old rows, which goes at once."""
        declared, name = self.new_type(), self.name(table)
        added = f"ADD COLUMN {name} {declared} DEFAULT {self.default(declared)} NOT NULL"
        return self._perhaps_together(
            [self._alter(table, added), self._alter(table, f"ALTER COLUMN {name} DROP DEFAULT")]
        )

    def _many_clauses(self, table: Table) -> Change:
        column = self.plain(table)
        wider = self.chance.choice(_WIDER.get(column.type, ["text"]))
        ways = [
            self._added(table),
            f"DROP COLUMN {self.name(table, True)}",
            f"ALTER COLUMN {column.name} TYPE {wider}",
            f"ALTER COLUMN {column.name} DROP NOT NULL",
        ]
        return [self._alter(table, *self.chance.sample(ways, self.chance.randrange(2, 4)))]

    def _nullability(self, table: Table) -> Change:
        column = self.plain(table)
        if column.nullable:
            fill = f"UPDATE {table.name} SET {column.name} = {self.default(column.type)} WHERE {column.name} IS NULL"
            return [fill, self._alter(table, f"ALTER COLUMN {column.name} SET NOT NULL")]
        return [self._alter(table, f"ALTER COLUMN {column.name} DROP NOT NULL")]

    def _default(self, table: Table) -> Change:
        column = self.plain(table)
        ways = [f"SET DEFAULT {self.default(column.type)}", "DROP DEFAULT"]
        return [self._alter(table, f"ALTER COLUMN {column.name} {self.chance.choice(ways)}")]

    def _volatile(self, table: Table) -> Change:
        way = self.chance.choice(
            ["timestamptz DEFAULT clock_timestamp()", "serial", "double precision DEFAULT random()"]
        )
        return [self._alter(table, f"ADD COLUMN {self.name(table)} {way}")]

    def _computed(self, table: Table) -> Change:
        return [self._alter(table, f"ADD COLUMN {self.name(table)} text GENERATED ALWAYS AS ('x') STORED")]

    def _odd_default(self, table: Table) -> Change:
        """The value of old rows is spelt otherwise than rows hold it."""
        odd = [f"{declared} DEFAULT {value}" for declared, values in _ODD.items() for value in values]
        return [self._alter(table, f"ADD COLUMN {self.name(table)} {self.chance.choice(odd)}")]

    def _expression(self, table: Table) -> Change:
        """Columns computed of others, which the log does not have, and that become ordinary ones."""
        computed, plain = [one for one in table.columns if one.computed], self.plain(table)
        text = f"{plain.name}::text"
        ways = [f"({text} || '!')", f"(coalesce({text}, 'none'))", f"(length({text}))"]
        if not computed or self.chance.random() < 0.5:
            declared = f"text GENERATED ALWAYS AS ({self.chance.choice(ways)}) STORED"
            return [self._alter(table, f"ADD COLUMN {self.name(table)} {declared}")]
        name = self.chance.choice(computed).name
        end = self.chance.choice(["DROP EXPRESSION", f"SET EXPRESSION AS {self.chance.choice(ways)}"])
        return [self._alter(table, f"ALTER COLUMN {name} {end}")]

    def _composite(self, table: Table) -> Change:
        """A type of several attributes, which is altered while columns have it."""
        number = self.chance.randrange(3)
        ways = [
            [self._alter(table, f"ADD COLUMN {self.name(table)} place DEFAULT (1, 'x, y')")],
            [f"ALTER TYPE place ADD ATTRIBUTE z{number} integer"],
            [f"ALTER TYPE place DROP ATTRIBUTE IF EXISTS z{number}"],
        ]
        return self.chance.choice(ways)

    def _publication(self, table: Table) -> Change:
        """Tables that are published are changed by hand, and put back or not. `{publication}`: the link's. (Its other
        options lose the log of all tables at once.)"""
        alter, rows = "ALTER PUBLICATION {publication}", self._rows.statement(table)
        some = ", ".join([*table.key, *(one.name for one in table.plain[:1])]) or "id"
        out, back = f"{alter} DROP TABLE {table.name}", f"{alter} ADD TABLE {table.name}"
        ways = [
            [out],
            [out, rows, back],
            [out, back],
            [out, f"{alter} ADD TABLE {table.name} ({some})"],
            [out, f"{alter} ADD TABLE {table.name} WHERE ({(table.key or ('id',))[0]} IS NULL)", rows, out, back],
        ]
        return self.chance.choice(ways)

    def _key(self, table: Table) -> Change:
        drop = f"DROP CONSTRAINT IF EXISTS {table.name}_pkey"
        columns = self.chance.choice([self.columns(table), ", ".join(table.key) or "id"])
        deferrable = self.chance.choice(["", "", " DEFERRABLE", " DEFERRABLE INITIALLY DEFERRED"])
        add = f"ADD PRIMARY KEY ({columns}){deferrable}"
        return self.chance.choice(
            [[self._alter(table, drop)], [self._alter(table, drop, add)], [self._alter(table, add)]]
        )

    def _identity(self, table: Table) -> Change:
        indexes = [f"USING INDEX {name}" for name in table.indexes]
        return [self._alter(table, f"REPLICA IDENTITY {self.chance.choice(['FULL', 'DEFAULT', 'NOTHING', *indexes])}")]

    def _index(self, table: Table) -> Change:
        unique = "UNIQUE " if self.chance.random() < 0.4 else ""
        condition = f" WHERE {self.plain(table).name} IS NOT NULL" if self.chance.random() < 0.2 else ""
        return [
            f"CREATE {unique}INDEX {table.name}_{self.index_name()} ON {table.name} ({self.columns(table)}){condition}"
        ]

    def _drop_index(self, table: Table) -> Change:
        return [f"DROP INDEX {self.chance.choice(table.indexes)}"] if table.indexes else self._index(table)

    def _truncate(self, table: Table) -> Change:
        return [f"TRUNCATE {table.name}"]

    def _rename_table(self, table: Table) -> Change:
        renamed = self._alter(table, f"RENAME TO {table.name}_old")
        back = f"ALTER TABLE {table.name}_old RENAME TO {table.name}"
        return self.chance.choice([[renamed], [renamed, back], ["BEGIN", renamed, back, "COMMIT"]])

    def _swap_tables(self, _table: Table) -> Change:
        renames = [("ta", "tx"), ("tb", "ta"), ("tx", "tb")]
        return self._perhaps_together([f"ALTER TABLE {one} RENAME TO {other}" for one, other in renames])

    def _make_again(self, table: Table) -> Change:
        copied = f"CREATE TABLE copied (LIKE {table.name} INCLUDING ALL)"
        filled = self.chance.choice([[], [f"INSERT INTO copied SELECT * FROM {table.name}"]])
        ends = [f"DROP TABLE {table.name}", f"ALTER TABLE copied RENAME TO {table.name}"]
        return self._perhaps_together(["DROP TABLE IF EXISTS copied", copied, *filled, *ends])

    def _label(self, _table: Table) -> Change:
        number = self.chance.randrange(100)
        ways = [
            f"ADD VALUE 'new{number}'",
            f"RENAME VALUE 'happy' TO 'glad{number}'",
            f"RENAME VALUE 'ok' TO 'fine{number}'",
        ]
        return [f"ALTER TYPE mood {self.chance.choice(ways)}"]

    def _rewrite(self, table: Table) -> Change:
        return [
            self.chance.choice([f"VACUUM FULL {table.name}", f"VACUUM FREEZE {table.name}", f"ANALYZE {table.name}"])
        ]

    def _partition(self, table: Table) -> Change:
        part = self.chance.choice(table.partitions)
        number = self.chance.randrange(3, 9)
        new, bounds = f"{table.name}_{number}", f"FOR VALUES FROM ({number * 20}) TO ({number * 20 + 20})"
        made = f"CREATE TABLE {new} (LIKE {table.name} INCLUDING ALL)"
        attach = self._alter(table, f"ATTACH PARTITION {new} {bounds}")
        fill = f"INSERT INTO {new} (id) VALUES ({number * 20 + 1})"
        ways = [
            [f"CREATE TABLE {new} PARTITION OF {table.name} {bounds}", fill],
            self._perhaps_together([made, attach]),
            self._perhaps_together([made, fill, attach]),
            [self._alter(table, f"DETACH PARTITION {part}")],
            [f"DROP TABLE {part}"],
            [f"TRUNCATE {part}"],
            [f"DELETE FROM {part}"],
            [f"TRUNCATE {table.name}"],
        ]
        return self.chance.choice(ways)

    def _perhaps_together(self, statements: Change) -> Change:
        return ["BEGIN", *statements, "COMMIT"] if self.chance.random() < 0.5 else statements


def needs_text(column: Column) -> str:
    """The column as the oracle reads it."""
    if column.type == "boolean":
        return f'"{column.name}"::int::text'
    return f"encode(\"{column.name}\", 'hex')" if column.type == "bytea" else f'"{column.name}"::text'
