"""Check that the key file belongs to the store, before a secret fails to open."""

from zcbus.control.platform.secrets import SecretUnreadableError
from zcbus.control.platform.services import Services
from zcbus.control.store.tables.parameter import parameter
from zcbus.kit.errors import TerminalError

_NAME = "_key_check"
_TEXT = "zcbus"


class KeyFileForeignError(TerminalError):
    """The store was made with another key file. Facts: path."""

    code = "key-file-foreign"

    def _describe(self) -> str:
        return "{path} is not the key file this metadata store was made with; put that one there".format(**self.facts)


def check_key_file(services: Services) -> None:
    """At the first start leave a sealed word in the store; later open it. Raises KeyFileForeignError."""
    with services.database.write_alone() as connection:
        found = connection.execute(parameter.select().where(parameter.c.variable_name == _NAME)).one_or_none()
        if found is None:
            sealed = services.secrets.seal(_TEXT, _NAME)
            now = services.clock.now()
            connection.execute(parameter.insert().values(variable_name=_NAME, value=sealed, updated_at=now))
            return
    try:
        services.secrets.open(str(found.value), _NAME)
    except SecretUnreadableError:
        raise KeyFileForeignError(path=str(services.settings.data_dir / "keys")) from None
