"""Statements by the native protocol, answered or raised as connector errors."""

from collections.abc import Iterator, Sequence
from typing import Any

from cassandra import (
    ConsistencyLevel,
    CoordinationFailure,
    DriverException,
    InvalidRequest,
    OperationTimedOut,
    RequestExecutionException,
    RequestValidationException,
    Timeout,
    Unauthorized,
    Unavailable,
)
from cassandra.auth import PlainTextAuthProvider
from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile, NoHostAvailable, Session
from cassandra.concurrent import execute_concurrent_with_args
from cassandra.connection import ConnectionException
from cassandra.policies import DCAwareRoundRobinPolicy, ExponentialReconnectionPolicy, FallthroughRetryPolicy
from cassandra.protocol import ErrorMessage
from cassandra.query import PreparedStatement, SimpleStatement, tuple_factory

from zcbus.connectors.cassandra.names import stored_name
from zcbus.connectors.cassandra.spec import CassandraOptions
from zcbus.connectors.roles import Side
from zcbus.connectors.server_errors import ServerErrors
from zcbus.connectors.tls import context, is_untrusted

WAIT_SECONDS = 60.0
"""For an answer."""
_AT_ONCE = 64
"""Requests that are under way together."""
_PAGE = 5000
"""Rows."""
_PASSING = (
    OperationTimedOut,
    Unavailable,
    Timeout,
    CoordinationFailure,
    ConnectionException,
    RequestExecutionException,
    ErrorMessage,
    OSError,
)
_PROTOCOL = 4
"""Known by Cassandra from 2.2 on; later versions add nothing that is used here."""
SETTLED = "settled"
"""Profile of queries that see each conditional write that was answered or may still succeed."""
STATE = "state"
"""Profile of what the platform stores itself: most replicas of all datacenters, tried once."""

Values = Sequence[Any]


class Refusal(Exception):
    """The server does not do it."""


class CassandraConnection(ServerErrors):
    """Used by one thread at a time. Errors: TargetUnavailable or SourceUnavailable, AccessDenied, DatabaseFailed."""

    def __init__(self, options: CassandraOptions, side: Side, wait: float = WAIT_SECONDS) -> None:
        """`wait`: seconds for each answer, at most. Connects with the first request."""
        super().__init__(options, side)
        self.options, self._wait = options, wait
        self._cluster: Cluster | None = None
        self._session: Session | None = None
        self._prepared: dict[str, PreparedStatement] = {}

    def rows(self, statement: str, values: Values = (), profile: str = EXEC_PROFILE_DEFAULT) -> list[tuple[Any, ...]]:
        """The rows of a statement, all at once."""
        try:
            return self.try_rows(statement, values, profile)
        except Refusal as refusal:
            raise self.failed(refusal) from refusal

    def try_rows(
        self, statement: str, values: Values = (), profile: str = EXEC_PROFILE_DEFAULT
    ) -> list[tuple[Any, ...]]:
        """As `rows`. Raises Refusal for what the server does not do, unless that passes or is a matter of rights."""
        try:
            bound = self._statement(statement).bind(values) if values else SimpleStatement(statement)
            return list(self._opened().execute(bound, execution_profile=profile))
        except (DriverException, ErrorMessage, NoHostAvailable, OSError) as error:
            raise self._translated(error) from error

    def pages(self, statement: str, values: Values = (), rows: int = _PAGE) -> Iterator[list[tuple[Any, ...]]]:
        """The rows of a query, page by page."""
        try:
            bound = self._statement(statement).bind(values)
            bound.fetch_size = rows
            result = self._opened().execute(bound)
            while True:
                if result.current_rows:
                    yield list(result.current_rows)
                if not result.has_more_pages:
                    return
                result.fetch_next_page()
        except (DriverException, ErrorMessage, NoHostAvailable, OSError) as error:
            raise self._failure(error) from error

    def each(
        self, statement: str, values: Sequence[Values], profile: str = EXEC_PROFILE_DEFAULT
    ) -> list[list[tuple[Any, ...]]]:
        """The rows of a statement with each of these values, in their order; many are under way at once, so it must be
        one that may be repeated and done in any order."""
        try:
            prepared = self._statement(statement)
            found = execute_concurrent_with_args(self._opened(), prepared, values, _AT_ONCE, execution_profile=profile)
            return [list(one.result_or_exc) for one in found]
        except (DriverException, ErrorMessage, NoHostAvailable, OSError) as error:
            raise self._failure(error) from error

    def alter(self, statement: str) -> None:
        """Change the structure, and wait until all nodes know. Raises Refusal as `try_rows` does."""
        try:
            self._opened().execute(SimpleStatement(statement))
            agreed = self._cluster is not None and self._cluster.control_connection.wait_for_schema_agreement()
        except (DriverException, ErrorMessage, NoHostAvailable, OSError) as error:
            raise self._translated(error) from error
        self._prepared.clear()
        if not agreed:
            raise self.unavailable("the nodes do not agree on the structure yet")

    def table(self, name: str) -> str:
        """The name of a table of the keyspace in a statement."""
        return f"{identifier(self.options.keyspace)}.{identifier(stored_name(name))}"

    def own_table(self, name: str) -> str:
        """As `table`, of what the platform stores itself."""
        return f"{identifier(self.options.keyspace)}.{identifier(name)}"

    def close(self) -> None:
        """Never raises. Idempotent."""
        cluster, self._cluster, self._session = self._cluster, None, None
        self._prepared.clear()
        if cluster is not None:
            cluster.shutdown()

    def __enter__(self) -> "CassandraConnection":
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def _statement(self, statement: str) -> PreparedStatement:
        if statement not in self._prepared:
            self._prepared[statement] = self._opened().prepare(statement)
        return self._prepared[statement]

    def _opened(self) -> Session:
        if self._session is None:
            self.close()
            self._cluster = _cluster(self.options, self._wait)
            try:
                self._session = self._cluster.connect()
            except BaseException:
                self.close()
                raise
        return self._session

    def _failure(self, error: Exception) -> Exception:
        found = self._translated(error)
        return self.failed(found) if isinstance(found, Refusal) else found

    def _translated(self, error: Exception) -> Exception:
        """The error for one of the driver's: a Refusal unless it is temporary or a matter of rights."""
        by_host = getattr(error, "errors", None)
        causes = list(by_host.values()) if isinstance(by_host, dict) else [error]
        texts = "; ".join(dict.fromkeys(str(one) or type(one).__name__ for one in causes)) or str(error)
        if any(isinstance(one, Unauthorized) or _is_login(one) or _is_untrusted(one) for one in causes):
            return self.denied(texts)
        if any(isinstance(one, InvalidRequest | RequestValidationException) for one in causes):
            return Refusal(texts)
        if isinstance(error, (NoHostAvailable, *_PASSING)):
            return self.unavailable(texts)
        return Refusal(texts)


def _is_login(error: BaseException) -> bool:
    return type(error).__name__ == "AuthenticationFailed"


def _is_untrusted(error: BaseException) -> bool:
    """The driver packs the library's error into another one, without a link to it."""
    return is_untrusted(error) or "CERTIFICATE_VERIFY_FAILED" in str(error)


def _cluster(options: CassandraOptions, wait: float) -> Cluster:
    level = getattr(ConsistencyLevel, options.consistency)
    balancing = DCAwareRoundRobinPolicy(options.datacenter)

    def profile(consistency: int) -> ExecutionProfile:
        return ExecutionProfile(
            load_balancing_policy=balancing,
            retry_policy=FallthroughRetryPolicy(),
            consistency_level=consistency,
            serial_consistency_level=ConsistencyLevel.SERIAL,
            request_timeout=wait,
            row_factory=tuple_factory,
        )

    return Cluster(
        [options.host],
        port=options.port,
        auth_provider=PlainTextAuthProvider(options.user, options.password) if options.user else None,
        ssl_context=None if options.tls == "disable" else context(options.tls),
        ssl_options=None if options.tls == "disable" else {"server_hostname": options.host},
        execution_profiles={
            EXEC_PROFILE_DEFAULT: profile(level),
            STATE: profile(ConsistencyLevel.QUORUM),
            SETTLED: profile(ConsistencyLevel.SERIAL),
        },
        reconnection_policy=ExponentialReconnectionPolicy(0.2, 10.0),
        connect_timeout=min(wait, 10.0),
        control_connection_timeout=min(wait, 10.0),
        schema_metadata_enabled=False,
        token_metadata_enabled=False,
        protocol_version=_PROTOCOL,
    )


def identifier(name: str) -> str:
    """A name in a statement."""
    return '"' + name.replace('"', '""') + '"'


def identifiers(names: Sequence[str]) -> str:
    """Names in a statement, with commas between them."""
    return ", ".join(map(identifier, names))


def text(value: str) -> str:
    """A text in a statement."""
    return "'" + value.replace("'", "''") + "'"
