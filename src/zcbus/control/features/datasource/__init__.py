"""Data sources: kinds, connections, connection tests, and contents of databases."""

from zcbus.control.features.datasource.endpoints import api
from zcbus.control.features.datasource.messages import EN, ZH
from zcbus.control.features.datasource.service import inventory as table_lists
from zcbus.control.platform.caches import Cache
from zcbus.control.platform.feature import Feature

feature = Feature(
    api,
    ZH,
    EN,
    caches=(
        Cache(
            "table-lists",
            "process",
            measure=lambda services: table_lists.figures(services.clock.now()),
            clear=lambda _services: table_lists.clear(),
        ),
    ),
)
