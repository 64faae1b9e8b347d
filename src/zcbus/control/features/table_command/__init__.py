"""Orders to tables: one rule set, one answer per table and one record, from whichever page or program they come."""

from zcbus.control.features.table_command import (
    comparison_endpoints,
    publish_endpoints,
    transfer_endpoints,
    verification_endpoints,
)
from zcbus.control.features.table_command.messages import EN, ZH
from zcbus.control.platform.feature import Feature
from zcbus.control.platform.routing import Api

_ENDPOINTS = (transfer_endpoints, publish_endpoints, comparison_endpoints, verification_endpoints)
feature = Feature(Api.joined(*(part.api for part in _ENDPOINTS)), ZH, EN)
