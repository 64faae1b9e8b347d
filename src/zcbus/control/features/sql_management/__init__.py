"""SQL management: statements that people save, and run against stored databases."""

from zcbus.control.features.sql_management.endpoints import api
from zcbus.control.features.sql_management.history import remove_old
from zcbus.control.features.sql_management.messages import EN, ZH
from zcbus.control.platform.feature import Feature, Periodic

feature = Feature(api, ZH, EN, periodic=(Periodic("sql-history", 3600.0, remove_old),))
