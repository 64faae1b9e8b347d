"""Comparing subscribed tables with their source: what is asked for, what was found, and repairing it."""

from zcbus.control.features.contrast.endpoints import api
from zcbus.control.features.contrast.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
