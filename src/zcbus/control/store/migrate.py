"""Brings the metadata store to the version this program needs. Run at every start and by `zcbus migrate`."""

from functools import cache
from pathlib import Path

from sqlalchemy import Connection, column, inspect, select, table

from zcbus.control.store.engine import Database
from zcbus.kit.errors import TerminalError

_MIGRATIONS = Path(__file__).with_name("migrations")
_VERSION = table("alembic_version", column("version_num"))


class StoreVersionUnknown(TerminalError):
    """The store was brought to a version that this program does not know, as by a newer one. Facts: version, needed."""

    code = "store-version-unknown"


class StoreOutdated(TerminalError):
    """The store is at an earlier version than this program needs, or holds nothing ('–'). Facts: version, needed."""

    code = "store-outdated"


def migrate(database: Database) -> str:
    """Apply what is missing, all or nothing, and return the version reached. Raises StoreVersionUnknown.

    Several replicas may call this at the same time: one migrates, the others wait and find nothing to do.
    """
    with database.write_alone() as connection:
        current = current_version(connection)
        if current is not None and current not in known_versions():
            raise StoreVersionUnknown(version=current, needed=needed_version())
        if current != needed_version():
            upgrade(connection, needed_version())
        return current_version(connection) or ""


def check_version(database: Database) -> None:
    """For programs that use the store without migrating it. Raises StoreOutdated, StoreVersionUnknown."""
    with database.read() as connection:
        current = current_version(connection)
    if current is not None and current not in known_versions():
        raise StoreVersionUnknown(version=current, needed=needed_version())
    if current != needed_version():
        raise StoreOutdated(version=current or "–", needed=needed_version())


def current_version(connection: Connection) -> str | None:
    """The version the store is at, or None when it is empty."""
    if not inspect(connection).has_table(_VERSION.name):
        return None
    version: str | None = connection.execute(select(_VERSION.c.version_num)).scalar_one_or_none()
    return version


def needed_version() -> str:
    """The version this program needs."""
    return max(known_versions())


@cache
def known_versions() -> frozenset[str]:
    """The numbers that the names of the migrations begin with."""
    return frozenset(path.name.partition("_")[0] for path in (_MIGRATIONS / "versions").glob("[0-9]*.py"))


def upgrade(connection: Connection, version: str) -> None:
    """Apply the migrations up to one of the known versions, in the open transaction."""
    # A store that is up to date needs neither the migrations nor what runs them, and they take long to load.
    from alembic import command
    from alembic.config import Config

    configuration = Config()
    configuration.set_main_option("script_location", str(_MIGRATIONS))
    configuration.set_main_option("path_separator", "os")
    configuration.attributes["connection"] = connection
    command.upgrade(configuration, version)
