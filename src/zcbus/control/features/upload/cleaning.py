"""What is neither continued nor needed is removed."""

import time
from datetime import timedelta
from pathlib import Path

from sqlalchemy import ColumnElement, delete, select, update

from zcbus.control.features.upload import receiving
from zcbus.control.features.upload.errors import UploadBusyError
from zcbus.control.features.upload.storing import keeping
from zcbus.control.platform.services import Services
from zcbus.control.store.tables.driver import driver
from zcbus.control.store.tables.upload import upload

ABANDONED = timedelta(days=1)
"""So long an upload may rest between two parts."""
LEFT = timedelta(days=7)
"""So long data for a table is kept that no import took, and a jar file that did not become a driver."""
_ORPHAN_SECONDS = 3600.0


def clean(services: Services) -> None:
    """Remove uploads that no user continues, data that no import took, jar files that became no driver, files whose
    deletion did not reach their store, and contents without a record. Safe to run twice at once. Raises
    KeepingUnavailable."""
    _remove_abandoned(services)
    _remove_left(services)
    folder = services.settings.uploads.folder
    _remove_orphans(services, folder / "parts", upload.c.state == "receiving")
    _remove_orphans(services, folder / "files", upload.c.store == "local")
    _complete_removals(services)


def _remove_abandoned(services: Services) -> None:
    old = (upload.c.state == "receiving") & (upload.c.updated_at < services.clock.now() - ABANDONED)
    with services.database.read() as store:
        ids = store.execute(select(upload.c.id).where(old)).scalars().all()
    for upload_id in ids:
        path = receiving.path_of(services.settings.uploads, upload_id)
        try:
            with receiving.held(path):
                with services.database.write() as store:
                    store.execute(delete(upload).where(upload.c.id == upload_id, old))
                path.unlink(missing_ok=True)
        except UploadBusyError:
            continue


def _remove_left(services: Services) -> None:
    unused = (upload.c.purpose == "driver") & upload.c.id.not_in(select(driver.c.id))
    old = ((upload.c.purpose == "data") | unused) & (upload.c.state == "ready")
    with services.database.write() as store:
        left = update(upload).where(old, upload.c.updated_at < services.clock.now() - LEFT)
        store.execute(left.values(state="removing"))


def _complete_removals(services: Services) -> None:
    with services.database.read() as store:
        rows = store.execute(select(upload.c.id, upload.c.store).where(upload.c.state == "removing")).all()
    for row in rows:
        keeping(services.settings.uploads, row.store).remove(row.id)
        with services.database.write() as store:
            store.execute(delete(upload).where(upload.c.id == row.id))


def _remove_orphans(services: Services, folder: Path, belonging: ColumnElement[bool]) -> None:
    if not folder.is_dir():
        return
    with services.database.read() as store:
        known = set(store.execute(select(upload.c.id).where(belonging)).scalars())
    for path in folder.iterdir():
        # A new one may be recorded at this moment.
        if path.name.lstrip(".") not in known and time.time() - path.stat().st_mtime > _ORPHAN_SECONDS:
            path.unlink(missing_ok=True)
