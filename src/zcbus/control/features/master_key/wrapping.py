"""Master keys encrypted by Vault, which were stored in clear before."""

from zcbus.control.features.master_key.recording import record
from zcbus.control.platform.services import Services
from zcbus.kit.setting_source import SettingsError


def wrap(services: Services) -> int:
    """Write the key file again, its keys encrypted as the settings say. Returns their number. Raises SettingsError
    where they do not, KeysFixedError, VaultUnreachable, VaultRefused."""
    source, transit = services.secrets.source, services.settings.keys.transit
    if source is None or not transit:
        raise SettingsError(name="ZCBUS_KEYS_TRANSIT", value="", expected="mount/key of Vault's transit engine")
    ring = source.change(lambda ring: ring)
    services.secrets.use(ring)
    with services.database.write() as connection:
        record(connection, services, "wrap", {"key": ring.newest, "by": transit})
    return len(ring.keys)
