"""The rules for passwords."""

import pytest

from zcbus.control.features.account import passwords
from zcbus.control.features.account.errors import PasswordLengthError, PasswordTooSimpleError


@pytest.mark.parametrize("good", ["Abcdefg1", "Abcdefghijklmno1", "aB1!@#$%^&*,._"])
def test_good_passwords(good: str) -> None:
    passwords.check_rules(good, 16)


@pytest.mark.parametrize("bad", ["", "Abcdef1", "Abcdefghijklmnop1"])
def test_length(bad: str) -> None:
    with pytest.raises(PasswordLengthError):
        passwords.check_rules(bad, 16)


def test_passphrases_where_they_are_allowed() -> None:
    passwords.check_rules("Correct.Horse.Battery.Staple.1", 128)


@pytest.mark.parametrize("bad", ["abcdefg1", "ABCDEFG1", "Abcdefgh", "Abcdef 1", "Abcdef-1", "Abcdef密1", "Abcdefg1\n"])
def test_complexity(bad: str) -> None:
    with pytest.raises(PasswordTooSimpleError):
        passwords.check_rules(bad, 16)


def test_generated_passwords_keep_the_rules() -> None:
    generated = {passwords.generate() for _ in range(50)}
    assert len(generated) == 50
    for password in generated:
        passwords.check_rules(password, 16)


def test_hashes() -> None:
    hashed = passwords.hash_password("Abcdefg1")
    assert hashed.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert passwords.is_correct("Abcdefg1", hashed)
    assert not passwords.is_correct("Abcdefg2", hashed)
    assert not passwords.is_correct("nobody", None)
    assert not passwords.is_correct("Abcdefg1", "not a hash")
