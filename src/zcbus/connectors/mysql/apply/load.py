"""Loading rows into a table: LOAD DATA LOCAL from memory, or statements where that is disabled or not permitted."""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pymysql
from pymysql.constants import COMMAND
from pymysql.protocol import OKPacketWrapper

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.mysql.apply.encode import EncodedColumn, Form
from zcbus.connectors.mysql.apply.literals import (
    delete_statements,
    insert_statements,
    merge_statements,
    update_statements,
)
from zcbus.connectors.mysql.connection import quote
from zcbus.connectors.mysql.connection.errors import translated
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.mysql.variant import variant_of
from zcbus.connectors.texts import contains
from zcbus.model.arrow import ArrowArray
from zcbus.model.kernels import compute
from zcbus.model.states import LoadType

_CHUNK_BYTES = 512 << 10
_LOCAL_FORBIDDEN = frozenset({1148, 3948, 3950, 2068, 4166})
_HARMLESS = frozenset({1287, 1681, 3719, 3778})
"""Warnings about names that are going out of use."""
_BACKSLASH, _UNKNOWN = ord("\\"), np.frombuffer(b"fv", np.uint8)
_STRANGE = re.compile(rb"\\[\\fv]")
_CONTROLS = {b"\\\\": b"\\\\", b"\\f": b"\f", b"\\v": b"\v"}
LOAD_VALUES = {
    Form.HEX: "UNHEX({})",
    Form.BITS: "CAST(CONV({}, 2, 10) AS UNSIGNED)",
    Form.NUMBER: "CAST({} AS UNSIGNED)",
}


class Loader:
    """Writes encoded columns into tables over one session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._local = variant_of(session.options).local_data and session.options.load_type is LoadType.BULK

    def write(self, table: str, columns: Sequence[EncodedColumn], replace: bool, name: str) -> None:
        """Insert rows, or replace those with the same keys. `table` is quoted, `name` is for messages.

        Raises RowRefused for every value that the server would have changed or left out.
        """
        if not columns or not len(columns[0].text):
            return
        if self._local:
            try:
                self._load(table, columns, replace, name)
                return
            except _LocalForbidden:
                self._local = False
        for sql in insert_statements(table, columns, replace):
            self._execute(sql, name)

    def merge(self, table: str, columns: Sequence[EncodedColumn], name: str) -> None:
        """Insert rows by statements, or set these columns in the rows with the same keys. Raises as `write`."""
        for sql in merge_statements(table, columns):
            self._execute(sql, name)

    def update(self, table: str, keys: Sequence[EncodedColumn], columns: Sequence[EncodedColumn], name: str) -> None:
        """Set the columns in the rows with these keys, by a statement a row. Raises as `write`."""
        for sql in update_statements(table, keys, columns):
            self._execute(sql, name)

    def delete(self, table: str, keys: Sequence[EncodedColumn], name: str) -> int:
        """Delete the rows with these keys, by statements; returns how many went."""
        return sum(self._session.execute(sql, table=name) for sql in delete_statements(table, keys))

    def _execute(self, sql: str, name: str) -> None:
        if self._session.execute_warned(sql, table=name):
            self._refuse_altered(name)

    @cached_property
    def accepts_lines(self) -> bool:
        """Whether rows are sent as local data, and the server accepts it."""
        return self._local and self._session.variable("local_infile").upper() == "ON"

    def write_lines(self, statement: str, parts: Iterable[memoryview], name: str) -> int:
        """Insert the parts by a statement of `lines_statement`; returns the number of rows. Raises RowRefused as
        `write` does."""
        with translated(self._session.options, self._session.side, name):
            try:
                done = _load_local(self._session.driver, statement, map(understood, parts))
            except _LocalForbidden as error:
                raise RowRefused(table=name, detail="the server takes no local data") from error
        if done.warning_count:
            self._refuse_altered(name)
        return int(done.affected_rows)

    def _load(self, table: str, columns: Sequence[EncodedColumn], replace: bool, name: str) -> None:
        data = lines(columns)
        with translated(self._session.options, self._session.side, name):
            done = _load_local(self._session.driver, load_statement(table, columns, replace), [data])
        if done.warning_count:
            self._refuse_altered(name)

    def _refuse_altered(self, name: str) -> None:
        """With LOCAL the server turns errors into warnings in every mode: every warning is refused here."""
        for _level, number, text in self._session.rows("SHOW WARNINGS"):
            if int(number) not in _HARMLESS:
                raise RowRefused(table=name, detail=f"{number}: {text}")


class _LocalForbidden(Exception):
    """The server accepts no local data."""


def load_statement(table: str, columns: Sequence[EncodedColumn], replace: bool) -> str:
    """LOAD DATA for the output of `lines`."""
    fields, settings = [], []
    for number, column in enumerate(columns):
        name = quote.identifier(column.name)
        if column.form is Form.TEXT:
            fields.append(name)
        else:
            fields.append(f"@v{number}")
            settings.append(f"{name} = {LOAD_VALUES[column.form].format(f'@v{number}')}")
    return _load_data(table, [*fields, "@end"], settings, replace)


def lines_statement(table: str, columns: Sequence[tuple[str, str]], charset: str) -> str:
    """LOAD DATA for lines of the form raw_rows.LINES.

    Each column comes with the expression that converts the text `{}`; an empty one keeps the text.
    """
    fields = [f"@v{number}" if value else quote.identifier(name) for number, (name, value) in enumerate(columns)]
    settings = [
        f"{quote.identifier(name)} = {value.format(field)}"
        for field, (name, value) in zip(fields, columns, strict=True)
        if value
    ]
    return _load_data(table, fields, settings, replace=False, charset=charset)


def _load_data(
    table: str, fields: Sequence[str], settings: Sequence[str], replace: bool, charset: str = "utf8mb4"
) -> str:
    return (
        f"LOAD DATA LOCAL INFILE 'zcbus' {'REPLACE ' if replace else ''}INTO TABLE {table} CHARACTER SET {charset} "
        "FIELDS TERMINATED BY '\\t' ENCLOSED BY '' ESCAPED BY '\\\\' LINES TERMINATED BY '\\n' STARTING BY '' "
        f"({', '.join(fields)})" + (f" SET {', '.join(settings)}" if settings else "")
    )


def understood(part: memoryview) -> memoryview:
    """Lines with two control characters as they are, for which the server knows no letter."""
    octets = np.frombuffer(part, np.uint8)
    letters = octets[1:][octets[:-1] == _BACKSLASH]
    if not np.isin(letters, _UNKNOWN).any():
        return part
    return memoryview(_STRANGE.sub(lambda found: _CONTROLS[found[0]], bytes(part)))


def lines(columns: Sequence[EncodedColumn]) -> memoryview:
    """One line per row: fields separated by tabs, an empty last one, and a line feed."""
    texts = [_escaped(column) for column in columns]
    # The line feed is joined as the last field, so that one join gives complete lines.
    joined = compute.binary_join_element_wise(*texts, "\n", "\t", null_handling="replace", null_replacement="\\N")
    return _joined_bytes(joined)


def _escaped(column: EncodedColumn) -> ArrowArray:
    text = column.text
    if column.form is Form.TEXT:
        for character, escape in (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n")):
            if contains(text, character.encode()):
                text = compute.replace_substring(text, character, escape)
    return text


def _joined_bytes(texts: ArrowArray) -> memoryview:
    """The bytes of all strings, concatenated as Arrow stores them."""
    _, offsets, data = texts.buffers()
    assert offsets is not None
    assert data is not None
    ends = memoryview(offsets).cast("i")
    return memoryview(data)[ends[texts.offset] : ends[texts.offset + len(texts)]]


def _load_local(driver: Any, sql: str, parts: Iterable[memoryview]) -> Any:
    """Run LOAD DATA LOCAL with the bytes as its file; returns the server's last word."""
    driver._execute_command(COMMAND.COM_QUERY, sql)
    try:
        request = driver._read_packet()
    except pymysql.err.MySQLError as error:
        if error.args and error.args[0] in _LOCAL_FORBIDDEN:
            raise _LocalForbidden from error
        raise
    if not request.is_load_local_packet():
        raise _LocalForbidden
    try:
        for data in parts:
            for start in range(0, len(data), _CHUNK_BYTES):
                driver.write_packet(bytes(data[start : start + _CHUNK_BYTES]))
    except BaseException:
        driver._force_close()  # the following bytes would be read as rows
        raise
    driver.write_packet(b"")
    return OKPacketWrapper(driver._read_packet())
