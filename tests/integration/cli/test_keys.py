"""`zcbus key …`, on a host whose control plane does not run."""

import json
import stat
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update
from tests.support.vault_server import TOKEN, vault_server

from zcbus.cli.main import EXIT_FAILED, EXIT_OK, main
from zcbus.control.bootstrap import build_services, prepare
from zcbus.control.features.master_key.retirement import SETTLED
from zcbus.control.platform.services import Services
from zcbus.control.store.tables.parameter import parameter
from zcbus.kit.settings import load_settings


@pytest.fixture
def services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Services]:
    monkeypatch.setenv("ZCBUS_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("ZCBUS_LANG", "en")
    made = build_services(load_settings())
    prepare(made)
    yield made
    made.close()


@pytest.mark.wide
def test_a_key_is_rotated_shown_and_retired(
    services: Services, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    old, saved = services.secrets.sealing_key_id, tmp_path / "saved"
    assert main(["key", "rotate"]) == EXIT_OK
    assert main(["key", "status", "--json"]) == EXIT_OK
    said = capsys.readouterr().out
    shown = json.loads(said[said.index("{") :])
    new = shown["keys"][1]["key"]
    assert said.startswith(f"Master key {new} encrypts everything now; 0 rows")
    assert [(one["key"], one["seals"]) for one in shown["keys"]] == [(old, False), (new, True)]
    assert main(["key", "retire", old, "--save", str(saved)]) == EXIT_FAILED
    assert "until a moment ago" in capsys.readouterr().err
    assert not saved.exists()
    make_it_older(services)
    assert main(["key", "retire", old, "--save", str(saved)]) == EXIT_OK
    assert (saved.read_text().split()[0], stat.S_IMODE(saved.stat().st_mode)) == (old, 0o600)
    assert main(["key", "retire", new]) == EXIT_FAILED
    with vault_server() as vault:
        monkeypatch.setenv("ZCBUS_KEYS_TRANSIT", "transit/zcbus")
        monkeypatch.setenv("ZCBUS_VAULT_ADDRESS", vault.address)
        monkeypatch.setenv("ZCBUS_VAULT_TOKEN", TOKEN)
        assert main(["key", "wrap"]) == EXIT_OK
        lines = (tmp_path / "keys").read_text().splitlines()
        assert all(line.split()[1].startswith("vault:v1:") for line in lines)
        assert main(["key", "status"]) == EXIT_OK
    assert f"{new}  0      in use" in capsys.readouterr().out


def make_it_older(services: Services) -> None:
    """As if the key had sealed for long."""
    with services.database.write() as connection:
        [since] = connection.execute(select(parameter.c.updated_at).where(parameter.c.variable_name == "_key_check"))
        earlier = since.updated_at - SETTLED - timedelta(seconds=1)
        connection.execute(
            update(parameter).where(parameter.c.variable_name == "_key_check").values(updated_at=earlier)
        )
