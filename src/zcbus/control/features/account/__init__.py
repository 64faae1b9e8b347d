"""Tenants, users, roles, passwords."""

from zcbus.control.features.account.endpoints import api
from zcbus.control.features.account.first_start import prepare
from zcbus.control.features.account.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN, prepare=prepare)
