"""Requests of the encode tool."""

from pydantic import Field

from zcbus.control.platform.schema import ConfidentialSchema

_LONGEST = 20_000
# Size of the longest text when each of its characters needs four bytes.
_MAX_ENCODED_LENGTH = 200_000


class EncodeRequest(ConfidentialSchema):
    """The text to encrypt, mostly a password."""

    input_str: str = Field(max_length=_LONGEST)


class DecodeRequest(ConfidentialSchema):
    """The text to decrypt."""

    input_str: str = Field(max_length=_MAX_ENCODED_LENGTH)
