"""Check that the master keys belong to the store, before a secret fails to open, and learn which of them seals.

The store has a sealed word. The key that sealed it is the one that seals: changing it is one transaction, for all
control planes over the store.
"""

from datetime import datetime

from sqlalchemy import Connection, update

from zcbus.control.platform.secrets import SecretBox, SecretUnreadableError, key_of
from zcbus.control.platform.services import Services
from zcbus.control.store.tables.parameter import parameter
from zcbus.kit.errors import TerminalError

_NAME = "_key_check"
_TEXT = "zcbus"
_WORD = parameter.select().where(parameter.c.variable_name == _NAME)


class KeyFileForeignError(TerminalError):
    """The store was made with other master keys. Facts: path."""

    code = "key-file-foreign"

    def _describe(self) -> str:
        return "{path} is not the key file this metadata store was made with; put that one there".format(**self.facts)


def check_key_file(services: Services) -> None:
    """At the first start leave a sealed word in the store; later open it. Raises KeyFileForeignError."""
    with services.database.write_alone() as connection:
        found = connection.execute(_WORD).one_or_none()
        if found is None:
            sealed = services.secrets.seal(_TEXT, _NAME)
            now = services.clock.now()
            connection.execute(parameter.insert().values(variable_name=_NAME, value=sealed, updated_at=now))
    use_sealing_key(services)


def use_sealing_key(services: Services) -> None:
    """Seal with the store's key from now on, whichever it becomes. Raises KeyFileForeignError."""
    with services.database.read() as connection:
        found = connection.execute(_WORD).one_or_none()
    try:
        if found is not None:
            services.secrets.open(str(found.value), _NAME)
        services.secrets.keep_current(lambda: _read(services))
    except SecretUnreadableError:
        source = services.secrets.source
        raise KeyFileForeignError(path=source.name if source else "") from None


def sealing_key(connection: Connection, box: SecretBox) -> str:
    """The id of the key that seals: the store's, the newest one of a store that has none yet."""
    found = connection.execute(_WORD).one_or_none()
    return box.ring.newest if found is None else key_of(str(found.value))


def sealing_since(connection: Connection) -> datetime | None:
    """When that key began to seal; None in a store without one."""
    found = connection.execute(_WORD).one_or_none()
    return None if found is None else found.updated_at


def seal_with(connection: Connection, services: Services, key_id: str) -> None:
    """Have every control plane seal with another key, as soon as this transaction has ended and it looks
    (`SecretBox.refresh`)."""
    sealed = services.secrets.seal_by(key_id, _TEXT, _NAME)
    values = {"value": sealed, "updated_at": services.clock.now()}
    connection.execute(update(parameter).where(parameter.c.variable_name == _NAME).values(**values))


def _read(services: Services) -> str:
    with services.database.read() as connection:
        return sealing_key(connection, services.secrets)
