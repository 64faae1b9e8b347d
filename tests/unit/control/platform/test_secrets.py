"""Secrets at rest."""

import os
import stat
from pathlib import Path

import pytest

from zcbus.control.platform import secrets
from zcbus.control.platform.key_file import (
    KeyFile,
    KeyFileOwnerError,
    KeyRing,
    KeysFixedError,
    KeysInvalidError,
    KeyText,
    key_line,
    parse,
)
from zcbus.control.platform.secrets import Lasting, SecretBox, SecretUnreadableError, key_of
from zcbus.kit.files import write_private_file

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


def test_an_added_key_opens_and_seals_once_it_is_to() -> None:
    old_box, both = SecretBox({"old": OLD}), SecretBox({"old": OLD, "new": NEW})
    sealed = old_box.seal("secret", "x")
    both.seal_with("old")
    assert not both.needs_resealing(sealed)
    both.seal_with("new")
    assert both.open(sealed, "x") == "secret"
    assert both.needs_resealing(sealed)
    assert not both.needs_resealing(both.seal("secret", "x"))
    with pytest.raises(SecretUnreadableError):
        old_box.open(both.seal("secret", "x"), "x")
    with pytest.raises(SecretUnreadableError):
        old_box.seal_with("new")


def test_the_key_file_is_private_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    sealed = SecretBox({}, KeyFile(path)).seal("secret", "x")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert SecretBox({}, KeyFile(path)).open(sealed, "x") == "secret"


def test_a_key_that_came_later_is_found(tmp_path: Path) -> None:
    file = KeyFile(tmp_path / "keys")
    box = SecretBox({}, file)
    ring = KeyFile(tmp_path / "keys").change(KeyRing.with_new_key)
    assert stat.S_IMODE((tmp_path / "keys").stat().st_mode) == 0o600
    other = SecretBox(ring.keys)
    assert box.open(other.seal("secret", "x"), "x") == "secret"
    assert box.sealing_key_id != other.sealing_key_id


def test_no_seal_by_a_key_that_may_be_replaced_since(monkeypatch: pytest.MonkeyPatch) -> None:
    sealing = ["old"]
    box = SecretBox({"old": OLD, "new": NEW})
    box.keep_current(lambda: sealing[0])
    sealing[0] = "new"
    assert key_of(box.seal("secret", "x")) == "old"
    monkeypatch.setattr(secrets, "CURRENT_SECONDS", -1.0)
    assert key_of(box.seal("secret", "x")) == "new"


def test_what_follows_from_the_oldest_key_outlasts_it(tmp_path: Path) -> None:
    file = KeyFile(tmp_path / "keys")
    box = SecretBox({}, file)
    first = box.sealing_key_id
    derived = {purpose: box.derive_lasting(purpose) for purpose in Lasting}
    for _ in range(2):
        box.use(file.change(KeyRing.with_new_key))
        oldest = next(iter(box.ring.keys))
        left = box.left_by(oldest)
        box.use(file.change(lambda ring, key=oldest, left=left: ring.without(key, left)))
    again = SecretBox({}, KeyFile(tmp_path / "keys"))
    assert first not in again.ring.keys
    assert {purpose: again.derive_lasting(purpose) for purpose in Lasting} == derived
    assert box.left_by(box.ring.newest) == derived
    box.use(file.change(KeyRing.with_new_key))
    assert box.left_by(box.ring.newest) == {}


@pytest.mark.parametrize("text", ["", "a", "a AAAA", f"a {'A' * 43}= x", "a vault:v1:x"])
def test_a_text_that_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(KeysInvalidError) as raised:
        parse(f"{key_line('one', OLD)}{text}" if text else text, "file")
    assert "file" in str(raised.value.facts["source"])


def test_the_key_file_of_another_account_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = KeyFile(tmp_path / "keys")
    ring = file.read()
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    with pytest.raises(KeyFileOwnerError):
        file.change(KeyRing.with_new_key)
    assert file.read() == ring


def test_keys_of_the_environment_cannot_be_changed() -> None:
    text = KeyText("ZCBUS_KEYS", ";".join(key_line(name, key).strip() for name, key in (("a", OLD), ("b", NEW))))
    assert text.read() == KeyRing({"a": OLD, "b": NEW})
    with pytest.raises(KeysFixedError):
        text.change(KeyRing.with_new_key)


def test_a_private_file_is_never_overwritten(tmp_path: Path) -> None:
    write_private_file(tmp_path / "file", "first")
    with pytest.raises(FileExistsError):
        write_private_file(tmp_path / "file", "second")
    assert (tmp_path / "file").read_text() == "first"
