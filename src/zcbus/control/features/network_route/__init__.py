"""Network configuration: routes by which connections reach servers."""

from zcbus.control.features.network_route.endpoints import api
from zcbus.control.features.network_route.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
