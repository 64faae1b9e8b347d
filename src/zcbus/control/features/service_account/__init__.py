"""Service accounts: programs that call the API in a user's name, within a scope, by tokens that end."""

from zcbus.control.features.service_account.endpoints import api
from zcbus.control.features.service_account.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
