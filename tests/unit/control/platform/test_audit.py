"""The operation log hides secrets."""

import orjson

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


def test_values_beyond_the_stores_types_are_recorded_as_text() -> None:
    shown = hide_secrets({"large": 2**70, "negative": -(2**63) - 1, "fits": 2**63 - 1, "odd \ud800": ["a\ud800"]})
    assert shown == {"large": str(2**70), "negative": str(-(2**63) - 1), "fits": 2**63 - 1, "odd ?": ["a?"]}
    assert orjson.loads(orjson.dumps(shown)) == shown


def test_the_original_stays_as_it_is() -> None:
    original = {"password": "p"}
    hide_secrets(original)
    assert original == {"password": "p"}
