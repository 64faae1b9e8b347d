"""The home page: what is running now."""

from zcbus.control.features.home.endpoints import api
from zcbus.control.platform.feature import Feature

feature = Feature(api)
