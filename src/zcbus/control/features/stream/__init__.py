"""Stream queries: one SELECT over published tables, kept up to date in a table of a customer's database."""

from zcbus.control.features.stream.endpoints import api
from zcbus.control.features.stream.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
