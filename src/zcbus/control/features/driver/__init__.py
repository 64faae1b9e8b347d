"""Drivers that users upload and agents keep on their hosts."""

from zcbus.control.features.driver.endpoints import api
from zcbus.control.features.driver.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
