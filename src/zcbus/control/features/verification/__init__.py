"""Verification of subscribed tables in the background: orders, results, and repair."""

from zcbus.control.features.verification.endpoints import api
from zcbus.control.features.verification.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
