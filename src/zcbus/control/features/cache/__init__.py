"""Cache management: what this control plane keeps to answer faster or for a moment, and clearing it."""

from zcbus.control.features.cache.endpoints import api
from zcbus.control.features.cache.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
