"""Departments: a tree in each tenant."""

from zcbus.control.features.department.endpoints import api
from zcbus.control.features.department.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
