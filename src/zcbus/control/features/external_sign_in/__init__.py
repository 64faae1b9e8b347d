"""Signing in with an identity provider: OpenID Connect, SAML, or the service tickets of a CAS
server."""

from zcbus.control.features.external_sign_in.endpoints import api
from zcbus.control.features.external_sign_in.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
