"""Secrets at rest."""

import os
import stat
from pathlib import Path

import pytest

from zcbus.control.platform.secrets import (
    SecretBox,
    SecretUnreadableError,
    load_secret_box,
    write_private_file,
)

OLD, NEW = os.urandom(32), os.urandom(32)


def test_sealed_text_is_opened_again() -> None:
    box = SecretBox({"a": OLD})
    sealed = box.seal("пароль 密码 🎈", "datasource:1:password")
    assert box.open(sealed, "datasource:1:password") == "пароль 密码 🎈"
    assert "密码" not in sealed


def test_the_same_secret_is_never_encrypted_to_the_same_text() -> None:
    box = SecretBox({"a": OLD})
    assert box.seal("secret", "x") != box.seal("secret", "x")


def test_a_sealed_secret_does_not_open_in_another_place() -> None:
    box = SecretBox({"a": OLD})
    with pytest.raises(SecretUnreadableError):
        box.open(box.seal("secret", "datasource:1:password"), "datasource:2:password")


def test_an_altered_secret_does_not_open() -> None:
    box = SecretBox({"a": OLD})
    sealed = box.seal("secret", "x")
    altered = sealed[:-4] + ("AAA=" if not sealed.endswith("AAA=") else "BBB=")
    with pytest.raises(SecretUnreadableError):
        box.open(altered, "x")


def test_after_a_change_of_keys_old_secrets_open_and_new_ones_use_the_new_key() -> None:
    old_box, both = SecretBox({"old": OLD}), SecretBox({"old": OLD, "new": NEW})
    sealed = old_box.seal("secret", "x")
    assert both.open(sealed, "x") == "secret"
    assert both.needs_resealing(sealed)
    assert not both.needs_resealing(both.seal("secret", "x"))
    with pytest.raises(SecretUnreadableError):
        old_box.open(both.seal("secret", "x"), "x")


def test_the_key_file_is_private_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    sealed = load_secret_box(path).seal("secret", "x")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert load_secret_box(path).open(sealed, "x") == "secret"


def test_a_private_file_is_never_overwritten(tmp_path: Path) -> None:
    write_private_file(tmp_path / "file", "first")
    with pytest.raises(FileExistsError):
        write_private_file(tmp_path / "file", "second")
    assert (tmp_path / "file").read_text() == "first"
