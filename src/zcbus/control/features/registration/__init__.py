"""Whether this installation is registered, until when, and how much of what it allows is used."""

from zcbus.control.features.registration.endpoints import api
from zcbus.control.features.registration.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
