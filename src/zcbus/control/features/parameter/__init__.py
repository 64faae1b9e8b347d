"""System parameters."""

from zcbus.control.features.parameter.endpoints import api
from zcbus.control.features.parameter.messages import EN, ZH
from zcbus.control.features.parameter.service import store_defaults
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN, prepare=store_defaults)
