"""Simplified sync: trees of sources and targets, tables matched by name, one start."""

from zcbus.control.features.simplify_sync.endpoints import api
from zcbus.control.features.simplify_sync.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
