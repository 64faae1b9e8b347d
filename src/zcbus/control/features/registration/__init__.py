"""Registration of this installation: its end, its limits and their use."""

from zcbus.control.features.registration.endpoints import api
from zcbus.control.features.registration.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
