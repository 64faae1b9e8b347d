"""Brings the metadata store to the version this program needs. Run at every start and by `zcbus migrate`."""

from functools import cache
from pathlib import Path

from sqlalchemy import Connection, column, inspect, select, table

from zcbus.control.store.engine import Database

_MIGRATIONS = Path(__file__).with_name("migrations")
_VERSION = table("alembic_version", column("version_num"))


def migrate(database: Database) -> str:
    """Apply what is missing, all or nothing, and return the version reached.

    Several replicas may call this at the same time: one migrates, the others wait and find nothing to do.
    """
    with database.write_alone() as connection:
        if current_version(connection) != needed_version():
            _upgrade(connection)
        return current_version(connection) or ""


def current_version(connection: Connection) -> str | None:
    """The version the store is at, or None when it is empty."""
    if not inspect(connection).has_table(_VERSION.name):
        return None
    version: str | None = connection.execute(select(_VERSION.c.version_num)).scalar_one_or_none()
    return version


@cache
def needed_version() -> str:
    """The version this program needs: the number that the name of its newest migration begins with."""
    return max(path.name for path in (_MIGRATIONS / "versions").glob("[0-9]*.py")).partition("_")[0]


def _upgrade(connection: Connection) -> None:
    # A store that is up to date needs neither the migrations nor what runs them, and they take long to load.
    from alembic import command
    from alembic.config import Config

    configuration = Config()
    configuration.set_main_option("script_location", str(_MIGRATIONS))
    configuration.set_main_option("path_separator", "os")
    configuration.attributes["connection"] = connection
    command.upgrade(configuration, "head")
