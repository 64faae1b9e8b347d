"""Customers, their databases, masters and channels: the receivers of published tables, and the data sheet of those
tables. Sync links create, change and remove their own through `service`."""

from zcbus.control.features.subscribe import etl_endpoints
from zcbus.control.features.subscribe.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(etl_endpoints.api, ZH, EN)
