"""Requests to a server by its driver, answered or raised as connector errors."""

import socket
import ssl
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from bson.binary import UuidRepresentation
from bson.codec_options import CodecOptions, DatetimeConversion
from pymongo import MongoClient
from pymongo.collection import Collection
from pymongo.database import Database
from pymongo.errors import AutoReconnect, ConnectionFailure, OperationFailure, PyMongoError

from zcbus.connectors.full_disk import says_full
from zcbus.connectors.mongodb.names import OWN, stored_name
from zcbus.connectors.mongodb.spec import MongoDBOptions
from zcbus.connectors.roles import Side
from zcbus.connectors.server_errors import SHOWN, ServerErrors
from zcbus.connectors.tls import context, is_untrusted
from zcbus.kit.network.relay import Relay, tunnel_to

WAIT_SECONDS = 60.0
"""For an answer."""
_CONNECT_SECONDS = 10.0
_PAGE = 1000
"""Documents."""
_CONTEXT = "_PoolOptions__ssl_context"
"""Where the driver keeps its TLS."""
_DENIED = frozenset({13, 18, 31, 33, 8000})
_NO_ROOM = 14031
_PASSING = frozenset(
    {6, 7, 24, 43, 46, 50, 64, 89, 91, 112, 133, 134, 189, 211, 237, 262, 9001, 10107, 11600, 11601, 11602}
    | {13388, 13435, 13436, _NO_ROOM}
)
"""Numbers of errors that a later attempt may not meet: time-outs, elections, ends of servers and cursors, locks."""
CODEC: CodecOptions[dict[str, Any]] = CodecOptions(
    document_class=dict,
    uuid_representation=UuidRepresentation.STANDARD,
    datetime_conversion=DatetimeConversion.DATETIME_MS,
)
"""Moments of all years, in milliseconds."""

Document = dict[str, Any]
Filter = Mapping[str, Any]
Order = Sequence[tuple[str, int]]


class Refusal(Exception):
    """The server does not do it. `code`: its number of the reason; 0: it gave none."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason[:SHOWN])
        self.code = code


class MongoDBConnection(ServerErrors):
    """Used by one thread at a time. Errors: TargetUnavailable or SourceUnavailable, AccessDenied, DatabaseFailed."""

    def __init__(self, options: MongoDBOptions, side: Side, wait: float = WAIT_SECONDS) -> None:
        """`wait`: seconds for each answer, at most. Connects with the first request."""
        super().__init__(options, side)
        self.options, self._wait = options, wait
        self._client: MongoClient[Document] | None = None
        self._tunnel: Relay | None = None

    @property
    def database(self) -> Database[Document]:
        """Requests are sent by it within `translated`."""
        if self._client is None:
            with self.translated():
                self._client = self._made()
        return self._client.get_database(self.options.database, codec_options=CODEC)

    @property
    def own(self) -> Collection[Document]:
        """What the platform stores itself."""
        return self.database[OWN]

    def collection(self, table: str) -> Collection[Document]:
        """That of a table."""
        return self.database[stored_name(table)]

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Errors of the driver as those of connectors."""
        try:
            with self.refusing():
                yield
        except Refusal as refusal:
            raise self.failed(refusal) from refusal

    @contextmanager
    def refusing(self) -> Iterator[None]:
        """As `translated`. Raises Refusal for what the server does not do, unless that passes or is a matter of
        rights."""
        try:
            yield
        except (PyMongoError, OSError, UnicodeError, ValueError) as error:
            raise self._translated(error) from error

    def one(
        self, collection: Collection[Document], wanted: Filter, order: Order = (), skip: int = 0
    ) -> Document | None:
        """The first document; None: there is none."""
        found = next(self.pages(collection, wanted, order=order, limit=1, skip=skip), [])
        return found[0] if found else None

    def pages(
        self,
        collection: Collection[Document],
        wanted: Filter,
        fields: Filter | None = None,
        order: Order = (),
        *,
        limit: int = 0,
        skip: int = 0,
        rows: int = _PAGE,
    ) -> Iterator[list[Document]]:
        """Documents in parts as they arrive; none where there is no such collection. `limit`: 0 for all."""
        with self.translated():
            cursor = collection.find(wanted, fields, sort=list(order) or None, limit=limit, skip=skip, batch_size=rows)
            if order and not limit:
                cursor = cursor.allow_disk_use(True)
        with cursor:
            while True:
                page: list[Document] = []
                with self.translated():
                    for one in cursor:
                        page.append(one)
                        if len(page) == rows:
                            break
                if page:
                    yield page
                if len(page) < rows:
                    return

    def refused(self, code: int, reason: str) -> Exception:
        """The error for a failed request: a Refusal unless it is temporary or a matter of rights."""
        if code in _DENIED:
            return self.denied(reason)
        if code in _PASSING or says_full(reason):
            return self.unavailable(reason)
        return Refusal(code, reason)

    def close(self) -> None:
        """Never raises. Idempotent."""
        client, self._client, self._tunnel = self._client, None, None
        if client is not None:
            client.close()

    def __enter__(self) -> "MongoDBConnection":
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def _made(self) -> "MongoClient[Document]":
        options, way = self.options, self.options.way
        self._tunnel = tunnel_to(options.host, options.port, way) if way else None
        host, port = (self._tunnel.host, self._tunnel.port) if self._tunnel else (options.host, options.port)
        follows = bool(options.replicaset) and self._tunnel is None
        named: dict[str, Any] = {"replicaSet": options.replicaset} if options.replicaset else {}
        if options.user:
            named |= {"username": options.user, "password": options.password, "authSource": options.authsource}
        client: MongoClient[Document] = MongoClient(
            host=host,
            port=port,
            connect=False,
            appname="zcbus",
            tls=options.tls != "disable",
            directConnection=not follows,
            serverSelectionTimeoutMS=round(min(self._wait, _CONNECT_SECONDS) * 1000),
            connectTimeoutMS=round(min(self._wait, _CONNECT_SECONDS) * 1000),
            socketTimeoutMS=round(self._wait * 1000),
            w="majority",
            readConcernLevel="majority",
            **named,
        )
        if options.tls != "disable":
            # The driver's own context has no way to check a certificate against another name than the address.
            name = options.host if self._tunnel else ""
            setattr(client.options.pool_options, _CONTEXT, _Named(context(options.tls), name))
        return client

    def _translated(self, error: Exception) -> Exception:
        detail = (self._tunnel.failure if self._tunnel else "") or str(error) or type(error).__name__
        if is_untrusted(error) or "CERTIFICATE_VERIFY_FAILED" in detail.upper().replace(" ", "_"):
            return self.denied(detail)
        if isinstance(error, AutoReconnect | ConnectionFailure | OSError):
            return self.unavailable(detail)
        if isinstance(error, OperationFailure):
            code = error.code or 0
            labels = ("TransientTransactionError", "RetryableWriteError")
            if code not in _DENIED and any(map(error.has_error_label, labels)):
                return self.unavailable(detail)
            return self.refused(code, str((error.details or {}).get("errmsg") or detail))
        return Refusal(0, detail)


class _Named:
    """A context whose connections are made to a server of this name, whatever address stands for it. `name`: empty
    for that of the address."""

    def __init__(self, made: ssl.SSLContext, name: str) -> None:
        self._made, self._name = made, name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self._made, attribute)

    def wrap_socket(self, sock: socket.socket, server_hostname: str | None = None, **others: Any) -> ssl.SSLSocket:
        return self._made.wrap_socket(sock, server_hostname=self._name or server_hostname, **others)
