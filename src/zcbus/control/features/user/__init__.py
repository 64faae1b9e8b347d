"""Users as administrators keep them, and as they keep themselves."""

from zcbus.control.features.user.endpoints import api
from zcbus.control.features.user.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
