"""Two-step verification: codes of an authenticator (TOTP), security keys (WebAuthn) and recovery codes."""

from zcbus.control.features.second_factor.endpoints import api
from zcbus.control.features.second_factor.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
