"""Backups of the metadata store, and the store made from one.

A backup is one SQLite file with the tables of the metadata, whichever database the store is. It has one state of the
store, was checked, and needs the installation's key file for its secrets. Figures (`store.metrics`) are not in it.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Table, delete, insert, make_url, select
from sqlalchemy.exc import SQLAlchemyError

from zcbus.control.store.engine import Database
from zcbus.control.store.migrate import current_version, known_versions, migrate
from zcbus.control.store.tables import metadata
from zcbus.control.store.tables.identity import user
from zcbus.kit.errors import TerminalError, TransientError
from zcbus.kit.files import sync_file

_PRIVATE = 0o600
_ROWS = 1_000
_PARTIAL = ".partial"


class BackupFailedError(TransientError):
    """A backup could not be written. Facts: detail (the system's or the driver's words, without values)."""

    code = "backup-failed"


class BackupUnusableError(TerminalError):
    """The file is no whole backup of a store that this program knows. Facts: path, detail."""

    code = "backup-unusable"


class StoreInUseError(TerminalError):
    """The store to be made from a backup is there already. Facts: store (without its password)."""

    code = "store-in-use"


def write_backup(database: Database, path: Path) -> int:
    """Write one state of the store to a file of that name, which is there only when it is whole, checked and on disk.
    Writers of the store do not wait. Its folder is made if missing. Returns its size in bytes. Raises
    BackupFailedError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return _write(database, path)
    except BackupUnusableError as error:
        raise BackupFailedError(detail=error.facts["detail"]) from error
    except OSError as error:
        raise BackupFailedError(detail=error.strerror or type(error).__name__) from error
    except sqlite3.Error as error:
        raise BackupFailedError(detail=str(error)) from error
    except SQLAlchemyError as error:
        # Its text has the statement, and perhaps values.
        raise BackupFailedError(detail=str(getattr(error, "orig", None) or type(error).__name__)) from error


def _write(database: Database, path: Path) -> int:
    partial = path.with_name(path.name + _PARTIAL)
    partial.unlink(missing_ok=True)
    try:
        partial.touch(_PRIVATE)
        if database.dialect == "sqlite":
            _copy_file(database, partial)
        else:
            _copy_rows(database, partial)
        check(partial)
        sync_file(partial)
        partial.replace(path)
        sync_file(path.parent)
    except BaseException:
        _remove(partial)
        raise
    return path.stat().st_size


def check(path: Path) -> str:
    """The version of the store in a backup that is whole. Raises BackupUnusableError."""
    try:
        with closing(_open_read_only(path)) as file:
            [found] = file.execute("PRAGMA integrity_check(1)").fetchone()
            loose = file.execute("PRAGMA foreign_key_check").fetchone()
            [version] = file.execute("SELECT version_num FROM alembic_version").fetchone()
    except (sqlite3.Error, TypeError) as error:
        raise BackupUnusableError(path=str(path), detail=str(error)) from error
    if found != "ok" or loose is not None:
        raise BackupUnusableError(path=str(path), detail=found if found != "ok" else f"reference of {loose[0]}")
    if version not in known_versions():
        raise BackupUnusableError(path=str(path), detail=f"version {version}")
    return str(version)


def restore(path: Path, database_url: str) -> str:
    """Make the store of a backup, which may be of an older version. Nothing may use the store meanwhile. Returns the
    version of the store. Raises BackupUnusableError, StoreInUseError where the store has users, OSError."""
    check(path)
    target = make_url(database_url)
    if target.get_backend_name() == "sqlite":
        return _restore_file(path, Path(target.database or ""), target)
    return _restore_rows(path, database_url, target)


def _copy_file(database: Database, partial: Path) -> None:
    source = database.engine.raw_connection()
    try:
        with closing(sqlite3.connect(partial)) as target:
            source.driver_connection.backup(target)  # type: ignore[union-attr]
            # The copy says that it has a log of its own; a backup is one file.
            target.execute("PRAGMA journal_mode=DELETE")
    finally:
        source.close()


def _copy_rows(database: Database, partial: Path) -> None:
    target = _file_database(partial)
    try:
        migrate(target)
        with database.read_snapshot() as source, target.engine.begin() as copy:
            _transfer(source, copy)
    finally:
        _close_file(target)


def _restore_file(path: Path, store: Path, url: URL) -> str:
    if store.exists() and store.stat().st_size:
        raise StoreInUseError(store=url.render_as_string())
    store.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    # Of a store that is gone; they would be taken for those of the new one.
    for side in ("-wal", "-shm"):
        store.with_name(store.name + side).unlink(missing_ok=True)
    partial = _copied(path, store)
    partial.replace(store)
    sync_file(store.parent)
    database = _file_database(store)
    try:
        return migrate(database)
    finally:
        database.close()


def _restore_rows(path: Path, database_url: str, url: URL) -> str:
    target = Database(database_url)
    partial = _copied(path, path)
    source = _file_database(partial)
    try:
        version = migrate(source)
        with target.read() as store:
            is_used = current_version(store) is not None and store.execute(select(user.c.id).limit(1)).first()
        if is_used:
            raise StoreInUseError(store=url.render_as_string())
        migrate(target)
        with source.read() as backup, target.write_alone() as store:
            _transfer(backup, store)
        return version
    finally:
        source.close()
        target.close()
        _remove(partial)


def _copied(path: Path, near: Path) -> Path:
    """A copy of a backup, on disk, in the folder of another file."""
    partial = near.with_name(near.name + _PARTIAL)
    partial.unlink(missing_ok=True)
    partial.touch(_PRIVATE)
    with closing(_open_read_only(path)) as source, closing(sqlite3.connect(partial)) as target:
        source.backup(target)
    sync_file(partial)
    return partial


def _open_read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def _transfer(source: Connection, target: Connection) -> None:
    """Have the target's tables hold the rows of the source's, of the same version, and no others."""
    for table in reversed(metadata.sorted_tables):
        target.execute(delete(table))
    for table in metadata.sorted_tables:
        if _own_reference(table) is None:
            rows = source.execution_options(yield_per=_ROWS).execute(select(table)).mappings()
            for some in rows.partitions():
                target.execute(insert(table), [dict(row) for row in some])
        else:
            _transfer_tree(source, target, table)


def _transfer_tree(source: Connection, target: Connection, table: Table) -> None:
    """Rows that refer to others of their table come behind these."""
    parent = _own_reference(table)
    left = [dict(row) for row in source.execute(select(table)).mappings()]
    there: set[Any] = {None}
    while left:
        ready = [row for row in left if row[parent] in there]
        if not ready:
            raise BackupUnusableError(path=table.name, detail="rows that refer to each other in a circle")
        target.execute(insert(table), ready)
        there |= {row["id"] for row in ready}
        left = [row for row in left if row["id"] not in there]


def _own_reference(table: Table) -> str | None:
    """The column by which rows refer to others of their table."""
    own: Sequence[str] = [key.parent.name for key in table.foreign_keys if key.column.table is table]
    return own[0] if own else None


def _file_database(path: Path) -> Database:
    return Database(URL.create("sqlite", database=str(path)).render_as_string(hide_password=False))


def _close_file(database: Database) -> None:
    connection = database.engine.raw_connection()
    try:
        connection.cursor().execute("PRAGMA journal_mode=DELETE").close()
    finally:
        connection.close()
        database.close()


def _remove(partial: Path) -> None:
    for side in ("", "-wal", "-shm", "-journal"):
        partial.with_name(partial.name + side).unlink(missing_ok=True)
