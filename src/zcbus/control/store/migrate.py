"""Brings the metadata store to the version this program needs. Run at every start and by `zcbus migrate`."""

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from zcbus.control.store.engine import Database


def migrate(database: Database) -> str:
    """Apply what is missing, all or nothing, and return the version reached.

    Several replicas may call this at the same time: one migrates, the others wait and find nothing to do.
    """
    with database.write_alone() as connection:
        if current_version(connection) != needed_version():
            configuration = _configuration()
            configuration.attributes["connection"] = connection
            command.upgrade(configuration, "head")
        return current_version(connection) or ""


def current_version(connection: Connection) -> str | None:
    """The version the store is at, or None when it is empty."""
    return MigrationContext.configure(connection).get_current_revision()


@cache
def needed_version() -> str | None:
    """The version this program needs. To know it every migration is loaded, which takes a tenth of a second."""
    return ScriptDirectory.from_config(_configuration()).get_current_head()


def _configuration() -> Config:
    configuration = Config()
    configuration.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    configuration.set_main_option("path_separator", "os")
    return configuration
