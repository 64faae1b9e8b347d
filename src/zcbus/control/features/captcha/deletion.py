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
    if call.principal.kind != "session" or not demands_code(call.connection):
        return
    call.write_if_failed(lambda connection: pictures.discard(connection, proof.uuid))
    pictures.use(call.connection, call.services.clock.now(), proof.uuid, proof.code)


def demands_code(connection: Connection) -> bool:
    """Whether the installation is configured so."""
    value = parameters.get(connection, parameters.SYSTEM_CONFIGURATION).value
    return isinstance(value, dict) and value.get("isDeleteCode") is True
