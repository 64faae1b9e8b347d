"""Changes of a table's schema, and whether a target can apply them without a reload."""

from dataclasses import dataclass

from zcbus.model.defaults import has_default, plain_value
from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import INTEGERS, SIGNED, UNSIGNED, DataType, Kind

_FRACTIONS = frozenset({Kind.TIME, Kind.TIME_TZ, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ, Kind.DURATION})
_ZERO = frozenset({*INTEGERS, Kind.DECIMAL, Kind.FLOAT32, Kind.FLOAT64})


@dataclass(frozen=True, slots=True)
class Problem:
    """A change that a target cannot apply.

    `why`: renamed-or-replaced, type-changed, values-rewritten (all rows were stored again with the new type: an
    expression may have changed their values), values-unknown.
    """

    column: str
    why: str
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class StructureChange:
    """Changes of a table's columns. Pairs are (before, after)."""

    added: tuple[Column, ...]
    dropped: tuple[Column, ...]
    retained: tuple[tuple[Column, Column], ...]
    problems: tuple[Problem, ...]

    @property
    def renamed(self) -> tuple[tuple[str, str], ...]:
        return tuple((before.name, after.name) for before, after in self.retained if before.name != after.name)

    @property
    def retyped(self) -> tuple[tuple[Column, Column], ...]:
        return tuple(pair for pair in self.retained if pair[0].type.native != pair[1].type.native)

    @property
    def redefined(self) -> tuple[Column, ...]:
        """Columns with a changed default, nullability or comment, in their new form."""
        return tuple(after for before, after in self.retained if _attributes(before) != _attributes(after))


def compare(before: TableSchema, after: TableSchema, fills_not_null: bool = False) -> StructureChange:
    """Compare two versions of a table's schema. `fills_not_null`: see `value_in_old_rows`."""
    pairs = _pairs(before, after)
    matched_before = {one.name for one, _ in pairs}
    matched_after = {other.name for _, other in pairs}
    dropped = tuple(column for column in before.columns if column.name not in matched_before)
    added = tuple(column for column in after.columns if column.name not in matched_after)
    problems = [*_ambiguous(dropped, added), *_type_problems(pairs)]
    problems += [
        Problem(c.name, "values-unknown", after=c.type.native) for c in added if not has_known_value(c, fills_not_null)
    ]
    return StructureChange(added, dropped, tuple(pairs), tuple(problems))


def value_in_old_rows(column: Column, fills_not_null: bool) -> str | None:
    """The value of an added column in older rows, as text; see `has_known_value`.

    `fills_not_null`: whether the database fills a NOT NULL column with the zero of its type.
    """
    if column.initial_known:
        return column.initial
    if column.default is None or not has_default(column):
        return _implied(column) if fills_not_null else None
    return plain_value(column.default)


def has_known_value(column: Column, fills_not_null: bool) -> bool:
    """Whether the value of an added column in older rows is known."""
    if column.initial_known is not None:
        return column.initial_known and (column.initial is None or column.type.kind is not Kind.BINARY)
    if column.identity or column.generated:
        return False
    if column.type.kind is Kind.TIMESTAMP_TZ and has_default(column):
        return False  # Its text is in the session's time zone, which the log does not contain.
    if has_default(column):
        return value_in_old_rows(column, fills_not_null) is not None and column.type.kind is not Kind.BINARY
    return column.nullable or not fills_not_null or _implied(column) is not None


def is_widening(before: DataType, after: DataType) -> bool:
    """Whether every value of the old type has the same text in the new one."""
    for order in (SIGNED, UNSIGNED):
        if before.kind in order and after.kind in order:
            return order.index(before.kind) <= order.index(after.kind)
    if before.kind in UNSIGNED and after.kind in SIGNED:
        return UNSIGNED.index(before.kind) < SIGNED.index(after.kind)
    if before.kind is not after.kind or before.fixed != after.fixed:
        return False
    if before.kind in (Kind.TEXT, Kind.BINARY):
        return not before.fixed and _at_least(after.length, before.length)
    if before.kind is Kind.DECIMAL:
        return before.scale == after.scale and _at_least(after.precision, before.precision)
    if before.kind in (Kind.ENUM, Kind.SET):
        return after.values[: len(before.values)] == before.values
    if before.kind in _FRACTIONS:
        return _at_least(after.precision, before.precision)
    return False


def _pairs(before: TableSchema, after: TableSchema) -> list[tuple[Column, Column]]:
    numbered = all(column.number for column in (*before.columns, *after.columns))
    by_number = {column.number: column for column in before.columns}
    by_name = {column.name: column for column in before.columns}
    pairs = []
    for column in after.columns:
        if numbered:
            found = by_number.get(column.number)
        else:
            found = by_name.get(column.name)
            if found is None and column.former not in after.names:
                found = by_name.get(column.former)
        if found is not None:
            pairs.append((found, column))
    return pairs


def _ambiguous(dropped: tuple[Column, ...], added: tuple[Column, ...]) -> list[Problem]:
    """Problems with columns identified by name only: a dropped and an added one may be the same."""
    return [
        Problem(new.name, "renamed-or-replaced", old.name, new.name)
        for old in dropped
        for new in added
        if not (old.number and new.number) and old.type.native == new.type.native
    ]


def _type_problems(pairs: list[tuple[Column, Column]]) -> list[Problem]:
    found = []
    for before, after in pairs:
        if before.type.native != after.type.native:
            widened = is_widening(before.type, after.type)
            why = "values-rewritten" if widened and after.rewritten else "" if widened else "type-changed"
            if why:
                found.append(Problem(after.name, why, before.type.native, after.type.native))
    return found


def _implied(column: Column) -> str | None:
    """The zero that fills a NOT NULL column."""
    if column.nullable:
        return None
    if column.type.kind in _ZERO:
        return "0"
    return "" if column.type.kind is Kind.TEXT else None


def _attributes(column: Column) -> tuple[object, ...]:
    return column.nullable, column.default, column.comment


def _at_least(after: int | None, before: int | None) -> bool:
    return after is None or (before is not None and after >= before)


def describe_change(before: TableSchema, after: TableSchema) -> str:
    """The schema change as an ALTER TABLE statement, for display."""
    return f"ALTER TABLE {after.name} " + ", ".join(change_clauses(before, after))


def compares_keys_otherwise(before: TableSchema | None, after: TableSchema, key: tuple[str, ...]) -> bool:
    """Whether texts of a key column have another collation than before; False where `before` is not known."""
    if before is None:
        return False
    known = {(column.name, column.collation) for column in before.columns}
    return any((column.name, column.collation) not in known for column in after.columns if column.name in key)


def change_clauses(before: TableSchema, after: TableSchema) -> list[str]:
    """Each change as an SQL clause; []: no relevant change."""
    change = compare(before, after)
    clauses = [f"RENAME TO {after.name}"] if before.name != after.name else []
    clauses += [f"ADD COLUMN {column.name} {column.type.native}" for column in change.added]
    clauses += [f"DROP COLUMN {column.name}" for column in change.dropped]
    clauses += [f"RENAME COLUMN {old} TO {new}" for old, new in change.renamed]
    clauses += [f"ALTER COLUMN {column.name} TYPE {column.type.native}" for _, column in change.retyped]
    clauses += [f"ALTER COLUMN {column.name}" for column in change.redefined]
    renamed = dict(change.renamed)
    if tuple(renamed.get(name, name) for name in before.primary_key) != after.primary_key:
        clauses += [f"ADD PRIMARY KEY ({', '.join(after.primary_key)})" if after.primary_key else "DROP PRIMARY KEY"]
    clauses += [f"DROP INDEX {index.name}" for index in before.indexes if index not in after.indexes]
    clauses += [f"ADD INDEX {index.name}" for index in after.indexes if index not in before.indexes]
    return clauses
