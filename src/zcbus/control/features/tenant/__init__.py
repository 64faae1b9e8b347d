"""Tenants, called customers in the specification: owners of separated data."""

from zcbus.control.features.tenant.endpoints import api
from zcbus.control.features.tenant.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
