"""`zcbus restore`: the metadata store from a backup, with direct access to the store."""

import argparse
from pathlib import Path
from typing import Any

from zcbus.kit.data_folder import keep_private
from zcbus.kit.settings import load_settings


def add_commands(commands: Any) -> None:
    """Add `restore`."""
    restore = commands.add_parser(
        "restore",
        help="make the metadata store from a backup that a task plan wrote",
        description="The store (ZCBUS_DATABASE_URL) must be empty, and no control plane may run. "
        "The key file (<data>/keys) must be that of the backup. Afterwards run: zcbus audit accept",
    )
    restore.add_argument("file", metavar="FILE", type=Path, help="the backup")
    restore.set_defaults(run=_restore)


def _restore(options: argparse.Namespace) -> int:
    from zcbus.control.features.task_plan.backup_maker import release_claims
    from zcbus.control.store.backup import restore
    from zcbus.control.store.engine import Database

    settings = load_settings()
    keep_private(settings.data_dir)
    version = restore(options.file, settings.database_url)
    database = Database(settings.database_url)
    try:
        release_claims(database)
    finally:
        database.close()
    print(f"metadata store restored, version {version}; now run: zcbus audit accept")
    return 0
