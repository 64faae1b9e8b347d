"""Schemas of captured tables along the log, remembered over restarts.

Each table is identified by its oid from the moment of its capture. Each relation message is compared with the previous
schema and with the catalog (see column_identity). A change that cannot be proved stops the table: TableRefused.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.postgresql.capture.backlog import log_end
from zcbus.connectors.postgresql.capture.column_identity import KnownColumns, agreed, identify
from zcbus.connectors.postgresql.capture.commit_order import CommitOrder, Committed, Order
from zcbus.connectors.postgresql.capture.table_identity import any_partitioned, by_name, name_of, refusal
from zcbus.connectors.postgresql.capture.table_version import Version, version_from_json, version_to_json
from zcbus.connectors.postgresql.capture.value_rewrites import Suspicion, suspicion, with_own_rewrite
from zcbus.connectors.postgresql.capture.visibility import wait_until_visible
from zcbus.connectors.postgresql.catalog.attributes import Attribute, TableAttributes, read_attributes
from zcbus.connectors.postgresql.catalog.tables import read_schemas
from zcbus.connectors.postgresql.catalog.types import data_type, load_types
from zcbus.connectors.postgresql.connection.session import Connection
from zcbus.connectors.postgresql.pgoutput.decoder import Described
from zcbus.connectors.postgresql.pgoutput.relations import Relation, RelationColumn
from zcbus.connectors.postgresql.pgoutput.rows import CapturedShape
from zcbus.connectors.postgresql.transaction_ids import is_newer
from zcbus.connectors.roles import CapturedTable, SchemaHistory
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind


class SchemaTracker:
    """The captured tables of one change stream. Not for several threads."""

    def __init__(
        self,
        catalog: Callable[[], Connection],
        tables: Sequence[CapturedTable],
        after: int,
        history: SchemaHistory | None,
        order: CommitOrder,
    ) -> None:
        """`after`: everything up to this position is durable on the bus.

        Raises TableRefused if another table now has a captured one's name, TransientError if the history cannot be
        written.
        """
        self._catalog, self._history, self._order = catalog, history, order
        self._tables = {table.name: table for table in tables}
        self._oids: dict[int, TableName] = {}
        self._versions: dict[TableName, list[Version]] = {}
        self._durable = after
        stored = self._read()
        for name, (oid, versions) in self._found(stored).items():
            self._oids[oid], self._versions[name] = name, versions
        self._current: dict[TableName, Version] = {}
        self._suspicions: dict[int, Suspicion] = {}
        self.rewind(after)
        if self._document() != stored:
            self._write()

    @property
    def oids(self) -> Mapping[int, TableName]:
        """The captured tables."""
        return self._oids

    def acknowledge(self, position: int) -> None:
        """Record that everything up to `position` is durable on the bus."""
        self._durable = max(self._durable, position)

    def rewind(self, position: int) -> None:
        """Go back to the schemas at `position`: the log is read again from there."""
        for name, versions in self._versions.items():
            self._current[name] = [versions[0], *(one for one in versions if one.final < position)][-1]

    def resolve(self, described: Described) -> CapturedShape | None:
        """How the rows of a relation are to be captured; None: it is not captured. Raises TableRefused,
        SourceUnavailable."""
        relation = described.relation
        name = self._oids.get(relation.oid)
        if name is None:
            if relation.name in self._tables:
                raise TableRefused(table=str(relation.name), column="", reason="table-replaced")
            return None
        if name != relation.name:
            raise refusal(self._catalog(), name, relation.name)
        table, before = self._tables[name], self._current[name]
        version = self._next(before, described, table)
        for column in table.key:
            if column not in version.schema.names:
                raise TableRefused(table=str(name), column=column, reason="key-column-missing")
        # Rows are known by a key of the table's own: when it is none any more, two rows may be one.
        if before.schema.has_key(table.key) and not version.schema.has_key(table.key):
            raise TableRefused(table=str(name), column=", ".join(table.key), reason="key-dropped")
        if described.final >= self._versions[name][0].read_at:
            self._check_identity(table, relation)
        self._current[name] = version
        if _content(version) != _content(before):
            kept = [one for one in self._versions[name] if one.final < described.final or one is before]
            older = [one for one in kept if one.final < self._durable]
            self._versions[name] = [*kept[max(0, len(older) - 1) :], version]
            self._write()
        return CapturedShape(version.schema, table.key)

    def _check_identity(self, table: CapturedTable, relation: Relation) -> None:
        """An update of a key that the log has no old values of would be taken for one of another row. For partitioned
        tables the log says nothing of their partitions' identities; IdentityWatch finds them."""
        lacking = set(table.key) - relation.identity
        if lacking and not any_partitioned(self._catalog(), [relation.oid]):
            raise TableRefused(table=str(table.name), column=min(lacking), reason="key-not-in-replica-identity")

    def truncated(self, oid: int, transaction: int, final: int) -> None:
        """The log has a TRUNCATE of a table. `final`: where the transaction's commit record starts."""
        suspected = self._suspicions.get(oid)
        if suspected is None or not suspected.is_dispelled(Committed(transaction, final), self._order):
            return
        del self._suspicions[oid]
        name, today = self._oids[oid], suspected.today
        current = self._current[name]
        settled = replace(current, files=today.files, changed=_changed(today))
        self._versions[name] = [settled if one is current else one for one in self._versions[name]]
        self._current[name] = settled
        self._write()

    def scan(self, files: Mapping[int, str]) -> None:
        """Suspect tables whose rows may never come again: a relation is described only before rows.

        `files`: by oid, see TableAttributes; "" for partitioned tables.
        """
        other = [
            oid
            for oid, name in self._oids.items()
            if oid not in self._suspicions and files.get(oid, "") not in ("", self._current[name].files)
        ]
        if not other:
            return
        attributes, end = read_attributes(self._catalog(), other), log_end(self._catalog())
        for oid, today in attributes.items():
            before = self._current[self._oids[oid]]
            found = suspicion(before.files, before.changed, before.known.columns, today, end, retyped=True)
            if found is not None:
                self._suspicions[oid] = found

    def check(self, reached: int) -> None:
        """Raise TableRefused for a table whose values were rewritten, if the log up to `reached` has no TRUNCATE that
        explains its files."""
        for oid, suspected in self._suspicions.items():
            if reached >= suspected.until:
                raise _values_rewritten(self._oids[oid], suspected)

    def _found(self, stored: Mapping[str, Any]) -> dict[TableName, tuple[int, list[Version]]]:
        """The captured tables with their oids and versions: stored ones, or the catalog's for new tables."""
        kept = {TableName(*entry["name"]): entry for entry in stored.values()}
        connection, names = self._catalog(), list(self._tables)
        oids = {TableName(schema, table): oid for oid, schema, table in by_name(connection, names)}
        found = {}
        new = [name for name in names if name not in kept and name in oids]
        attributes = read_attributes(connection, [oids[name] for name in new]) if new else {}
        schemas = read_schemas(connection, new) if new else {}
        end = log_end(connection) if new else 0
        for name in names:
            if name in kept:
                entry = kept[name]
                if oids.get(name) != entry["oid"]:
                    raise refusal(connection, name, name_of(connection, entry["oid"]))
                found[name] = (entry["oid"], [version_from_json(one) for one in entry["versions"]])
            elif name in schemas and oids[name] in attributes:
                today = attributes[oids[name]]
                known = KnownColumns(_columns(today.alive), today.highest)
                found[name] = (oids[name], [Version(0, end, today.files, _changed(today), known, schemas[name])])
        return found

    def _next(self, before: Version, described: Described, table: CapturedTable) -> Version:
        connection, relation = self._catalog(), described.relation
        wait_until_visible(connection, described.transaction)
        today = read_attributes(connection, [relation.oid]).get(relation.oid)
        schema = read_schemas(connection, [relation.name]).get(relation.name)
        if today is None or schema is None:
            # The table no longer exists; the rest of its log has the form it had.
            if list(relation.columns) == list(before.known.columns.values()):
                return before
            raise _not_followed(table)
        if before.final == 0 and described.final < before.read_at:
            return _unproved(connection, before, relation, schema)
        suspected = self._suspect(before, today)
        numbers, orders = self._identify(before, described, today)
        if numbers is None:
            raise _not_followed(table)
        is_today = (
            suspected is None
            and _columns(today.alive) == dict(zip(numbers, relation.columns, strict=True))
            and not any(_may_be_later(one, orders.get(one.number), described) for one in today.attributes.values())
        )
        highest = today.highest if is_today else max([before.known.highest, *numbers], default=0)
        version = Version(
            final=described.final,
            read_at=0,
            files=today.files if is_today else before.files,
            changed=_changed(today) if is_today else before.changed,
            known=KnownColumns(dict(zip(numbers, relation.columns, strict=True)), highest),
            schema=_schema(connection, relation, numbers, before, today, schema),
        )
        return version if is_today else with_own_rewrite(version, before, described.transaction, today)

    def _suspect(self, before: Version, today: TableAttributes) -> Suspicion | None:
        """Whether the table's values may have been rewritten since; TableRefused if they were for certain."""
        self._suspicions.pop(today.oid, None)
        until = log_end(self._catalog()) if today.files != before.files else 0
        found = suspicion(before.files, before.changed, before.known.columns, today, until)
        if found is not None:
            if found.is_certain:
                raise _values_rewritten(self._oids[today.oid], found)
            self._suspicions[today.oid] = found
        return found

    def _identify(
        self, before: Version, described: Described, today: TableAttributes
    ) -> tuple[tuple[int, ...] | None, Mapping[int, Order]]:
        """See column_identity.identify; and the order that was known for it."""
        writer = Committed(described.transaction, described.final)
        known = before.known
        attributes = [one for one in today.attributes.values() if known.may_have(one.number)]
        settled = {one.number for one in attributes if before.changed.get(one.number) == one.changed_by}
        open_ones = {one.changed_by for one in attributes if one.number not in settled}
        orders_by_id: dict[int, Order] = {}
        for lookup in (self._order.of, self._order.listed):
            orders_by_id |= lookup(writer, open_ones - set(orders_by_id))
            orders = {one.number: orders_by_id[one.changed_by] for one in attributes if one.changed_by in orders_by_id}
            orders |= dict.fromkeys(settled, Order.BEHIND)
            numbers = identify(described.relation.columns, known, today, orders)
            if numbers is not None:
                return numbers, orders
        by_id = {one.number: order for one in attributes if (order := _order_of_ids(one, described)) is not None}
        return agreed(described.relation.columns, known, today, orders, by_id), orders

    def _read(self) -> dict[str, Any]:
        document = orjson.loads((self._history.read() if self._history else b"") or b"{}")
        return dict(document.get("tables", {}))

    def _write(self) -> None:
        if self._history is not None:
            document = orjson.loads(self._history.read() or b"{}")
            self._history.write(orjson.dumps({**document, "tables": self._document()}))

    def _document(self) -> dict[str, Any]:
        return {
            str(oid): {
                "oid": oid,
                "name": [name.schema, name.table],
                "versions": [version_to_json(version) for version in self._versions[name]],
            }
            for oid, name in self._oids.items()
        }


def _not_followed(table: CapturedTable) -> TableRefused:
    return TableRefused(table=str(table.name), column="", reason="columns-not-identified")


def _values_rewritten(name: TableName, suspected: Suspicion) -> TableRefused:
    return TableRefused(table=str(name), column=suspected.column, reason="values-rewritten")


def _may_be_later(attribute: Attribute, order: Order | None, described: Described) -> bool:
    """Whether an attribute's last change may have come after the rows.

    Without other evidence ids decide: the only effect of mistaking a later change for an earlier one is an unnoticed
    rewrite of the table, and that shows in its files.
    """
    return (order or _order_of_ids(attribute, described)) is not Order.BEHIND


def _order_of_ids(attribute: Attribute, described: Described) -> Order | None:
    """A subtransaction's id is newer than its transaction's: where a relation is described once more within a
    transaction, newer ids say nothing."""
    if is_newer(described.transaction, attribute.changed_by):
        return Order.BEHIND
    if described.repeated or attribute.changed_by == described.transaction:
        return None
    return Order.BEFORE


def _content(version: Version) -> tuple[object, ...]:
    """A version's content, without its position."""
    return version.known, version.files, version.changed, version.schema


def _changed(today: TableAttributes) -> dict[int, int]:
    return {one.number: one.changed_by for one in today.alive}


def _columns(attributes: Sequence[Attribute]) -> dict[int, RelationColumn]:
    return {one.number: RelationColumn(one.name, one.type, one.modifier) for one in attributes}


def _unproved(connection: Connection, before: Version, relation: Relation, today: TableSchema) -> Version:
    """Rows from before the capture of the table. No target applies them, because its snapshot is newer."""
    numbers = {column.name: column.number for column in today.columns}
    schema = _with_columns(connection, relation, [numbers.get(one.name, 0) for one in relation.columns], before, today)
    return replace(before, schema=schema)


def _schema(
    connection: Connection,
    relation: Relation,
    numbers: Sequence[int],
    before: Version,
    attributes: TableAttributes,
    today: TableSchema,
) -> TableSchema:
    """The schema for rows of a relation.

    Columns and types come from the log. Defaults, comments, nullability and keys come from the catalog if it still has
    the column, else from the previous schema.
    """
    schema = _with_columns(connection, relation, numbers, before, today)
    rewritten = attributes.files != before.files
    columns = []
    for column in schema.columns:
        earlier = before.known.columns.get(column.number)
        if earlier is None:
            column = _with_initial(column, attributes.attributes[column.number], rewritten)
        else:
            column = _with_history(column, before.schema, rewritten)
        columns.append(column)
    return replace(schema, columns=tuple(columns))


def _with_initial(column: Column, attribute: Attribute, rewritten: bool) -> Column:
    """A column that was added since. Its initial value stays in the catalog until the table is rewritten or the column
    dropped; without one, older rows hold NULL unless they were rewritten, as for a volatile default."""
    if attribute.has_initial and not attribute.dropped:
        return replace(column, initial_known=True, initial=attribute.initial)
    return replace(column, initial_known=not (rewritten or attribute.dropped), initial=None)


def _with_history(column: Column, before: TableSchema, rewritten: bool) -> Column:
    earlier = next((one for one in before.columns if one.number == column.number), None)
    if earlier is None:
        return column
    retyped = rewritten and earlier.type.native != column.type.native
    return replace(
        column,
        initial_known=earlier.initial_known,
        initial=earlier.initial,
        rewritten=earlier.rewritten or retyped,
    )


def _with_columns(
    connection: Connection, relation: Relation, numbers: Sequence[int], before: Version, today: TableSchema
) -> TableSchema:
    names = {column.name for column in relation.columns}
    types = _types(connection, relation)
    return TableSchema(
        name=relation.name,
        dialect="postgresql",
        columns=tuple(
            replace(
                _described(number, before.schema, today) or Column(column.name, kind),
                name=column.name,
                type=kind,
                number=number,
            )
            for column, kind, number in zip(relation.columns, types, numbers, strict=True)
        ),
        primary_key=today.primary_key if names.issuperset(today.primary_key) else (),
        unique_keys=tuple(unique for unique in today.unique_keys if names.issuperset(unique)),
        comment=today.comment,
        indexes=tuple(index for index in today.indexes if names.issuperset(index.columns)),
    )


def _described(number: int, before: TableSchema, today: TableSchema) -> Column | None:
    """The catalog's definition of a column, current or earlier."""
    every = [*today.columns, *before.columns] if number else []
    return next((column for column in every if column.number == number), None)


def _types(connection: Connection, relation: Relation) -> list[DataType]:
    oids = [column.type for column in relation.columns]
    modifiers = [column.modifier for column in relation.columns]
    formatted = [row[0] for row in connection.execute(_FORMATTED, [oids, modifiers])]
    types = load_types(connection, oids)
    return [
        # A type that was dropped since then: its values are text all the same.
        data_type(types, oid, modifier, text) if oid in types else DataType(Kind.OTHER, "text")
        for oid, modifier, text in zip(oids, modifiers, formatted, strict=True)
    ]


_FORMATTED = """
SELECT pg_catalog.format_type(part.oid, part.modifier)
  FROM unnest(%s::oid[], %s::int4[]) WITH ORDINALITY AS part(oid, modifier, place) ORDER BY part.place
"""
