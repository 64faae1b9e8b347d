"""Master keys that Vault's transit engine encrypts, and keys of the environment."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.vault_server import TOKEN, VaultServer, vault_server
from zcbus.control.platform.key_file import KeyFile, KeyRing
from zcbus.control.platform.key_source import key_source
from zcbus.control.platform.secrets import SecretBox
from zcbus.kit.setting_source import SettingsError
from zcbus.kit.settings import load_settings
from zcbus.kit.vault import VaultRefused, VaultUnreachable


@pytest.fixture
def vault() -> Iterator[VaultServer]:
    with vault_server() as running:
        yield running


def settings_of(vault: VaultServer, folder: Path, **more: str) -> dict[str, str]:
    token = folder / "token"
    token.write_text(TOKEN + "\n")
    return {
        "ZCBUS_DATA_DIR": str(folder),
        "ZCBUS_KEYS_TRANSIT": "transit/zcbus",
        "ZCBUS_VAULT_ADDRESS": vault.address,
        "ZCBUS_VAULT_TOKEN_FILE": str(token),
        **more,
    }


def test_the_key_file_holds_no_key_that_opens_without_vault(vault: VaultServer, tmp_path: Path) -> None:
    settings = load_settings(settings_of(vault, tmp_path))
    box = SecretBox({}, key_source(settings))
    sealed = box.seal("secret", "x")
    text = settings.keys.file.read_text()
    assert text.split()[1].startswith("vault:v1:")
    assert SecretBox({}, key_source(settings)).open(sealed, "x") == "secret"
    key_source(settings).change(KeyRing.with_new_key)
    assert [line.split()[1][:9] for line in settings.keys.file.read_text().splitlines()] == ["vault:v1:"] * 2
    vault.status = 503
    with pytest.raises(VaultUnreachable, match="transit/decrypt/zcbus"):
        SecretBox({}, key_source(settings))
    assert box.open(sealed, "x") == "secret"


def test_keys_in_clear_are_taken_and_encrypted_at_the_next_change(vault: VaultServer, tmp_path: Path) -> None:
    sealed = SecretBox({}, KeyFile(tmp_path / "keys")).seal("secret", "x")
    settings = load_settings(settings_of(vault, tmp_path))
    ring = key_source(settings).change(lambda ring: ring)
    assert SecretBox(ring.keys).open(sealed, "x") == "secret"
    assert settings.keys.file.read_text().split()[1].startswith("vault:v1:")


def test_a_refusal_says_where_and_no_token(vault: VaultServer, tmp_path: Path) -> None:
    settings = load_settings(settings_of(vault, tmp_path, ZCBUS_VAULT_TOKEN_FILE="", ZCBUS_VAULT_TOKEN="hvs.wrong"))
    with pytest.raises(VaultRefused) as raised:
        SecretBox({}, key_source(settings))
    assert raised.value.facts == {"address": vault.address, "path": "transit/encrypt/zcbus", "detail": "HTTP 403"}
    assert "hvs.wrong" not in repr(settings)


def test_without_the_address_of_vault_the_start_is_refused(vault: VaultServer, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="ZCBUS_VAULT_ADDRESS"):
        key_source(load_settings(settings_of(vault, tmp_path, ZCBUS_VAULT_ADDRESS="")))


def test_keys_of_the_environment(tmp_path: Path) -> None:
    KeyFile(tmp_path / "keys").read()
    text = (tmp_path / "keys").read_text().replace("\n", ";")
    settings = load_settings({"ZCBUS_KEYS": text, "ZCBUS_DATA_DIR": str(tmp_path / "other")})
    sealed = SecretBox({}, KeyFile(tmp_path / "keys")).seal("secret", "x")
    assert SecretBox({}, key_source(settings)).open(sealed, "x") == "secret"
    assert not settings.keys.file.exists()
    assert text.split()[1] not in repr(settings)
