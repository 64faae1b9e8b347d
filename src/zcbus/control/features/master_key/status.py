"""What `zcbus key status` says."""

from dataclasses import dataclass
from datetime import datetime

from zcbus.control.features.master_key.holders import live
from zcbus.control.features.master_key.resealing import census
from zcbus.control.features.master_key.retirement import needed_by
from zcbus.control.platform.services import Services
from zcbus.kit.errors import TerminalError


@dataclass(frozen=True, slots=True)
class KeyState:
    """A key, the number of stored texts that need it, and why it cannot be retired (None: it can). `held`: whether this
    host has it."""

    key: str
    held: bool
    seals: bool
    texts: int
    refusal: TerminalError | None


@dataclass(frozen=True, slots=True)
class Holder:
    """A control plane that runs."""

    host: str
    keys: list[str]
    seals_with: str
    reported_at: datetime


def key_states(services: Services) -> list[KeyState]:
    """Every key that is here or needed, the oldest first."""
    box = services.secrets
    box.refresh()
    with services.database.read() as connection:
        found = census(connection)
    texts = {key: sum(count for (_, one), count in found.items() if one == key) for _, key in found}
    return [
        KeyState(key, key in box.ring.keys, key == box.sealing_key_id, texts.get(key, 0), needed_by(services, key))
        for key in dict.fromkeys([*box.ring.keys, *texts])
    ]


def holders(services: Services) -> list[Holder]:
    """Control planes that run."""
    with services.database.read() as connection:
        rows = live(connection, services.clock.now())
    return [Holder(row.host, row.key_ids, row.sealing, row.reported_at) for row in rows]
