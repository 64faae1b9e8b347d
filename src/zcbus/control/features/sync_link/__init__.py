"""Sync links: a source, the bus and a target as one unit."""

from zcbus.control.features.sync_link import new_table_watch, renaming
from zcbus.control.features.sync_link.endpoints import api
from zcbus.control.features.sync_link.messages import EN, ZH
from zcbus.control.platform.feature import Feature, Periodic

feature = Feature(
    api,
    ZH,
    EN,
    periodic=(
        Periodic("new-tables", new_table_watch.SECONDS, new_table_watch.add_new_tables),
        Periodic("renamed-tables", renaming.SECONDS, renaming.follow_renamed_tables),
    ),
)
