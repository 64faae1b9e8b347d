"""Roles and their permissions."""

from zcbus.control.features.role.endpoints import api
from zcbus.control.features.role.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
