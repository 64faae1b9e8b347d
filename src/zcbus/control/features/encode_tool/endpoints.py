"""Calls of the encode tool. The operation log records its users, not their texts."""

from zcbus.control.features.encode_tool import cipher
from zcbus.control.features.encode_tool.schemas import DecodeRequest, EncodeRequest
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api

api = Api("encode-tool")

_USE = authorise("resource/encodeTool", Operation.VIEW)


@api.change("/api/zcbus/tool/encode/getEncodeString", _USE)
def encode(call: Call, body: EncodeRequest) -> str:
    """The text encrypted."""
    call.audit.after = None
    return cipher.encode(call.services.secrets, call.principal.tenant_id, body.input_str)


@api.change("/api/zcbus/tool/encode/getDecodeString", _USE)
def decode(call: Call, body: DecodeRequest) -> str:
    """The text that was encrypted. Code 300: it was not encrypted by this tenant, or was altered."""
    call.audit.after = None
    return cipher.decode(call.services.secrets, call.principal.tenant_id, body.input_str)
