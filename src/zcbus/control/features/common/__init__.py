"""Data of the platform itself for the console: its version and deployment."""

from zcbus.control.features.common.endpoints import api
from zcbus.control.platform.feature import Feature

feature = Feature(api)
