"""Policies: versioned packages of published tables, and their distribution to customers."""

from zcbus.control.features.policy.distribution_endpoints import api
from zcbus.control.features.policy.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
