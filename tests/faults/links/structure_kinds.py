"""Thirty-odd ways to change a table's structure, in both dialects, and how each must end."""

from dataclasses import dataclass

_COLUMNS = {
    "postgresql": """id integer PRIMARY KEY, v integer NOT NULL, a integer, b varchar(20), c numeric(10,2),
        d timestamp(6), e varchar(10) DEFAULT 'x' NOT NULL, small smallint DEFAULT 1, word text""",
    "mysql": """id int PRIMARY KEY, v int NOT NULL, a int, b varchar(20), c decimal(10,2),
        d datetime(6), e varchar(10) DEFAULT 'x' NOT NULL, small smallint DEFAULT 1, word text""",
}
ROW = "({id}, {v}, {id} * 10, 'b{id}', {id} / 4, '2024-02-29 10:20:30.5', DEFAULT, DEFAULT, 'wörd')"


@dataclass(frozen=True)
class Kind:
    """A table of its own with its statements. `ends`: reasons with which it may end stopped; (): it must continue."""

    table: str
    postgresql: tuple[str, ...]
    mysql: tuple[str, ...]
    ends: tuple[str, ...] = ()

    def statements(self, dialect: str) -> list[str]:
        """What is run, one after the other without a pause."""
        return [text.replace("{t}", self.table) for text in getattr(self, dialect)]


def both(table: str, *statements: str, ends: tuple[str, ...] = ()) -> Kind:
    return Kind(table, statements, statements, ends)


def create(kind: Kind, dialect: str) -> str:
    """The table before its change. The unique key that goes is one that rows break as soon as it is gone."""
    unique = ", UNIQUE (v)" if kind.table == "k_unique_dropped" else ""
    return f"CREATE TABLE {kind.table} ({_COLUMNS[dialect]}{unique})"


KINDS = (
    both("k_added", "ALTER TABLE {t} ADD COLUMN n integer"),
    both("k_added_default", "ALTER TABLE {t} ADD COLUMN n integer DEFAULT 7"),
    both("k_added_not_null", "ALTER TABLE {t} ADD COLUMN n varchar(9) DEFAULT 'it''s' NOT NULL"),
    Kind(
        "k_added_in_front",
        ("ALTER TABLE {t} ADD COLUMN n integer, ADD COLUMN m text",),
        ("ALTER TABLE {t} ADD COLUMN n int FIRST, ADD COLUMN m text AFTER v",),
    ),
    both("k_added_decimal", "ALTER TABLE {t} ADD COLUMN n numeric(12,3) DEFAULT 1.500"),
    both(
        "k_added_moment",
        "ALTER TABLE {t} ADD COLUMN n timestamp DEFAULT CURRENT_TIMESTAMP",
        ends=("schema-not-followed",),
    ),
    both("k_dropped", "ALTER TABLE {t} DROP COLUMN a"),
    both("k_dropped_two", "ALTER TABLE {t} DROP COLUMN a, DROP COLUMN word"),
    both("k_dropped_and_added", "ALTER TABLE {t} DROP COLUMN a", "ALTER TABLE {t} ADD COLUMN a integer DEFAULT 3"),
    both("k_dropped_and_added_at_once", "ALTER TABLE {t} DROP COLUMN a, ADD COLUMN n integer"),
    Kind(
        "k_renamed",
        ("ALTER TABLE {t} RENAME COLUMN a TO n",),
        ("ALTER TABLE {t} CHANGE a n int",),
    ),
    both("k_renamed_twice", "ALTER TABLE {t} RENAME COLUMN a TO m", "ALTER TABLE {t} RENAME COLUMN m TO n"),
    both(
        "k_exchanged",
        "ALTER TABLE {t} RENAME COLUMN a TO tmp",
        "ALTER TABLE {t} RENAME COLUMN small TO a",
        "ALTER TABLE {t} RENAME COLUMN tmp TO small",
        ends=("schema-not-followed",),
    ),
    both(
        "k_renamed_and_replaced",
        "ALTER TABLE {t} RENAME COLUMN b TO old",
        "ALTER TABLE {t} ADD COLUMN b varchar(20) DEFAULT 'new'",
    ),
    Kind(
        "k_int_to_bigint",
        ("ALTER TABLE {t} ALTER COLUMN a TYPE bigint",),
        ("ALTER TABLE {t} MODIFY a bigint",),
        # PostgreSQL rewrites the table and does not log the expression.
        ("schema-not-followed",),
    ),
    Kind(
        "k_longer_text",
        ("ALTER TABLE {t} ALTER COLUMN b TYPE varchar(200)",),
        ("ALTER TABLE {t} MODIFY b varchar(200)",),
    ),
    Kind(
        "k_varchar_to_text",
        ("ALTER TABLE {t} ALTER COLUMN b TYPE text",),
        ("ALTER TABLE {t} MODIFY b text",),
    ),
    Kind(
        "k_more_digits",
        ("ALTER TABLE {t} ALTER COLUMN c TYPE numeric(14,2)",),
        ("ALTER TABLE {t} MODIFY c decimal(14,2)",),
    ),
    Kind(
        "k_fewer_digits",
        ("ALTER TABLE {t} ALTER COLUMN c TYPE numeric(10,1)",),
        ("ALTER TABLE {t} MODIFY c decimal(10,1)",),
        ("schema-not-followed",),
    ),
    Kind(
        "k_int_to_text",
        ("ALTER TABLE {t} ALTER COLUMN a TYPE varchar(20) USING a || 'x'",),
        ("ALTER TABLE {t} MODIFY a varchar(20)",),
        ("schema-not-followed",),
    ),
    both("k_default_set", "ALTER TABLE {t} ALTER COLUMN b SET DEFAULT 'none'"),
    both("k_default_dropped", "ALTER TABLE {t} ALTER COLUMN small DROP DEFAULT"),
    Kind(
        "k_not_null",
        ("ALTER TABLE {t} ALTER COLUMN b SET NOT NULL",),
        ("ALTER TABLE {t} MODIFY b varchar(20) NOT NULL",),
    ),
    Kind(
        "k_nullable",
        ("ALTER TABLE {t} ALTER COLUMN e DROP NOT NULL", "UPDATE {t} SET e = NULL WHERE id < 20"),
        ("ALTER TABLE {t} MODIFY e varchar(10) DEFAULT 'x'", "UPDATE {t} SET e = NULL WHERE id < 20"),
    ),
    Kind(
        "k_comments",
        ("COMMENT ON TABLE {t} IS 'a; table''s'", "COMMENT ON COLUMN {t}.a IS '列'"),
        ("ALTER TABLE {t} COMMENT = 'a; table''s'", "ALTER TABLE {t} MODIFY a int COMMENT '列'"),
    ),
    both("k_index", "CREATE INDEX k_index_a ON {t} (a)"),
    both("k_unique", "CREATE UNIQUE INDEX k_unique_v ON {t} (id, v)"),
    Kind(
        "k_unique_dropped",
        ("ALTER TABLE {t} DROP CONSTRAINT k_unique_dropped_v_key",),
        ("ALTER TABLE {t} DROP INDEX v",),
    ),
    both("k_truncated", "TRUNCATE TABLE {t}"),
    both("k_table_renamed", "ALTER TABLE {t} RENAME TO k_new_name", ends=("table-refused", "table-missing")),
    both("k_table_dropped", "DROP TABLE {t}", ends=("table-refused", "table-missing")),
    Kind(
        "k_key",
        ("ALTER TABLE {t} DROP CONSTRAINT k_key_pkey, ADD PRIMARY KEY (id, v)",),
        ("ALTER TABLE {t} DROP PRIMARY KEY, ADD PRIMARY KEY (id, v)",),
        ("table-refused", "key-changed"),
    ),
    Kind(
        "k_all_at_once",
        (
            "ALTER TABLE {t} DROP COLUMN a, ADD COLUMN n integer DEFAULT 4, ALTER COLUMN b TYPE varchar(90), "
            "ALTER COLUMN e SET DEFAULT 'y'",
            "ALTER TABLE {t} RENAME COLUMN word TO words",
        ),
        (
            "ALTER TABLE {t} DROP a, ADD COLUMN n int DEFAULT 4 AFTER id, MODIFY b varchar(90), "
            "ALTER COLUMN e SET DEFAULT 'y', CHANGE word words text",
        ),
    ),
    both(
        "k_many",
        *(f"ALTER TABLE {{t}} ADD COLUMN n{number} integer DEFAULT {number}" for number in range(6)),
        *(f"ALTER TABLE {{t}} DROP COLUMN n{number}" for number in range(0, 6, 2)),
        # PostgreSQL's log does not show to which column a name belonged that was added and dropped since.
        ends=("schema-not-followed", "table-refused"),
    ),
)
