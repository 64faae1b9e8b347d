"""One search over the names of tables, columns, topics, links, services, users, the operation log."""

from zcbus.control.features.search.columns import refresh_columns
from zcbus.control.features.search.endpoints import api
from zcbus.control.platform.feature import Feature, Periodic

feature = Feature(api, periodic=(Periodic("search-columns", 60.0, refresh_columns),))
