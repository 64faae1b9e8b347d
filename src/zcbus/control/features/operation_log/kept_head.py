"""The end of the operation log's chain, kept outside of the database: what is cut off there is missed here.

Each replica keeps the end it saw in its data folder.
"""

from pathlib import Path

import orjson
from sqlalchemy import Connection, select

from zcbus.control.platform.audit_chain import Head, head
from zcbus.control.platform.services import Services
from zcbus.control.store.tables.audit import audit_anchor, audit_link
from zcbus.kit.files import write_durably
from zcbus.kit.logging import get_logger

_log = get_logger("control.audit")

_FILE_NAME = "audit-head"


def keep_head(services: Services) -> None:
    """Write the chain's end to the data folder, unless the chain lacks the one that is kept: that one is evidence.
    Raises OSError."""
    with services.database.read() as store:
        end, kept = head(store), kept_head(services)
        if end is None or end == kept:
            return
        is_held = kept is None or holds(store, kept)
    if is_held:
        # An end that a loss of power takes from the database would look cut off.
        services.database.sync()
        write_head(services, end)
    else:
        _log.error("operation log lacks records that this host saw", kept=kept.sequence if kept else 0)


def kept_head(services: Services) -> Head | None:
    """The end that was kept last; None before the first."""
    try:
        return Head(**orjson.loads(_path(services).read_bytes()))
    except FileNotFoundError:
        return None


def write_head(services: Services, end: Head) -> None:
    """Replace the kept end. Raises OSError."""
    write_durably(_path(services), orjson.dumps(end._asdict()), 0o600)


def holds(store: Connection, kept: Head) -> bool:
    """Whether the chain has, or had before retention, the link that was kept."""
    seal = store.execute(select(audit_link.c.seal).where(audit_link.c.sequence == kept.sequence)).scalar()
    if seal is not None:
        return bool(seal == kept.seal)
    cut = store.execute(select(audit_anchor.c.sequence, audit_anchor.c.link_seal)).first()
    if cut is None:
        return False
    return kept.sequence < cut.sequence or tuple(cut) == kept


def _path(services: Services) -> Path:
    return services.settings.data_dir / _FILE_NAME
