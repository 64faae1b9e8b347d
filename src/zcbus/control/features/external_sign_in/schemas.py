"""Requests and answers of signing in with an identity provider."""

from pydantic import Field

from zcbus.control.features.session.schemas import CameFrom
from zcbus.control.platform.schema import ConfidentialSchema, Schema


class BegunSignIn(Schema):
    """Where the browser goes now, and what it brings back from there (`handle`, good for ten minutes)."""

    url: str
    handle: str


class ThirdPartyAnswer(CameFrom, ConfidentialSchema):
    """What the provider sent the browser back with, and the handle that it left with."""

    code: str = Field(min_length=1, max_length=4000)
    state: str = Field(min_length=1, max_length=200)
    handle: str = Field(min_length=1, max_length=4000)


class ServicePage(Schema):
    """Where the browser goes to get a service ticket."""

    url: str


class ServiceTicket(CameFrom, ConfidentialSchema):
    """A service ticket of the CAS server; good once."""

    ticket: str = Field(min_length=1, max_length=400)
