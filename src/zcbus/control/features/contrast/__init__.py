"""Comparison of subscribed tables with their source: orders, results, and repair."""

from zcbus.control.features.contrast.endpoints import api
from zcbus.control.features.contrast.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
