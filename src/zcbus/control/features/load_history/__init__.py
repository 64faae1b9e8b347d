"""The history of full loads: reading it, and removing its old records.

It is written by `control.store.reduction.loads`.
"""

from zcbus.control.features.load_history.endpoints import api
from zcbus.control.features.load_history.messages import EN, ZH
from zcbus.control.features.load_history.upkeep import remove_old, watch_open_loads
from zcbus.control.platform.feature import Feature, Periodic

feature = Feature(
    api,
    ZH,
    EN,
    periodic=(
        Periodic("load-history", 3600.0, remove_old),
        Periodic("open-loads", 20.0, watch_open_loads),
    ),
)
