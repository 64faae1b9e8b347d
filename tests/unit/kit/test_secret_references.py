"""References to secrets: what they may lead to, and what is said where they lead nowhere."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.vault_server import TOKEN, VaultServer, vault_server

from zcbus.kit.secret_references import (
    ReferenceMissing,
    ReferenceRefused,
    ReferenceUnavailable,
    parse_reference,
    resolve,
)
from zcbus.kit.setting_source import SettingsError
from zcbus.kit.settings import load_settings


@pytest.fixture
def vault(monkeypatch: pytest.MonkeyPatch) -> Iterator[VaultServer]:
    with vault_server() as running:
        monkeypatch.setenv("ZCBUS_VAULT_ADDRESS", running.address)
        monkeypatch.setenv("ZCBUS_VAULT_TOKEN", TOKEN)
        monkeypatch.setenv("ZCBUS_REFERENCE_VAULT", "secret/{tenant}")
        running.secrets["t1/db"] = {"password": "from-vault", "number": 7}
        yield running


def read(text: str, tenant: str = "t1") -> str:
    reference = parse_reference(text)
    assert reference is not None
    return resolve(reference, tenant)


def refused(text: str, tenant: str = "t1") -> ReferenceRefused:
    with pytest.raises(ReferenceRefused) as raised:
        read(text, tenant)
    return raised.value


def missing(text: str) -> str:
    with pytest.raises(ReferenceMissing) as raised:
        read(text)
    assert raised.value.facts["reference"] == text
    return str(raised.value.facts["detail"])


@pytest.mark.parametrize(
    "text", ["secret", "env:A", "$env:A", "${env:}", "${other:a}", "x${env:A}", "${env:A}\n", "${a}"]
)
def test_another_text_is_a_secret(text: str) -> None:
    assert parse_reference(text) is None


@pytest.mark.parametrize(
    "text", ["${env:A B}", "${env:../x}", "${vault:secret/db}", "${vault:a#b}", "${vault:a/../b#c}"]
)
def test_a_reference_that_cannot_be_is_no_secret_either(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse_reference(text)


def test_nothing_is_allowed_without_a_setting(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ZCBUS_SECRET_A", "x")
    assert refused("${env:ZCBUS_SECRET_A}").facts["setting"] == "ZCBUS_REFERENCE_ENV"
    assert refused(f"${{file:{tmp_path}}}").facts["setting"] == "ZCBUS_REFERENCE_FILES"
    assert refused("${vault:secret/db#password}").facts["setting"] == "ZCBUS_REFERENCE_VAULT"


def test_variables_begin_as_the_setting_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZCBUS_REFERENCE_ENV", "ZCBUS_SECRET_{tenant}_")
    monkeypatch.setenv("ZCBUS_SECRET_t1_SALES", "s3cret")
    monkeypatch.setenv("ZCBUS_ADMIN_PASSWORD", "admin")
    assert read("${env:ZCBUS_SECRET_t1_SALES}") == "s3cret"
    refused("${env:ZCBUS_SECRET_t1_SALES}", "t2")
    refused("${env:ZCBUS_SECRET_t1_SALES}", "")
    refused("${env:ZCBUS_ADMIN_PASSWORD}")
    assert missing("${env:ZCBUS_SECRET_t1_OTHER}") == "not set"
    with pytest.raises(SettingsError):
        load_settings({"ZCBUS_REFERENCE_ENV": "ZCBUS_"})


def test_files_are_below_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder, outside = tmp_path / "secrets", tmp_path / "outside"
    (folder / "..data").mkdir(parents=True)
    outside.write_text("key")
    (folder / "..data" / "sales").write_text("from-file\n")
    (folder / "sales").symlink_to("..data/sales")
    (folder / "out").symlink_to(outside)
    os.mkfifo(folder / "pipe")
    (folder / "long").write_bytes(b"x" * 70_000)
    monkeypatch.setenv("ZCBUS_REFERENCE_FILES", str(folder))
    assert read("${file:sales}") == "from-file"
    (folder / "..data" / "sales").write_text("rotated")
    assert read("${file:sales}") == "rotated"
    for name in ("out", "../outside", str(outside), "/etc/passwd"):
        refused(f"${{file:{name}}}")
    assert missing("${file:none}")
    assert "bytes" in missing("${file:pipe}")
    assert "bytes" in missing("${file:long}")


def test_fields_of_vault(vault: VaultServer) -> None:
    assert read("${vault:secret/t1/db#password}") == "from-vault"
    vault.secrets["t1/db"]["password"] = "rotated"
    assert read("${vault:secret/t1/db#password}") == "rotated"
    refused("${vault:secret/t1/db#password}", "t2")
    refused("${vault:other/t1/db#password}")
    assert missing("${vault:secret/t1/none#password}") == "HTTP 404"
    assert missing("${vault:secret/t1/db#none}") == "no text none"
    assert missing("${vault:secret/t1/db#number}") == "no text number"
    assert vault.calls[0] == ("GET", "/v1/secret/data/t1/db")


def test_vault_that_is_sealed_is_asked_again(vault: VaultServer, monkeypatch: pytest.MonkeyPatch) -> None:
    vault.status = 503
    with pytest.raises(ReferenceUnavailable) as raised:
        read("${vault:secret/t1/db#password}")
    assert raised.value.facts == {"reference": "${vault:secret/t1/db#password}", "detail": "HTTP 503"}
    vault.status = 0
    monkeypatch.setenv("ZCBUS_VAULT_TOKEN", "hvs.wrong")
    assert missing("${vault:secret/t1/db#password}") == "HTTP 403"
