"""The home page: present state of the platform."""

from zcbus.control.features.home.endpoints import api
from zcbus.control.platform.feature import Feature

feature = Feature(api)
