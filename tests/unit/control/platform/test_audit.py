"""The operation log hides secrets."""

from zcbus.control.platform.audit import hide_secrets


def test_secrets_are_hidden_wherever_they_are() -> None:
    shown = hide_secrets(
        {
            "user": "reader",
            "password": "p",
            "source": {"newPassword": "p", "options": [{"clientSecret": "s", "port": 1}]},
            "token": "t",
        }
    )
    assert shown == {
        "user": "reader",
        "password": "***",
        "source": {"newPassword": "***", "options": [{"clientSecret": "***", "port": 1}]},
        "token": "***",
    }


def test_the_original_stays_as_it_is() -> None:
    original = {"password": "p"}
    hide_secrets(original)
    assert original == {"password": "p"}
