"""Requests and answers of signing in with an identity provider."""

from pydantic import Field

from zcbus.control.features.session.schemas import CameFrom
from zcbus.control.platform.schema import ConfidentialSchema, Schema


class BegunSignIn(Schema):
    """The address to send the browser to, and the handle that it returns with (good for ten minutes)."""

    url: str
    handle: str


class ThirdPartyAnswer(CameFrom, ConfidentialSchema):
    """The provider's answer as the browser brings it, and the handle that it left with."""

    code: str = Field(min_length=1, max_length=4000)
    state: str = Field(min_length=1, max_length=200)
    handle: str = Field(min_length=1, max_length=4000)


class ServicePage(Schema):
    """The address where the browser gets a service ticket."""

    url: str


class ServiceTicket(CameFrom, ConfidentialSchema):
    """A service ticket of the CAS server; good once."""

    ticket: str = Field(min_length=1, max_length=400)


class SamlAnswer(CameFrom, ConfidentialSchema):
    """What came of the provider's response, as the browser brings it (good for two minutes), and the handle that it
    left with."""

    ticket: str = Field(min_length=1, max_length=4000)
    handle: str = Field(min_length=1, max_length=4000)
