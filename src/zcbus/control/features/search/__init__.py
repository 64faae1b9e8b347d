"""One search over what has a name: tables, columns, topics, links, services, users, the operation log."""

from zcbus.control.features.search.columns import read_due
from zcbus.control.features.search.endpoints import api
from zcbus.control.platform.feature import Feature, Periodic

feature = Feature(api, periodic=(Periodic("search-columns", 60.0, read_due),))
