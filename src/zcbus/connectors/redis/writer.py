"""Writes into Redis or Valkey; see roles.Writer.

| key                                        | type   | content                                                  |
|--------------------------------------------|--------|----------------------------------------------------------|
| as the template says                       | hash or string | a row                                            |
| `{zcbus}:tables:FORM:TEMPLATE`             | hash   | name of a table → its definition                         |
| `{zcbus}:checkpoints:SUBSCRIPTION`         | hash   | name of a checkpoint → version, line feed, data          |
| `{zcbus}:version:SUBSCRIPTION:CHECKPOINT`  | string | its version alone, to be watched                         |
| `{zcbus}:row-errors:SUBSCRIPTION`          | hash   | id of a row error → JSON                                 |
| `{zcbus}:hold:SUBSCRIPTION`                | string | exclusive writer of checkpoints of the subscription      |
| `{zcbus}:identity`                         | string | identifies the database                                  |

A transaction is one MULTI … EXEC. It is refused if a version has moved since it was watched, so of two processes
that write one checkpoint one is fenced out.
"""

import time
import uuid
from collections.abc import Iterable, Iterator, Sequence

from redis.exceptions import ResponseError

from zcbus.connectors.errors import Fenced, TableRefused, TargetLocked, TargetUnavailable
from zcbus.connectors.redis.connection import Command, RedisConnection, translate
from zcbus.connectors.redis.keys import RowKeys, own_key
from zcbus.connectors.redis.rows import commands_of, reading, row_of
from zcbus.connectors.redis.spec import SCHEMA, RedisOptions
from zcbus.connectors.roles import Checkpoint
from zcbus.connectors.roles.writer import Key, Row, Transaction
from zcbus.connectors.writing.row_errors import row_error_from_json, row_error_to_json
from zcbus.connectors.writing.store_session import first_versions
from zcbus.model.row_errors import RowError
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.serial import schema_from_json, schema_to_json

_HOLD_MILLISECONDS = 60_000
"""Of a process that died. Who holds for longer has lost the right to commit."""
_POLL_SECONDS = 0.02
_KEYS_AT_ONCE = 1000


class RedisWriter:
    """See roles.Writer."""

    def __init__(self, options: RedisOptions) -> None:
        self._options = options
        self._connection = RedisConnection(options)
        self._tables = own_key("tables", options.form, options.template)
        self._token = uuid.uuid4().hex.encode()
        self._held: set[str] = set()
        self._guarded: tuple[list[Checkpoint], list[str]] | None = None
        """The watched keys."""

    @property
    def identity(self) -> str:
        name = own_key("identity")
        found = self._connection.execute("GET", name)
        if found is None:
            self._connection.execute("SET", name, uuid.uuid4().hex, "NX")
            found = self._connection.execute("GET", name)
        return f"redis:{found.decode()}"

    def prepare_store(self) -> None:
        """Keys are created by writes."""

    def checkpoints(self, subscription: str) -> list[Checkpoint]:
        found = self._connection.execute("HGETALL", own_key("checkpoints", subscription))
        return [
            Checkpoint(subscription, name.decode(), int(version), data.decode())
            for name, value in zip(found[::2], found[1::2], strict=True)
            for version, _, data in [value.partition(b"\n")]
        ]

    def row_errors(self, subscription: str) -> list[RowError]:
        return [row_error_from_json(data) for data in self._connection.execute("HVALS", _errors(subscription))]

    def forget(self, subscription: str, name: str | None) -> None:
        stored = own_key("checkpoints", subscription)
        names = self._connection.execute("HKEYS", stored) if name is None else [name.encode()]
        commands: list[Command] = [("DEL", _version(subscription, one.decode())) for one in names]
        commands += [("HDEL", stored, *names)] if names else []
        self._connection.transact([*commands, ("DEL", _errors(subscription))] if name is None else commands)

    def hold(self, subscription: str) -> None:
        name, deadline = own_key("hold", subscription), time.monotonic() + self._options.lock_wait
        if subscription in self._held:
            return
        while self._connection.execute("SET", name, self._token, "NX", "PX", _HOLD_MILLISECONDS) is None:
            self._wait(deadline)
        self._held.add(subscription)

    def fence(self, checkpoints: Sequence[Checkpoint]) -> None:
        self._guard(list(checkpoints), sorted({one.subscription for one in checkpoints}))

    def write(self, transaction: Transaction) -> None:
        first = first_versions(transaction.checkpoints)
        named = {one.subscription for one in first} | {one.subscription for one in transaction.row_errors}
        subscriptions = sorted(named | self._held)
        while True:
            if self._guarded != (first, subscriptions):
                self._guard(first, subscriptions)
            self._guarded = None
            if self._connection.transact(self._commands(transaction)) is not None:
                self._held.clear()
                return

    def release(self) -> None:
        self._guarded = None
        self._connection.execute("UNWATCH")
        for subscription in sorted(self._held):
            name = own_key("hold", subscription)
            _, found = self._connection.execute_all([("WATCH", name), ("GET", name)])
            self._connection.transact([("DEL", name)] if found == self._token else [])
        self._held.clear()

    def tables(self, names: Sequence[TableName] | None = None) -> dict[TableName, TableSchema]:
        if names is None:
            found = self._connection.execute("HVALS", self._tables)
        else:
            requested = [name.table for name in names if name.schema == SCHEMA]
            found = self._connection.execute("HMGET", self._tables, *requested) if requested else []
        schemas = [schema_from_json(text.decode()) for text in found if text is not None]
        return {schema.name: schema for schema in sorted(schemas, key=lambda schema: schema.name)}

    def define(self, table: TableSchema) -> None:
        if table.name not in self.tables([table.name]):
            other = next(self._names(table), None)
            if other is not None:
                detail = other.decode(errors="replace")
                raise TableRefused(table=str(table.name), column="", reason="keys-of-others", detail=detail)
        self._connection.execute("HSET", self._tables, table.name.table, schema_to_json(table))

    def undefine(self, name: TableName) -> None:
        self._connection.execute("HDEL", self._tables, name.table)

    def keys(self, table: TableSchema) -> Iterator[list[Key]]:
        keys, part = RowKeys(self._options, table), []
        for name in self._names(table):
            key = keys.key(name)
            if key is not None:
                part.append(key)
            if len(part) == _KEYS_AT_ONCE:
                yield part
                part = []
        if part:
            yield part

    def rows(self, table: TableSchema, keys: Sequence[Key]) -> list[Row | None]:
        names = RowKeys(self._options, table).of_keys(keys)
        replies, _ = self._connection.try_each(reading(name, self._options) for name in names)
        found: list[Row | None] = []
        for reply in replies:
            other = isinstance(reply, ResponseError)
            if other and not str(reply).startswith("WRONGTYPE"):
                raise translate(reply, self._options) from reply
            found.append(None if other else row_of(table, reply, self._options))
        return found

    def close(self) -> None:
        self._connection.close()

    def _names(self, table: TableSchema) -> Iterator[bytes]:
        """Redis keys of a table's rows, each once."""
        pattern, cursor, seen = RowKeys(self._options, table).pattern, b"0", set[bytes]()
        while True:
            cursor, found = self._connection.execute("SCAN", cursor, "MATCH", pattern, "COUNT", _KEYS_AT_ONCE)
            new = [name for name in found if name not in seen]
            seen.update(new)
            yield from new
            if cursor == b"0":
                return

    def _guard(self, checkpoints: list[Checkpoint], subscriptions: list[str]) -> None:
        """Watch the keys that decide whether a transaction is valid, once it is valid and no other writer holds the
        subscriptions."""
        self._guarded = None
        holds = [own_key("hold", one) for one in subscriptions]
        versions = [_version(one.subscription, one.name) for one in checkpoints]
        watched, deadline = [*holds, *versions], time.monotonic() + self._options.lock_wait
        if not watched:
            return
        while True:
            commands: list[Command] = [("UNWATCH",), ("WATCH", *watched), *(("GET", name) for name in watched)]
            found = self._connection.execute_all(commands)[2:]
            holders = dict(zip(subscriptions, found[: len(holds)], strict=True))
            if any(holders[one] != self._token for one in self._held & holders.keys()):
                raise TargetUnavailable(**self._where, detail=f"held for more than {_HOLD_MILLISECONDS / 1000:.0f} s")
            if all(holder in (None, self._token) for holder in holders.values()):
                break
            self._wait(deadline)
        for checkpoint, version in zip(checkpoints, found[len(holds) :], strict=True):
            if int(version or 0) != checkpoint.version - 1:
                self._connection.execute("UNWATCH")
                raise Fenced(checkpoint=f"{checkpoint.subscription}/{checkpoint.name}")
        self._guarded = (checkpoints, subscriptions)

    def _wait(self, deadline: float) -> None:
        """Raises TargetLocked after the deadline."""
        if time.monotonic() > deadline:
            raise TargetLocked(**self._where, detail="another session holds the checkpoints", table="", holder="")
        time.sleep(_POLL_SECONDS)

    @property
    def _where(self) -> dict[str, str]:
        return {"kind": self._options.kind, "address": self._options.address}

    def _commands(self, transaction: Transaction) -> Iterator[Command]:
        for operation in transaction.operations:
            yield from commands_of(operation, self._options)
        for change in transaction.row_errors:
            name = _errors(change.subscription)
            if change.error is None:
                yield "HDEL", name, change.id
            else:
                yield "HSET", name, change.id, row_error_to_json(change.error)
        yield from _checkpoint_commands(transaction.checkpoints)
        for subscription in sorted(self._held):
            yield "DEL", own_key("hold", subscription)


def _checkpoint_commands(checkpoints: Iterable[Checkpoint]) -> Iterator[Command]:
    for one in checkpoints:
        yield "SET", _version(one.subscription, one.name), one.version
        yield "HSET", own_key("checkpoints", one.subscription), one.name, f"{one.version}\n{one.data}"


def _version(subscription: str, name: str) -> bytes:
    return own_key("version", subscription, name)


def _errors(subscription: str) -> bytes:
    return own_key("row-errors", subscription)
