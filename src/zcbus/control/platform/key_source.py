"""Where this installation's master keys are, by its settings."""

from zcbus.control.platform.key_file import KeyFile, KeySource, KeyText, KeyWrapping
from zcbus.kit.setting_source import SettingsError
from zcbus.kit.settings import Settings
from zcbus.kit.vault import Vault


class TransitWrapping:
    """Master keys encrypted by Vault's transit engine."""

    prefix = "vault:"

    def __init__(self, vault: Vault, key: str) -> None:
        self._vault, self._key = vault, key

    def wrap(self, key: bytes) -> str:
        return self._vault.encrypt(self._key, key)

    def unwrap(self, text: str) -> bytes:
        return self._vault.decrypt(self._key, text)


def key_source(settings: Settings) -> KeySource:
    """Raises SettingsError where Vault is to have encrypted the keys and is not named."""
    keys, wrapping = settings.keys, _wrapping(settings)
    return KeyText("ZCBUS_KEYS", keys.text, wrapping) if keys.text else KeyFile(keys.file, wrapping)


def _wrapping(settings: Settings) -> KeyWrapping | None:
    if not settings.keys.transit:
        return None
    if settings.vault is None:
        raise SettingsError(name="ZCBUS_VAULT_ADDRESS", value="", expected="set together with ZCBUS_KEYS_TRANSIT")
    return TransitWrapping(Vault(settings.vault), settings.keys.transit)
