"""Statements by HTTP (https://clickhouse.com/docs/interfaces/http), answered or raised as connector errors."""

import re
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import IO, Any

import httpx
import pyarrow as pa

from zcbus.connectors.clickhouse.spec import ClickHouseOptions
from zcbus.connectors.errors import TargetFull
from zcbus.connectors.full_disk import says_full
from zcbus.connectors.server_client import server_client
from zcbus.connectors.server_errors import SHOWN, ServerErrors
from zcbus.connectors.tls import is_untrusted

WAIT_SECONDS = 300.0
"""For an answer."""
_IN_MEMORY = 32 << 20
"""Bytes of an answer; what is beyond goes to a temporary file."""
_MAX_ANSWER_BYTES = 64 << 30
_PIECE = 128 << 10
"""Bytes that are sent at once."""
_CODE = re.compile(rb"Code: (\d+)")
UNKNOWN_TABLE = 60
_DENIED = frozenset({192, 193, 194, 497, 516})
"""Unknown user, wrong or missing password, no right, failed authentication."""
_FULL = 243
"""No room for a part."""
_FAILED_WRITES = frozenset({75, 1001})
"""Errors of the operating system, whose text says which."""
_PASSING = frozenset({3, 159, 160, 202, 203, 209, 210, 236, 241, 242, 243, 252, 319, 394, 439, 473, 999})
"""Time-outs, limits of memory, disk, queries and parts, a read-only table, a server that stops."""
_PASSING_STATUS = frozenset({408, 429, 502, 503, 504})
_SETTINGS = {
    # Delays the status until the query has ended, so that it includes late errors.
    "wait_end_of_query": "1",
    # Whatever the user's profile says: what was answered is written.
    "async_insert": "0",
    "insert_deduplicate": "1",
    "alter_sync": "2",
    "mutations_sync": "2",
    "final": "0",
    "max_query_size": "16000000",
    "output_format_arrow_string_as_string": "0",
}


class Refusal(Exception):
    """The server does not do it. `code`: its number of the reason; 0: none was given."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text[:SHOWN])
        self.code = code


class ClickHouseConnection(ServerErrors):
    """Used by one thread at a time. Errors: TargetUnavailable, AccessDenied, DatabaseFailed."""

    def __init__(self, options: ClickHouseOptions, wait: float = WAIT_SECONDS) -> None:
        """`wait`: seconds for each answer, at most. Connects with the first request. Raises TargetUnavailable where the
        host is no name or address."""
        super().__init__(options, "target")
        self.options = options
        account = (options.user, options.password)
        try:
            self._http = server_client(options.host, options.port, options.tls, account, wait, options.way)
        except httpx.InvalidURL as error:
            raise self.unavailable(str(error)) from error

    def run(self, statement: str, **settings: str) -> None:
        """A statement without an answer."""
        try:
            self.try_(statement, **settings)
        except Refusal as refusal:
            raise self.failed(refusal) from refusal

    def insert(self, table: str, rows: pa.Table, **settings: str) -> None:
        """Rows into columns of a table (its name as in statements)."""
        try:
            self.try_insert(table, rows, **settings)
        except Refusal as refusal:
            raise self.failed(refusal) from refusal

    def try_insert(self, table: str, rows: pa.Table, **settings: str) -> None:
        """As `insert`. Raises Refusal as `try_` does."""
        out = pa.BufferOutputStream()
        with pa.ipc.new_stream(out, rows.schema) as stream:
            stream.write_table(rows)
        columns = ", ".join(identifier(name) for name in rows.schema.names)
        statement = f"INSERT INTO {table} ({columns}) FORMAT ArrowStream"
        self._tried(statement, out.getvalue(), settings).close()

    def batches(self, statement: str) -> Iterator[pa.RecordBatch]:
        """The rows of a query; texts as bytes."""
        try:
            yield from self._batches(statement)
        except Refusal as refusal:
            raise self.failed(refusal) from refusal

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """As `batches`, of a query with few rows."""
        return _tuples(self.batches(statement))

    def try_rows(self, statement: str) -> list[tuple[Any, ...]]:
        """As `rows`. Raises Refusal as `try_` does."""
        return _tuples(self._batches(statement))

    def try_(self, statement: str, **settings: str) -> None:
        """As `run`. Raises Refusal for what the server does not do, unless that passes or is a matter of rights."""
        self._tried(statement, None, settings).close()

    def close(self) -> None:
        """Never raises. Idempotent."""
        self._http.close()

    def __enter__(self) -> "ClickHouseConnection":
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def _batches(self, statement: str) -> Iterator[pa.RecordBatch]:
        with self._tried(f"{statement} FORMAT ArrowStream", None, {}) as answer:
            answer.seek(0)
            whole: Any = answer
            with pa.ipc.open_stream(pa.PythonFile(whole, mode="r")) as stream:
                yield from stream

    def _tried(self, statement: str, data: pa.Buffer | None, settings: dict[str, str]) -> IO[bytes]:
        query = {**_SETTINGS, "database": self.options.database, **settings}
        if data is not None:
            query["query"] = statement
        content: Any = statement.encode() if data is None else _in_pieces(data)
        size = len(content) if data is None else data.size
        answer: Any = SpooledTemporaryFile(_IN_MEMORY, prefix="zcbus-answer-")  # noqa: SIM115  closed by who reads it
        try:
            with self._http.stream(
                "POST", "/", params=query, content=content, headers={"content-length": str(size)}
            ) as response:
                for part in response.iter_bytes():
                    answer.write(part)
                    if answer.tell() > _MAX_ANSWER_BYTES:
                        raise Refusal(0, f"an answer of more than {_MAX_ANSWER_BYTES >> 30} GiB")
            if response.status_code != 200:
                raise self._refused(response, answer)
        except (httpx.HTTPError, OSError, UnicodeError) as error:
            answer.close()
            if is_untrusted(error):
                raise self.denied(str(error)) from error
            raise self.unavailable(str(error) or type(error).__name__) from error
        except BaseException:
            answer.close()
            raise
        return answer  # type: ignore[no-any-return]

    def _refused(self, response: httpx.Response, answer: Any) -> Exception:
        answer.seek(0)
        body = answer.read(2000)
        found = response.headers.get("x-clickhouse-exception-code") or _CODE.search(body)
        code = int(found if isinstance(found, str) else found[1]) if found else 0
        text = f"{response.status_code} {body.decode(errors='replace').strip()}"
        if code in _DENIED or (not code and response.status_code in (401, 403)):
            return self.denied(text)
        if code == _FULL or (code in _FAILED_WRITES and says_full(text)):
            return TargetFull(**self.server, detail=text[:SHOWN])
        if code in _PASSING or (not code and response.status_code in _PASSING_STATUS):
            return self.unavailable(text)
        return Refusal(code, text)


def _in_pieces(data: pa.Buffer) -> Iterator[bytes]:
    """The library copies all that is left of a text with each call of the system that sends a part of it."""
    for begin in range(0, data.size, _PIECE):
        yield data.slice(begin, min(_PIECE, data.size - begin)).to_pybytes()


def _tuples(batches: Iterator[pa.RecordBatch]) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    for batch in batches:
        found += zip(*(column.to_pylist() for column in batch.columns), strict=True)
    return found


def identifier(name: str) -> str:
    """A name in a statement."""
    return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"


def text(value: str | bytes) -> str:
    """A text in a statement: all but letters and digits by their bytes, so that nothing in it has a meaning."""
    given = value.encode() if isinstance(value, str) else value
    return "'" + "".join(chr(one) if chr(one).isalnum() and one < 128 else f"\\x{one:02x}" for one in given) + "'"
