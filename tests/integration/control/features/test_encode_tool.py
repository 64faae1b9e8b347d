"""The encode tool: both directions, on this installation only, without a record of the texts."""

import re

import pytest

from tests.integration.control.features.conftest import Caller
from tests.support.control_plane import ControlPlane
from zcbus.control.features.encode_tool.cipher import encode
from zcbus.control.platform.secrets import SecretBox
from zcbus.control.store.tables.audit import audit_record

ENCODE = "tool/encode/getEncodeString"
DECODE = "tool/encode/getDecodeString"


@pytest.mark.parametrize("text", ["", "Geheim-1", "密码 ✓", "two\nlines", "𝄞" * 20_000])
def test_encrypted_text_is_decrypted(admin: Caller, text: str) -> None:
    encoded = admin.call(ENCODE, {"inputStr": text})
    # Letters and digits only: that passes the console's check of encoded text.
    assert re.fullmatch("[a-z2-7]+", encoded)
    assert admin.call(ENCODE, {"inputStr": text}) != encoded
    assert admin.call(DECODE, {"inputStr": f" {encoded}\n"}) == text


def test_altered_cut_or_foreign_text_is_refused(admin: Caller) -> None:
    encoded = admin.call(ENCODE, {"inputStr": "Geheim-1"})
    middle = len(encoded) // 2
    altered = encoded[:middle] + ("a" if encoded[middle] != "a" else "b") + encoded[middle + 1 :]
    foreign = encode(SecretBox({"k": bytes(32)}), "default", "Geheim-1")
    for wrong in ("", "a", "0189", "密", encoded[:-8], encoded + encoded, altered, foreign, "mzxw6ytb"):
        refused = admin.refused(DECODE, {"inputStr": wrong})
        assert (refused["code"], refused["data"]["error"]) == (300, "not-encoded-here"), wrong


def test_a_text_of_another_tenant_does_not_open(admin: Caller) -> None:
    theirs = encode(admin.plane.services.secrets, "another", "Geheim-1")
    assert admin.refused(DECODE, {"inputStr": theirs})["code"] == 300


def test_a_secret_sealed_elsewhere_in_the_platform_does_not_open_here(admin: Caller) -> None:
    sealed = admin.plane.services.secrets.seal("database password", "datasource:1:password")
    assert admin.refused(DECODE, {"inputStr": sealed})["code"] == 300


def test_the_log_says_who_and_not_what(admin: Caller, plane: ControlPlane) -> None:
    encoded = admin.call(ENCODE, {"inputStr": "Geheim-1"})
    admin.call(DECODE, {"inputStr": encoded})
    with plane.services.database.read() as connection:
        rows = connection.execute(audit_record.select().where(audit_record.c.path.contains("/tool/encode/"))).all()
    assert [(row.action, row.user_name) for row in rows] == [
        ("encode-tool_encode", "admin"),
        ("encode-tool_decode", "admin"),
    ]
    assert not any("Geheim-1" in repr(row) or encoded in repr(row) for row in rows)
