"""Deletions need the digits of a picture when the system parameter `sys_config` has `isDeleteCode`."""

from pydantic import Field
from sqlalchemy import Connection

from zcbus.control.features.captcha import pictures
from zcbus.control.features.parameter import service as parameters
from zcbus.control.platform.call import Call
from zcbus.control.platform.schema import Schema


class DeletionProof(Schema):
    """A part of every request that deletes: the captcha's answer, needed only while `isDeleteCode` is set."""

    code: str = Field(default="", max_length=20)
    uuid: str = Field(default="", max_length=64)


def confirm_deletion(call: Call, proof: DeletionProof) -> None:
    """To be called first by every call that deletes, in its transaction. Programs with a token of their own read no
    pictures and pass. Raises CaptchaExpiredError, CaptchaWrongError; the picture is used up then, too."""
    _confirm(call, call.connection, proof)


def confirm_deletion_apart(call: Call, proof: DeletionProof) -> None:
    """As `confirm_deletion`, for a call without a transaction."""
    with call.services.database.write() as connection:
        _confirm(call, connection, proof)


def _confirm(call: Call, connection: Connection, proof: DeletionProof) -> None:
    if call.principal.kind != "session" or not demands_code(connection):
        return
    call.write_if_failed(lambda failed: pictures.discard(failed, proof.uuid))
    pictures.use(connection, call.services.clock.now(), proof.uuid, proof.code)


def demands_code(connection: Connection) -> bool:
    """Whether the installation is configured so."""
    value = parameters.get(connection, parameters.SYSTEM_CONFIGURATION).value
    return isinstance(value, dict) and value.get("isDeleteCode") is True
